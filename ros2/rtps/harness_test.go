// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"bytes"
	"encoding/binary"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// start makes a participant on a virtual host and closes it with the test.
func start(t testing.TB, h udp.Network, change ...func(*rtps.Config)) *rtps.Participant {
	t.Helper()
	cfg := rtps.Config{DomainID: 5, Network: h}
	if testing.Verbose() {
		cfg.Logger = slog.New(slog.NewTextHandler(t.Output(), nil))
	}
	for _, f := range change {
		f(&cfg)
	}
	p, err := rtps.NewParticipant(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// pair makes two participants on two hosts of one network.
func pair(t testing.TB, cfg vnet.Config) (*vnet.Net, *rtps.Participant, *rtps.Participant) {
	t.Helper()
	n := vnet.New(cfg)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(n)
		}
	})
	return n, start(t, n.Host(1)), start(t, n.Host(2))
}

// inbox collects what a reader receives.
type inbox struct {
	mu      sync.Mutex
	samples []rtps.Sample
	events  []rtps.MatchEvent
}

func (b *inbox) take(s *rtps.Sample) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := *s
	c.Payload = bytes.Clone(s.Payload)
	b.samples = append(b.samples, c)
}

func (b *inbox) match(_ int, ev rtps.MatchEvent) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.events = append(b.events, ev)
}

func (b *inbox) matches() []rtps.MatchEvent {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.events)
}

func (b *inbox) all() []rtps.Sample {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.samples)
}

// numbers returns what number wrote into the payloads.
func (b *inbox) numbers() []int {
	var list []int
	for _, s := range b.all() {
		list = append(list, int(binary.LittleEndian.Uint32(s.Payload[4:])))
	}
	return list
}

// number makes a payload of the given size that holds i, and bytes that depend on i.
func number(i, size int) []byte {
	b := make([]byte, max(size, 8))
	for k := range b {
		b[k] = byte(i + k*7)
	}
	copy(b, []byte{0, 1, 0, 0})
	binary.LittleEndian.PutUint32(b[4:], uint32(i))
	return b
}

type option func(*wire.QoS)

func reliable(q *wire.QoS)       { q.Reliability = wire.Reliable }
func bestEffort(q *wire.QoS)     { q.Reliability = wire.BestEffort }
func transientLocal(q *wire.QoS) { q.Durability = wire.TransientLocal }
func keepAll(q *wire.QoS)        { q.History = wire.KeepAll }
func depth(n int32) option       { return func(q *wire.QoS) { q.Depth = n } }

func qos(opts ...option) wire.QoS {
	q := wire.DefaultWriterQoS()
	for _, f := range opts {
		f(&q)
	}
	return q
}

const (
	topic    = "rt/chatter"
	typeName = "std_msgs::msg::dds_::String_"
)

// writer makes a writer of the test topic.
func writer(t testing.TB, p *rtps.Participant, opts ...option) *rtps.Writer {
	t.Helper()
	w, err := p.NewWriter(rtps.WriterConfig{Topic: topic, Type: typeName, QoS: qos(opts...)})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// reader makes a reader of the test topic.
func reader(t testing.TB, p *rtps.Participant, opts ...option) (*rtps.Reader, *inbox) {
	t.Helper()
	b := &inbox{}
	r, err := p.NewReader(rtps.ReaderConfig{Topic: topic, Type: typeName, QoS: qos(opts...), OnSample: b.take, OnMatch: b.match})
	if err != nil {
		t.Fatal(err)
	}
	return r, b
}

// eventually waits, in the time of a synctest bubble, until a condition holds.
func eventually(t testing.TB, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", limit, what)
		}
	}
}

// write writes a sample or fails the test.
func write(t testing.TB, w *rtps.Writer, payload []byte) {
	t.Helper()
	if err := w.Write(payload); err != nil {
		t.Fatal(err)
	}
}
