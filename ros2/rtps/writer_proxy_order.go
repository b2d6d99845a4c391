// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/reassembly"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// heldSample is a sample that waits for those before it.
type heldSample struct {
	sn   wire.SequenceNumber
	info reassembly.Info
	data []byte
	at   time.Time // when it came
}

// refuse treats a sample that is too large for the reader as one that never comes: to wait for it would be to wait for
// ever.
func (w *writerProxy) refuse(sn wire.SequenceNumber) {
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

// hold keeps a sample that came before its turn, as far as there is room: what there is no room for is asked for again
// later.
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

// advance delivers what is now in turn, and forgets what is no longer needed.
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

// expired reports whether a sample that began to arrive at the given time has waited here longer than the writer wants
// it to live. The source time is not asked: the clocks of two machines may differ by more than a lifespan.
func (w *writerProxy) expired(since time.Time) bool {
	life := w.data.QoS.Lifespan
	return life > 0 && !life.IsInfinite() && w.r.p.in.now.Sub(since) >= life.Duration()
}

// moveTo gives up waiting for what is below sn: what is held of it is delivered, the rest is gone.
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

// doubt is what speaks against the place where a reader is in a writer's numbers: a single damaged or forged HEARTBEAT,
// GAP or sample can carry it far beyond them, where it would take all that follows for duplicates.
type doubt struct {
	since time.Time // when something first did, zero for nothing
	// A best-effort reader: the last sample that came from before that place, and how many came with rising numbers.
	sn     wire.SequenceNumber
	rising int
}

// doubtTime is how long a writer must contradict the reader's place before the reader believes it. What overtakes on
// the network is not late for so long.
const doubtTime = time.Second

// doubtSamples is how many samples with rising numbers a best-effort reader must have refused besides: a writer may
// repeat some for other readers.
const doubtSamples = 10

// compare goes back to the sample after the last delivered one if the writer's heartbeats have been naming none as high
// as those that the reader is through with. What really came by a GAP is said again.
func (w *writerProxy) compare(m *wire.Heartbeat, now time.Time) {
	switch {
	case m.Last >= w.next-1:
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

// rewind has a best-effort reader go on with sample sn, from before its place, if samples from there have kept coming,
// with rising numbers, and none beyond.
func (w *writerProxy) rewind(sn wire.SequenceNumber, now time.Time) {
	if w.reliable {
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

// place is where a volatile reader was in the numbers of a writer that it lost. If it alone lost the other, since only
// the writer's datagrams were lost, the writer still holds samples that the reader has had: Fast DDS keeps as many as
// its history has room for.
type place struct {
	writer wire.GUID
	next   wire.SequenceNumber
}

// maxPlaces bounds the places of a reader: the oldest goes.
const maxPlaces = 32

// leavePlace notes where the reader is in the numbers of a writer whose match ends.
func (r *Reader) leavePlace(w *writerProxy) {
	next := w.resume
	if w.synced {
		next = w.next
	}
	if !w.reliable || !w.volatile() || r.builtin != nil || next == 0 {
		return
	}
	if len(r.places) == maxPlaces {
		r.places = slices.Delete(r.places, 0, 1)
	}
	r.places = append(r.places, place{w.guid, next})
}

// takePlace returns and forgets where the reader was in the numbers of a writer, or 0.
func (r *Reader) takePlace(writer wire.GUID) (next wire.SequenceNumber) {
	for i, p := range r.places {
		if p.writer == writer {
			r.places = slices.Delete(r.places, i, i+1)
			return p.next
		}
	}
	return 0
}
