// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/reassembly"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/shield"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// heldSample is a sample that waits for earlier ones.
type heldSample struct {
	sn   wire.SequenceNumber
	info reassembly.Info
	data []byte
	at   time.Time // when it arrived
}

// skipTooLarge treats a sample that is too large for the reader as irrelevant: waiting for it would block the reader
// permanently.
func (w *writerProxy) skipTooLarge(sn wire.SequenceNumber) {
	if sn < w.next {
		return
	}
	w.r.p.drop(DropSampleSize)
	if !w.reliable {
		w.skipTo(sn)
		w.next = sn + 1
		w.asm.DropBelow(w.next)
		return
	}
	w.gaps.Add(sn, sn)
	w.advance()
}

// hold stores a sample that arrived early, if there is space; otherwise it is requested again later.
func (w *writerProxy) hold(sn wire.SequenceNumber, info *reassembly.Info, payload []byte) {
	i, found := w.searchHeld(sn)
	p := w.r.p
	_, gap := w.gaps.Find(sn)
	switch {
	case found || gap || !w.synced && sn < w.resume:
		p.drop(DropDuplicate)
		return
	case len(w.held) >= maxHeld || w.synced && sn >= w.next+maxHeld:
		p.drop(DropSampleWindow)
		return
	case !w.memory.Reserve(len(payload)):
		p.drop(DropSampleMemory)
		return
	}
	w.held = slices.Insert(w.held, i, heldSample{sn, *info, slices.Clone(payload), p.in.now})
}

func (w *writerProxy) searchHeld(sn wire.SequenceNumber) (int, bool) {
	return slices.BinarySearchFunc(w.held, sn, func(h heldSample, sn wire.SequenceNumber) int {
		return int(max(-1, min(1, h.sn-sn)))
	})
}

// holds reports whether the complete sample is held.
func (w *writerProxy) holds(sn wire.SequenceNumber) bool {
	_, found := w.searchHeld(sn)
	return found
}

// advance delivers the samples that are next in order, and frees what is no longer needed.
func (w *writerProxy) advance() {
	for w.synced {
		if gap, ok := w.gaps.Find(w.next); ok {
			w.next = gap.Last + 1
			continue
		}
		if len(w.held) == 0 || w.held[0].sn != w.next {
			break
		}
		w.next++
		w.deliverHeld()
	}
	w.gaps.DropBelow(w.next)
	w.asm.DropBelow(w.next)
}

// deliverHeld delivers the first held sample.
func (w *writerProxy) deliverHeld() {
	h := w.held[0]
	w.delivered = h.sn
	w.held = slices.Delete(w.held, 0, 1)
	w.memory.Release(len(h.data))
	if w.expired(h.at) {
		w.r.p.drop(DropSampleExpired)
		return
	}
	w.r.deliver(w, h.sn, &h.info, h.data, &h.data)
}

// expired reports whether a sample that began to arrive at the given time has been held longer than the writer's
// lifespan. The source time is not used: the clocks of two machines may differ by more than a lifespan.
func (w *writerProxy) expired(since time.Time) bool {
	life := w.data.QoS.Lifespan
	return life > 0 && !life.IsInfinite() && w.r.p.in.now.Sub(since) >= life.Duration()
}

// moveTo stops waiting for samples below sn: held ones are delivered, the rest is lost.
func (w *writerProxy) moveTo(sn wire.SequenceNumber) {
	if sn <= w.next {
		return
	}
	lost := sn - w.next
	for _, gap := range w.gaps {
		lost -= max(min(gap.Last, sn-1)-max(gap.First, w.next)+1, 0)
	}
	for len(w.held) > 0 && w.held[0].sn < sn {
		w.deliverHeld()
		lost--
	}
	w.r.lost(w.guid, int64(lost))
	w.next = sn
	w.advance()
}

// doubt is the evidence that a reader's position in a writer's sequence numbers is wrong: a single damaged or forged
// HEARTBEAT, GAP or sample can move it far ahead, where the reader would drop all following samples as duplicates.
type doubt struct {
	since time.Time // time of the first evidence, zero for none
	// For a best-effort reader: the last sample that arrived from before that position, and how many arrived with
	// rising numbers.
	sn     wire.SequenceNumber
	rising int
}

