// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/history"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/shield"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// WriterConfig configures a Writer.
type WriterConfig struct {
	// Topic and Type are the DDS names. Both are needed.
	Topic, Type string
	// QoS is offered. Start from wire.DefaultWriterQoS.
	QoS wire.QoS
	// Keyed means that the topic has instances, for WriteInstance and EndInstance, with a keep-last depth each. It
	// defaults to a topic without a key, as all topics of ROS 2 are; the two kinds do not match.
	Keyed bool
	// UserData is announced with the writer (ROS 2 puts "typehash=…;" here). It defaults to nothing.
	UserData []byte
	// OnMatch, if set, is called when a reader is matched or unmatched, with the resulting number of matches. It must
	// not block.
	OnMatch func(n int, ev MatchEvent)
	// OnStatus, if set, is called for missed deadlines and lost liveliness. It must not block.
	OnStatus func(StatusEvent)
	// Variant, if set, chooses at match time which payload of WriteVariants a reader gets. It is called with the
	// participant locked and must not call the package.
	Variant func(remote wire.EndpointData) int
	// MaxSamples bounds a keep-all history, and that of all instances together. It defaults to 1000.
	MaxSamples int
}

// writerSettings is the part of the configuration that a writer keeps. Writers with equal QoS share one copy of it,
// which must not be modified.
type writerSettings struct {
	Topic, Type string
	QoS         *wire.QoS
	Keyed       bool
	UserData    []byte
	OnMatch     func(n int, ev MatchEvent)
	OnStatus    func(StatusEvent)
	Variant     func(remote wire.EndpointData) int
}

// settings returns the settings of a writer of the participant.
func (c *WriterConfig) settings(p *Participant) writerSettings {
	return writerSettings{
		Topic: c.Topic, Type: p.texts.String(c.Type), QoS: p.texts.QoS(&c.QoS), Keyed: c.Keyed,
		UserData: p.texts.Bytes(c.UserData), OnMatch: c.OnMatch, OnStatus: c.OnStatus, Variant: c.Variant,
	}
}

// Writer publishes samples of one topic. It is safe for concurrent use. Writing does not wait for readers: keep-last
// drops the oldest sample; keep-all returns ErrFull while no reader has acknowledged the oldest sample. If only some
// readers have not acknowledged it, it is dropped once it is older than QoS.MaxBlocking.
type Writer struct {
	p       *Participant
	cfg     writerSettings
	guid    wire.GUID
	matched atomic.Int32

	// The fields below are guarded by Participant.mu. Small ones are together: a thousand robots have 50,000 writers.
	closed         bool
	requestsAck    bool  // the current write requests an acknowledgment from every reader
	awaitsFirstAck bool  // it wrote while a reliable reader had not sent an ACKNACK yet
	holds          bool  // it has a sample in cork.held
	slot           int32 // in Participant.userWriters
	hbTries        int32 // periodic heartbeats since the last progress
	hbCount        wire.Count
	hbfCount       wire.Count // of HEARTBEAT_FRAGs
	hist           history.History
	readers        []*readerProxy
	heartbeat      alarm.Alarm
	wroteAt        alarm.Instant     // last write
	gap            time.Duration     // between the two writes before it
	longer         time.Duration     // of the last two gaps
	deadline       *deadline         // nil if there is none
	live           *manualLiveliness // nil without manual liveliness
	announced      announcements     // of a discovery writer
}

// Limits of writers.
const (
	maxSampleSize     = 64 << 20 // largest sample a Writer takes, bytes
	defaultMaxSamples = 1000
)

// newWriter creates a writer of the participant, not yet announced.
func newWriter(p *Participant, cfg WriterConfig, entity wire.EntityID) *Writer {
	limit := cfg.MaxSamples
	if cfg.QoS.History == wire.KeepLast && !cfg.Keyed {
		limit = int(cfg.QoS.Depth)
	}
	w := &Writer{p: p, cfg: cfg.settings(p), guid: wire.GUID{Prefix: p.guid.Prefix, Entity: entity}}
	bytes := &p.budgets.histories
	if w.guid.Entity.IsBuiltin() {
		bytes = nil
	}
	w.hist = history.New(limit, bytes)
	if p.secure != nil {
		w.hist.Reserve(shield.Reserve)
	}
	if cfg.QoS.History == wire.KeepLast && cfg.Keyed {
		w.hist.KeepEach(int(cfg.QoS.Depth))
	}
	w.heartbeat.Fire = w.onHeartbeatTimer
	if w.deadline = newDeadline(cfg.QoS.Deadline, cfg.Keyed); w.deadline != nil {
		w.deadline.alarm.Fire = w.onDeadline
	}
	if lease := leaseOf(&cfg.QoS); lease > 0 && cfg.QoS.Liveliness != wire.LivelinessAutomatic {
		w.live = &manualLiveliness{lease: lease, alarm: alarm.Alarm{Fire: w.onLease}}
	}
	return w
}

// GUID returns the writer's GUID.
func (w *Writer) GUID() wire.GUID { return w.guid }

