// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/send"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// bulkQueue holds the readers with pending large samples or retransmissions, which are sent at the participant's rate.
// Guarded by Participant.mu.
type bulkQueue struct {
	tx       *send.Sender
	alarms   *alarm.Queue
	readers  []*readerProxy // the next one first
	pace     alarm.Alarm
	retry    alarm.Alarm // set while the outbox holds datagrams the socket did not accept
	deferred uint64      // how often retransmissions waited for their share of the rate
}

// begin sets the functions of the alarms.
func (q *bulkQueue) begin(tx *send.Sender, alarms *alarm.Queue) {
	q.tx, q.alarms = tx, alarms
	q.pace.Fire, q.retry.Fire = q.transmit, q.retrySend
}

// add appends a reader.
func (q *bulkQueue) add(r *readerProxy) {
	if !r.queued {
		r.queued = true
		q.readers = append(q.readers, r)
	}
}

// remove removes it.
func (q *bulkQueue) remove(r *readerProxy) {
	if r.queued {
		r.queued = false
		q.readers = slices.DeleteFunc(q.readers, func(e *readerProxy) bool { return e == r })
	}
}

// transmit sends bulk data, one datagram per reader in turn, while there are tokens and the socket accepts it, and sets the
// alarm for the rest.
func (q *bulkQueue) transmit(now time.Time) {
	q.tx.Refill(now)
	idle := 0 // readers in a row that had to wait
	// share means that a reader waits for its share of retransmissions. One that waits for the socket needs no alarm:
	// the retry calls transmit again.
	share := false
	wait := time.Duration(0) // until the rate of a participant allows the next datagram
	for len(q.readers) > 0 && idle < len(q.readers) {
		if !q.tx.Ready() {
			q.alarms.SetEarlier(&q.pace, now.Add(q.tx.Wait()))
			return
		}
		r := q.readers[0]
		copy(q.readers, q.readers[1:])
		q.readers[len(q.readers)-1] = r
		r.remote.rate.Refill(now)
		switch {
		case q.tx.Stalled(r.dest):
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
			q.readers = q.readers[:len(q.readers)-1]
		}
	}
	if share && len(q.readers) > 0 {
		q.deferred++
		q.alarms.SetEarlier(&q.pace, now.Add(heartbeatPeriod/10))
	}
	if wait > 0 {
		q.alarms.SetEarlier(&q.pace, now.Add(wait))
	}
}

// retrySend sends the datagrams that did not fit into the socket buffer, then the bulk data queued after them.
func (q *bulkQueue) retrySend(now time.Time) {
	q.tx.Drain()
	q.transmit(now)
}

// waiting reports whether data for the reader is pending.
func (r *readerProxy) waiting() bool {
	return r.repairing() || r.fresh.c != nil || r.next < r.w.hist.Next() && !r.windowFull() && !r.awaitsKept()
}

// step sends one datagram, which counts towards the rate of the reader's participant. It reports whether there was one
// that may be sent.
func (r *readerProxy) step(now time.Time) bool {
	if r.losses != nil {
		r.losses.Judge(&r.remote.rate, now)
	}
	before := r.w.p.tx.Total()
	sent := r.stepPiece(before, now)
	r.remote.rate.Spend(int(r.w.p.tx.Total() - before))
	return sent
}

// stepPiece sends one datagram: retransmissions first, within the participant's share, then new data.
func (r *readerProxy) stepPiece(before uint64, now time.Time) bool {
	r.remote.repair.Refill(now)
	if r.remote.repair.Ready() && r.stepRepair(now) {
		if !r.repairing() { // so that the reader requests at once what is still missing
			r.sendHeartbeat(false, r.w.p.alarms.Instant(now))
		}
		r.remote.repair.Spend(max(int(r.w.p.tx.Total()-before), 64))
		return true
	}
	return r.stepFresh(now)
}

// stepFresh sends the next datagram of new data.
func (r *readerProxy) stepFresh(now time.Time) bool {
	if r.fresh.c != nil {
		r.stepTransfer(&r.fresh, now)
		return true
	}
	if r.awaitsKept() {
		return false
	}
	h := &r.w.hist
	r.next = max(r.next, h.First()) // samples overwritten meanwhile are lost
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
	if isLost(c) {
		r.abandon(t)
		return
	}
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
	case t == &r.resending:
		r.w.p.stats.FragmentsResent++
	case r.needsAck():
		r.reported().Sent(c.SN, t.next, now)
	}
	if t.next++; last {
		t.c = nil
		switch {
		case t == &r.resending:
			r.resentSN, r.resentAt = c.SN, now
		case r.needsAck() && r.w.cfg.QoS.History == wire.KeepLast:
			r.keep(c, now)
		}
		r.w.hist.Release(c)
	}
}

// abandon ends the transfer of a change that is lost, before or while it is sent: a reliable reader is sent a GAP
// instead.
func (r *readerProxy) abandon(t *transfer) {
	c := t.c
	t.c = nil
	if t == &r.fresh {
		r.next = c.SN + 1
	}
	if r.reliable {
		r.sendGap(c.SN, c.SN)
	}
	r.w.hist.Release(c)
}

// stop ends all transfers to the reader.
func (r *readerProxy) stop() {
	for _, t := range []*transfer{&r.fresh, &r.resending} {
		if t.c != nil {
			r.w.hist.Release(t.c)
			t.c = nil
		}
	}
	r.discard()
	r.frags = nil
	r.w.p.bulk.remove(r)
}
