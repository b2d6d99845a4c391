// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"sync/atomic"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/reassembly"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// ReaderConfig configures a Reader.
type ReaderConfig struct {
	// Topic and Type are the DDS names. Both are needed.
	Topic, Type string
	// QoS is requested. Start from wire.DefaultReaderQoS.
	QoS wire.QoS
	// Keyed means that the topic has instances; OnSample is then also called when one ends. It defaults to a topic
	// without a key.
	Keyed bool
	// UserData is announced with the reader (ROS 2 puts "typehash=…;" here). It defaults to nothing.
	UserData []byte
	// OnSample is called with every sample, one at a time for all readers of the participant, in each writer's order.
	// It must not block: reception waits for it. The Sample is valid during the call only.
	OnSample func(*Sample)
	// OnMatch, if set, is called when a writer is matched or unmatched, with the resulting number of matches. It must
	// not block.
	OnMatch func(n int, ev MatchEvent)
	// OnStatus, if set, is called for missed deadlines, changed liveliness of writers and lost samples. It must not
	// block.
	OnStatus func(StatusEvent)
	// MaxSampleSize is the largest sample accepted, bytes. It defaults to Limits.SampleSize.
	MaxSampleSize int
	// Loans requests samples with a [Loan], which are not copied out of shared memory. It defaults to samples that are
	// valid during the call.
	Loans bool
}

// readerSettings is the part of the configuration that a reader keeps. Readers with equal QoS share one copy of it,
// which must not be modified.
type readerSettings struct {
	Topic, Type   string
	QoS           *wire.QoS
	Keyed         bool
	UserData      []byte
	OnSample      func(*Sample)
	OnMatch       func(n int, ev MatchEvent)
	OnStatus      func(StatusEvent)
	MaxSampleSize int
	Loans         bool
}

// settings returns the settings of a reader of the participant.
func (c *ReaderConfig) settings(p *Participant) readerSettings {
	return readerSettings{
		Topic: c.Topic, Type: p.texts.String(c.Type), QoS: p.texts.QoS(&c.QoS), Keyed: c.Keyed,
		UserData: p.texts.Bytes(c.UserData), OnSample: c.OnSample, OnMatch: c.OnMatch, OnStatus: c.OnStatus,
		MaxSampleSize: c.MaxSampleSize, Loans: c.Loans,
	}
}

// Reader receives the samples of one topic. It is safe for concurrent use.
type Reader struct {
	p    *Participant
	cfg  readerSettings
	guid wire.GUID
	// discovery: called at once, with the participant locked
	builtin func(w *writerProxy, info *reassembly.Info, payload []byte)
	matched atomic.Int32
	closed  atomic.Bool

	// The fields below are guarded by Participant.mu.
	slot           int // in Participant.userReaders
	writers        []*writerProxy
	locals         []*Writer       // matched writers of this participant
	savedPositions []savedPosition // of writers whose match ended

	deadline        *deadline // nil if there is none
	alive, notAlive int       // matched writers
	changes, losses statusCount
}

// newReader creates a reader of the participant, not yet announced.
func newReader(p *Participant, cfg ReaderConfig, entity wire.EntityID) *Reader {
	if cfg.MaxSampleSize <= 0 {
		cfg.MaxSampleSize = p.cfg.Limits.SampleSize
	}
	r := &Reader{p: p, cfg: cfg.settings(p), guid: wire.GUID{Prefix: p.guid.Prefix, Entity: entity}}
	if r.deadline = newDeadline(cfg.QoS.Deadline, cfg.Keyed); r.deadline != nil {
		r.deadline.alarm.Fire = r.onDeadline
	}
	return r
}

// GUID returns the reader's GUID.
func (r *Reader) GUID() wire.GUID { return r.guid }

// Matched returns the number of matched writers. It takes no lock.
func (r *Reader) Matched() int { return int(r.matched.Load()) }

// Close removes the reader and withdraws its announcement. A call of OnSample that has begun may still be running when
// it returns; no other starts.
func (r *Reader) Close() error {
	r.p.mu.Lock()
	defer r.p.unlock()
	if r.closed.Load() {
		return nil
	}
	r.p.removeReader(r)
	return nil
}

// reliable reports whether the reader requests lost samples.
func (r *Reader) reliable() bool { return r.cfg.QoS.Reliability == wire.Reliable }

// writer returns the matched writer with this GUID, or nil.
func (r *Reader) writer(guid wire.GUID) *writerProxy {
	for _, w := range r.writers {
		if w.guid == guid {
			return w
		}
	}
	return nil
}

// deliver passes a sample to the user function or to discovery. The end of an instance is ignored on a topic without a
// key.
func (r *Reader) deliver(w *writerProxy, sn wire.SequenceNumber, info *reassembly.Info, payload []byte, buffer *[]byte) {
	if r.builtin != nil {
		r.builtin(w, info, payload)
		return
	}
	if info.Kind != wire.PayloadData && !r.cfg.Keyed {
		return
	}
	r.deadline.sample(r.p, r.p.in.now)
	s := Sample{
		Payload: payload, Kind: info.Kind, Status: info.Status, Key: info.Key.Bytes(),
		Writer: w.guid, SN: sn, Related: info.Related, Vendor: info.Vendor, SourceTime: info.Time.Time(),
	}
	r.p.enqueueSample(r, &s, buffer)
}
