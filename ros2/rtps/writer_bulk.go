// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// queueBulk adds a reader to those with pending large samples or retransmissions.
func (p *Participant) queueBulk(r *readerProxy) {
	if !r.queued {
		r.queued = true
		p.bulk = append(p.bulk, r)
	}
}

// unqueueBulk removes it.
func (p *Participant) unqueueBulk(r *readerProxy) {
	if r.queued {
		r.queued = false
		p.bulk = slices.DeleteFunc(p.bulk, func(e *readerProxy) bool { return e == r })
	}
}

// pump sends bulk data, one piece per reader in turn, while there are tokens and the socket accepts it, and sets the
// alarm for the rest.
func (p *Participant) pump(now time.Time) {
	p.tx.Refill(now)
	idle := 0 // readers in a row that had to wait
	// One of them waits for its share of retransmissions. One that waits for the socket needs no alarm: the retry pumps
	// again.
	share := false
	wait := time.Duration(0) // until one of them may be sent more at the rate of its participant
	for len(p.bulk) > 0 && idle < len(p.bulk) {
		if !p.tx.Ready() {
			p.alarms.SetEarlier(&p.paceAlarm, now.Add(p.tx.Wait()))
			return
		}
		r := p.bulk[0]
		copy(p.bulk, p.bulk[1:])
		p.bulk[len(p.bulk)-1] = r
		r.remote.rate.Refill(now)
		switch {
		case p.tx.Stalled(r.dest):
			idle++
		case !r.remote.rate.Ready() && r.waiting():
			idle++
			if d := r.remote.rate.Wait(); wait == 0 || d < wait {
				wait = d
			}
		case r.step(now):
			idle, share = 0, false
		case r.waiting():
			idle, share = idle+1, true
		default:
			r.queued = false
			p.bulk = p.bulk[:len(p.bulk)-1]
		}
	}
	if share && len(p.bulk) > 0 {
		p.stats.RepairsDeferred++
		p.alarms.SetEarlier(&p.paceAlarm, now.Add(heartbeatPeriod/10))
	}
	if wait > 0 {
		p.alarms.SetEarlier(&p.paceAlarm, now.Add(wait))
	}
}

// retrySend sends again what did not fit the socket buffer, then the bulk data queued after it.
func (p *Participant) retrySend(now time.Time) {
	p.tx.Drain()
	p.pump(now)
}

// waiting reports whether something is yet to be sent to the reader.
func (r *readerProxy) waiting() bool {
	return r.repairing() || r.fresh.c != nil || r.next < r.w.hist.Next() && !r.windowFull() && !r.finishes()
}

// step sends one piece, which counts towards the rate of the reader's participant. It returns false if there was
// nothing it may send.
func (r *readerProxy) step(now time.Time) bool {
	if r.losses != nil {
		r.losses.Judge(&r.remote.rate, now)
	}
	before := r.w.p.tx.Total()
	sent := r.stepPiece(before, now)
	r.remote.rate.Spend(int(r.w.p.tx.Total() - before))
	return sent
}

// stepPiece sends retransmissions first, within the participant's share, then new data.
func (r *readerProxy) stepPiece(before uint64, now time.Time) bool {
	r.remote.repair.Refill(now)
	if r.remote.repair.Ready() && r.stepRepair(now) {
		if !r.repairing() { // makes the reader request at once what is still missing
			r.sendHeartbeat(false, r.w.p.alarms.Instant(now))
		}
		r.remote.repair.Spend(max(int(r.w.p.tx.Total()-before), 64))
		return true
	}
	return r.stepFresh(now)
}

// stepFresh sends the next piece of what the reader has not been sent yet.
func (r *readerProxy) stepFresh(now time.Time) bool {
	if r.fresh.c != nil {
		r.stepTransfer(&r.fresh, now)
		return true
	}
	if r.finishes() {
		return false
	}
	h := &r.w.hist
	r.next = max(r.next, h.First()) // what was overwritten meanwhile is lost
	if r.next >= h.Next() || r.windowFull() {
		return false
	}
	c := h.Get(r.next)
	switch {
	case !r.w.relevant(c, r, now):
		r.skipIrrelevant(now)
	case r.large(c):
		r.fresh = transfer{c: c.Use(), next: 1}
		r.w.p.tx.SendOwn(r.dest)
		r.stepTransfer(&r.fresh, now)
		return true
	default:
		r.sendData(c, r.guid.Entity)
		r.next++
	}
	if r.reliable && r.next == h.Next() {
		r.sendHeartbeat(false, r.w.p.alarms.Instant(now))
	}
	return true
}

// skipIrrelevant skips a run of missing numbers and samples for other readers.
func (r *readerProxy) skipIrrelevant(now time.Time) {
	first := r.next
	for r.next < r.w.hist.Next() && !r.w.relevant(r.w.hist.Get(r.next), r, now) {
		r.next++
	}
	if r.reliable {
		r.sendGap(first, r.next-1)
	}
}

// stepTransfer sends the next fragment of a transfer; the last one carries a HEARTBEAT that covers the sample.
func (r *readerProxy) stepTransfer(t *transfer, now time.Time) {
	c := t.c
	last := t.next >= c.Fragments(r.variant)
	if last && t == &r.fresh {
		r.next = c.SN + 1
	}
	with := fragmentOnly
	switch {
	case !r.reliable || t != &r.fresh:
	case last:
		with = withHeartbeat
	case t.next%heartbeatFragEvery == 0:
		with = withHeartbeatFrag
	}
	r.sendFragment(c, t.next, with, now)
	switch {
	case t == &r.again:
		r.w.p.stats.FragmentsResent++
	case r.needsAck():
		r.reported().Sent(c.SN, t.next, now)
	}
	if t.next++; last {
		t.c = nil
		switch {
		case t == &r.again:
			r.againSN, r.againAt = c.SN, now
		case r.needsAck() && r.w.cfg.QoS.History == wire.KeepLast:
			r.keep(c, now)
		}
		r.w.hist.Release(c)
	}
}

// stop ends all transfers to the reader.
func (r *readerProxy) stop() {
	for _, t := range []*transfer{&r.fresh, &r.again} {
		if t.c != nil {
			r.w.hist.Release(t.c)
			t.c = nil
		}
	}
	r.discard()
	r.frags = nil
	r.w.p.unqueueBulk(r)
}