// Matched returns the number of matched readers. It takes no lock.
func (w *Writer) Matched() int { return int(w.matched.Load()) }

// Write publishes a sample: a payload with its encapsulation header, which is copied. In steady state it allocates
// nothing. The error wraps ErrClosed, ErrTooLarge or ErrFull.
func (w *Writer) Write(payload []byte) error {
	w.p.mu.Lock()
	err := w.writeLocked(func(c *history.Change) { c.SetPayload(payload) }, len(payload))
	if w.holds {
		w.p.mu.Unlock() // there is nothing to send yet
	} else {
		w.p.unlock()
	}
	return err
}

// WriteVariants publishes one sample in several forms; each reader gets the one that WriterConfig.Variant chose, or the
// first.
func (w *Writer) WriteVariants(payloads ...[]byte) error {
	size := 0
	for _, b := range payloads {
		size += len(b)
	}
	w.p.mu.Lock()
	err := w.writeLocked(func(c *history.Change) { c.SetPayloads(payloads...) }, size)
	w.p.unlock()
	return err
}

// WriteTo publishes a sample for one matched reader only; the others get a GAP for its number. related, unless zero, is
// sent with it (it identifies the request of a service reply). The error may also wrap ErrUnknownReader.
func (w *Writer) WriteTo(reader wire.GUID, related wire.SampleIdentity, payload []byte) error {
	w.p.mu.Lock()
	defer w.p.unlock()
	if w.reader(reader) == nil && !w.closed {
		return fmt.Errorf("%w: %v", ErrUnknownReader, reader)
	}
	return w.writeLocked(func(c *history.Change) {
		c.SetPayload(payload)
		c.Direct(reader)
		if !related.IsZero() {
			c.SetRelated(related)
		}
	}, len(payload))
}

// WriteRelated publishes a sample for all readers with a related sample identity (service requests carry the reply
// reader's GUID).
func (w *Writer) WriteRelated(related wire.SampleIdentity, payload []byte) error {
	w.p.mu.Lock()
	defer w.p.unlock()
	return w.writeLocked(func(c *history.Change) {
		c.SetPayload(payload)
		c.SetRelated(related)
	}, len(payload))
}

// writeLocked appends a change that fill completes, and sends it.
func (w *Writer) writeLocked(fill func(*history.Change), size int) error {
	w.p.cork.sendOf(w)
	switch {
	case w.closed:
		return fmt.Errorf("%w: writer of %q", ErrClosed, w.cfg.Topic)
	case size > maxSampleSize:
		return fmt.Errorf("%w: %d bytes, at most %d", ErrTooLarge, size, maxSampleSize)
	case w.cfg.QoS.History == wire.KeepAll && !w.freeSpace(size):
		w.p.tx.Expedite() // otherwise no acknowledgment would be requested while corked
		return fmt.Errorf("%w: %d samples of %q not acknowledged, %d bytes in all", ErrFull, w.hist.Next()-w.hist.First(), w.cfg.Topic, w.p.budgets.histories.Used)
	case !w.hist.Fit(size, w.hist.Next()): // keep last
		return fmt.Errorf("%w: %d bytes for %q, %d of others", ErrFull, size, w.cfg.Topic, w.p.budgets.histories.Used)
	}
	w.p.stats.SamplesWritten++
	if w.p.cork.depth == 0 {
		w.p.cork.setTime(w.p.alarms)
		w.p.noticeSuspension(w.p.cork.time)
	}
	if w.deadline != nil || w.live != nil {
		w.deadline.sample(w.p, w.p.cork.time)
		w.wrote(w.p.cork.time)
	}
	if len(w.readers) == 0 && w.cfg.QoS.Durability == wire.Volatile {
		return nil // no reader can request it
	}
	c := w.hist.Blank()
	c.Kind, c.At = wire.PayloadData, w.p.cork.time
	fill(c)
	w.hist.Push(c)
	if !w.p.cork.hold(w, c) {
		w.sendFresh(c, w.p.cork.at)
	}
	return nil
}

// reader returns the matched reader with this GUID, or nil.
func (w *Writer) reader(guid wire.GUID) *readerProxy {
	for _, r := range w.readers {
		if r.guid == guid {
			return r
		}
	}
	return nil
}

// Close removes the writer and withdraws its announcement. Samples not yet acknowledged are lost.
func (w *Writer) Close() error {
	w.p.mu.Lock()
	defer w.p.unlock()
	if w.closed {
		return nil
	}
	w.p.removeWriter(w)
	return nil
}

// concerns reports whether c is directed at reader r, or at all readers.
func (r *readerProxy) concerns(c *history.Change) bool {
	return !c.Directed || c.Target() == r.guid || r.sharesDirected(c)
}

// relevant reports whether c is to be sent to reader r: directed at it or at all readers, and not expired.
func (w *Writer) relevant(c *history.Change, r *readerProxy, now time.Time) bool {
	if c == nil || !r.concerns(c) || isLost(c) {
		return false
	}
	life := w.cfg.QoS.Lifespan
	return life.IsInfinite() || life == 0 || now.Sub(c.At) < life.Duration()
}