// doubtTime is how long a writer must contradict the reader's position before the reader corrects it. Reordering in the
// network does not last that long.
const doubtTime = time.Second

// doubtSamples is how many samples with rising numbers a best-effort reader must have rejected in addition: a writer
// may repeat some for other readers.
const doubtSamples = 10

// compare moves the reader back to the sample after the last delivered one if for doubtTime the writer's heartbeats
// have announced only numbers below the reader's position. Numbers that a GAP skipped will be skipped by a new GAP.
func (w *writerProxy) compare(m *wire.Heartbeat, now time.Time) {
	switch {
	case m.Last >= w.next-1 || w.r.p.secure != nil: // heartbeats of a secured writer that say otherwise are replays
		w.doubt = doubt{}
	case w.doubt.since.IsZero():
		w.doubt.since = now
	case now.Sub(w.doubt.since) >= doubtTime:
		for _, h := range w.held {
			w.memory.Release(len(h.data))
		}
		w.held, w.gaps, w.doubt = nil, nil, doubt{}
		w.next = max(min(w.delivered, m.Last)+1, m.First)
		w.announced = m.Last
	}
}

// rewind moves a best-effort reader back to sample sn if samples from before its position have kept arriving, with
// rising numbers, and none beyond.
func (w *writerProxy) rewind(sn wire.SequenceNumber, now time.Time) {
	if w.reliable || w.r.p.secure != nil { // what contradicts authenticated numbers are replays
		return
	}
	d := &w.doubt
	switch {
	case sn == d.sn: // another fragment, or a repetition
		return
	case d.since.IsZero() || sn < d.sn:
		d.since, d.rising = now, 0
	case d.rising >= doubtSamples && now.Sub(d.since) >= doubtTime:
		w.next, w.doubt = sn, doubt{}
		return
	}
	d.sn = sn
	d.rising++
}

// savedPosition is a volatile reader's position in the sequence numbers of a writer whose match ended. If only the
// writer's datagrams were lost, the writer did not notice, and still has samples that the reader has received: Fast DDS
// keeps as many as its history depth.
//
// Every reader of a secured writer has one: what was protected with the same key and has a lower number is a replay.
type savedPosition struct {
	writer wire.GUID
	next   wire.SequenceNumber
	key    shield.KeyPrint // that protects the writer's samples, zero without
}

// maxSavedPositions bounds the saved positions of a reader: the oldest is removed.
const maxSavedPositions = 32

// savePosition saves the reader's position in the numbers of a writer whose match ends.
func (r *Reader) savePosition(w *writerProxy) {
	next := w.resume
	if w.synced {
		next = w.next
	}
	key := keyOf(r.p.secure, r.guid.Entity, w.guid)
	if r.builtin != nil || next == 0 || key.IsZero() && (!w.reliable || !w.volatile()) {
		return
	}
	if len(r.savedPositions) == maxSavedPositions {
		r.savedPositions = slices.Delete(r.savedPositions, 0, 1)
	}
	r.savedPositions = append(r.savedPositions, savedPosition{w.guid, next, key})
}

// earlierMatch is what a match has of an earlier one with the same writer.
type earlierMatch struct {
	resume  wire.SequenceNumber // next when that ended, or 0
	key     shield.KeyPrint     // that protected the writer's samples then, zero without …
	sameKey bool                // … and does so now
}

// compareKeys decides about the saved position when the first submessage of a writer arrives: with another key, it is
// that of another writer.
func compareKeys(w *writerProxy) {
	if w.sameKey || w.resume == 0 || w.key.IsZero() {
		return
	}
	if w.sameKey = w.key == keyOf(w.r.p.secure, w.r.guid.Entity, w.guid); !w.sameKey {
		w.resume, w.key = 0, shield.KeyPrint{}
		return
	}
	if !w.reliable {
		w.next = w.resume
	}
}

// takePosition returns and deletes the reader's saved position in the numbers of a writer, or 0, and the key of that.
func (r *Reader) takePosition(writer wire.GUID) (next wire.SequenceNumber, key shield.KeyPrint) {
	for i, p := range r.savedPositions {
		if p.writer == writer {
			r.savedPositions = slices.Delete(r.savedPositions, i, i+1)
			return p.next, p.key
		}
	}
	return 0, key
}
