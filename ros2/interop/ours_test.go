// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"bytes"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// ours is a participant of our own stack.
type ours struct {
	t testing.TB
	p *rtps.Participant
}

// startOurs creates a participant in a domain. It is closed at the end of the test.
func startOurs(t testing.TB, cfg rtps.Config) *ours {
	t.Helper()
	needNamespace(t)
	log := &lockedBuffer{}
	cfg.Logger = slog.New(slog.NewTextHandler(log, nil))
	p, err := rtps.NewParticipant(cfg)
	if err != nil {
		t.Fatalf("our participant: %v", err)
	}
	t.Cleanup(func() {
		stats := p.Stats()
		if err := p.Close(); err != nil {
			t.Errorf("closing our participant: %v", err)
		}
		if stats.Malformed != 0 {
			t.Errorf("%d datagrams of the peers were malformed to us", stats.Malformed)
		}
		if t.Failed() {
			t.Logf("our participant said:\n%s%+v", log.tail(60), stats)
		}
	})
	return &ours{t: t, p: p}
}

// The type names that the peers know (testdata/common/main.c).
const (
	typeString   = "std_msgs::msg::dds_::String_"
	typeTwist    = "geometry_msgs::msg::dds_::Twist_"
	typeOdometry = "nav_msgs::msg::dds_::Odometry_"
	typeTF       = "tf2_msgs::msg::dds_::TFMessage_"
	typeScan     = "sensor_msgs::msg::dds_::LaserScan_"
	typeRange    = "sensor_msgs::msg::dds_::Range_"
	typeImage    = "sensor_msgs::msg::dds_::Image_"
	typeBlob     = "interop::msg::dds_::Blob_"
)

// qos is what the tests vary. The zero value is best effort, volatile.
type qos struct {
	reliable, transientLocal bool
	depth                    int32
}

func (q qos) on(base wire.QoS) wire.QoS {
	base.Reliability, base.Durability = wire.BestEffort, wire.Volatile
	if q.reliable {
		base.Reliability = wire.Reliable
	}
	if q.transientLocal {
		base.Durability = wire.TransientLocal
	}
	base.History, base.Depth = wire.KeepLast, max(q.depth, 1)
	return base
}

// words returns the QoS as arguments of a peer's command.
func (q qos) words() string {
	reliability, durability := "best_effort", "volatile"
	if q.reliable {
		reliability = "reliable"
	}
	if q.transientLocal {
		durability = "transient_local"
	}
	return fmt.Sprintf("%s %s %d", reliability, durability, max(q.depth, 1))
}

// matches keeps the match events of one of our endpoints.
type matches struct {
	t      testing.TB
	topic  string
	events *mailbox[match]
}

type match struct {
	count int
	event rtps.MatchEvent
}

func newMatches(t testing.TB, topic string) matches {
	return matches{t: t, topic: topic, events: newMailbox[match]()}
}

func (m matches) put(n int, ev rtps.MatchEvent) { m.events.put(match{n, ev}) }

// matched waits until the endpoint has count matched counterparts.
func (m matches) matched(count int) {
	m.t.Helper()
	m.events.await(m.t, fmt.Sprintf("match of our %s with %d", m.topic, count), func(x match) bool {
		return x.event.Kind != rtps.Incompatible && x.count == count
	})
}

// incompatible waits until the endpoint has discovered one with incompatible QoS.
func (m matches) incompatible() []wire.PolicyID {
	m.t.Helper()
	return m.events.await(m.t, "incompatible QoS at our "+m.topic, func(x match) bool {
		return x.event.Kind == rtps.Incompatible
	}).event.Policies
}

// ourWriter is a writer of ours.
type ourWriter struct {
	*rtps.Writer
	matches
	written int
}

func (o *ours) writer(topic, typ string, q qos) *ourWriter {
	o.t.Helper()
	m := newMatches(o.t, topic)
	w, err := o.p.NewWriter(rtps.WriterConfig{Topic: topic, Type: typ, QoS: q.on(wire.DefaultWriterQoS()), OnMatch: m.put})
	if err != nil {
		o.t.Fatalf("our writer of %s: %v", topic, err)
	}
	return &ourWriter{Writer: w, matches: m}
}

// strings writes the next n numbered strings.
func (w *ourWriter) strings(n int) {
	w.t.Helper()
	for range n {
		w.written++
		w.write(numberedString(w.written))
	}
}

// image writes the next numbered image.
func (w *ourWriter) image() {
	w.t.Helper()
	w.written++
	w.write(numberedImage(w.written))
}

func (w *ourWriter) write(payload []byte) {
	w.t.Helper()
	if err := w.Write(payload); err != nil {
		w.t.Fatalf("writing %s: %v", w.topic, err)
	}
}

// received is a sample that one of our readers got.
type received struct {
	payload []byte
	writer  wire.GUID
	sn      wire.SequenceNumber
	source  time.Time
}

// ourReader is a reader of ours.
type ourReader struct {
	*rtps.Reader
	matches
	samples *mailbox[received]
}

func (o *ours) reader(topic, typ string, q qos) *ourReader {
	o.t.Helper()
	r := &ourReader{matches: newMatches(o.t, topic), samples: newMailbox[received]()}
	reader, err := o.p.NewReader(rtps.ReaderConfig{
		Topic: topic, Type: typ, QoS: q.on(wire.DefaultReaderQoS()), OnMatch: r.put,
		OnSample: func(s *rtps.Sample) {
			r.samples.put(received{bytes.Clone(s.Payload), s.Writer, s.SN, s.SourceTime})
		},
	})
	if err != nil {
		o.t.Fatalf("our reader of %s: %v", topic, err)
	}
	r.Reader = reader
	return r
}

// next waits for the next sample.
func (r *ourReader) next() received {
	r.t.Helper()
	return r.samples.await(r.t, "sample of "+r.topic, anything[received])
}
