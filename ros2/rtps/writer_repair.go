// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/history"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/send"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// repairing reports whether retransmissions are pending.
func (r *readerProxy) repairing() bool {
	return r.resending.c != nil || len(r.frags) > 0 || r.wantsSamples()
}

func (r *readerProxy) wantsSamples() bool {
	return r.wantedAt < r.wanted.Base+wire.SequenceNumber(r.wanted.NumBits)
}

// stepRepair sends the next part of the pending retransmissions.
func (r *readerProxy) stepRepair(now time.Time) bool {
	if r.resending.c != nil {
		r.stepTransfer(&r.resending, now)
		return true
	}
	for r.wantsSamples() {
		sn := r.wantedAt
		r.wantedAt++
		if r.wanted.Contains(sn) {
			r.resend(sn, now)
			return true
		}
	}
	for len(r.frags) > 0 {
		if r.stepFragments(&r.frags[0], now) {
			return true
		}
		r.frags = slices.Delete(r.frags, 0, 1)
	}
	return false
}

// resend resends a small sample, starts the transfer of a large one, or sends a GAP for an irrelevant one and the
// requested irrelevant ones after it.
func (r *readerProxy) resend(sn wire.SequenceNumber, now time.Time) {
	c := r.change(sn)
	switch {
	case sn >= r.next: // not sent yet
		return
	case sn < r.base || !r.w.relevant(c, r, now):
		last := sn
		for r.wanted.Contains(last+1) && last+1 < r.next && (last+1 < r.base || !r.w.relevant(r.change(last+1), r, now)) {
			last++
		}
		r.wantedAt = last + 1
		r.sendGap(sn, last)
	case !c.Large(r.variant):
		r.w.p.stats.SamplesResent++
		r.sendData(c, r.guid.Entity)
	case sn != r.resentSN || now.Sub(r.resentAt) > nackSuppression:
		r.remote.shared.requestedAgain(r.w.p.log, r.guid.Prefix)
		r.resending = transfer{c: c.Use(), next: 1}
	}
}

// nackSuppression is how long after a large sample was resent requests for it are ignored: they were sent before it
// arrived.
const nackSuppression = 50 * time.Millisecond

// stepFragments sends the next fragment of a request, if there is one.
func (r *readerProxy) stepFragments(q *fragmentRequest, now time.Time) bool {
	c := r.change(q.sn)
	if !r.w.relevant(c, r, now) || !c.Large(r.variant) {
		return false
	}
	end := min(q.set.Base+wire.FragmentNumber(q.set.NumBits), c.Fragments(r.variant)+1)
	if r.fresh.c == c { // still being sent for the first time
		end = min(end, r.fresh.next)
	}
	for ; q.next < end; q.next++ {
		if q.set.Contains(q.next) {
			r.sendFragment(c, q.next, fragmentOnly, now)
			r.reported().Resent(q.sn, q.next)
			q.next++
			r.w.p.stats.FragmentsResent++
			return true
		}
	}
	return false
}

// request queues the fragments of a NACK_FRAG for an available sample. It supersedes those of earlier datagrams.
func (r *readerProxy) request(c *history.Change, set wire.FragmentNumberSet, now time.Time) {
	sent := c.Fragments(r.variant)
	if r.fresh.c == c {
		sent = r.fresh.next - 1
	}
	losses := r.reported()
	if losses.Begin(c.SN, sent, now) {
		before := len(r.frags)
		r.frags = slices.DeleteFunc(r.frags, func(q fragmentRequest) bool { return q.sn == c.SN })
		if len(r.frags) < before {
			losses.Supersede()
		}
	}
	from := losses.Add(set)
	if len(r.frags) >= maxFragmentRequests {
		r.w.p.drop(DropRequest)
		return
	}
	r.frags = append(r.frags, fragmentRequest{sn: c.SN, set: set, next: from})
}

// reported returns the losses of large samples that the reader has reported.
func (r *readerProxy) reported() *send.Losses {
	if r.losses == nil {
		r.losses = &send.Losses{}
	}
	return r.losses
}

// keepTimeout is how long a large sample that newer ones have replaced is kept for a reader that requests nothing.
const keepTimeout = time.Second

// keep retains a large sample that was sent completely until the reader has acknowledged it, even if newer samples
// replace it in a keep-last history: if each were dropped for the next one, none would arrive completely over a link
// that loses fragments.
func (r *readerProxy) keep(c *history.Change, now time.Time) {
	r.discard()
	r.kept, r.keptAt, r.ackRequested = c.Use(), now, false
}

// discard releases the kept sample.
func (r *readerProxy) discard() {
	if r.kept != nil {
		r.w.hist.Release(r.kept)
		r.kept = nil
	}
}

// awaitsKept reports whether newer samples wait because the reader has not yet acknowledged a large sample that they
// have replaced in the history.
func (r *readerProxy) awaitsKept() bool { return r.kept != nil && r.w.hist.Get(r.kept.SN) == nil }

// requestKeptAck requests the acknowledgment of a large sample that newer ones wait for. It does so once; later
// requests are periodic heartbeats.
func (r *readerProxy) requestKeptAck(now alarm.Instant) {
	if r.awaitsKept() && !r.ackRequested {
		r.ackRequested = true
		r.sendHeartbeat(false, now)
	}
}

// releaseKept discards a kept sample that the reader has acknowledged or no longer requests, and sends the next one.
func (r *readerProxy) releaseKept(now time.Time) {
	if r.kept == nil || r.acked < r.kept.SN && now.Sub(r.keptAt) < keepTimeout {
		return
	}
	r.discard()
	if r.next < r.w.hist.Next() {
		r.w.p.bulk.add(r)
		r.w.p.bulk.transmit(now)
	}
}

// change returns a sample that the reader may request, from the history or from those being sent to it, or nil.
func (r *readerProxy) change(sn wire.SequenceNumber) *history.Change {
	for _, c := range [...]*history.Change{r.fresh.c, r.kept} {
		if c != nil && c.SN == sn {
			return c
		}
	}
	return r.w.hist.Get(sn)
}

// firstHeld returns the first number for a HEARTBEAT. It is the same for all readers of a Cyclone DDS participant (see
// shareBase).
func (r *readerProxy) firstHeld() wire.SequenceNumber {
	first := max(r.w.hist.First(), r.base)
	for _, e := range r.w.readers {
		if e != r && (e.remote != r.remote || vendorOf(&r.guid, r.remote) != wire.VendorCyclone) {
			continue
		}
		for _, c := range [...]*history.Change{e.fresh.c, e.kept} {
			if c != nil {
				first = min(first, c.SN)
			}
		}
	}
	return min(first, r.next)
}
