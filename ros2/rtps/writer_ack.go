// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// onAckNack handles a reader's acknowledgments and requests (DDSI-RTPS 8.4.9.3, transitions T8 and T10).
func (w *Writer) onAckNack(r *readerProxy, m *wire.AckNack, now time.Time) {
	if !r.needsAck() {
		return
	}
	if !r.ackCount.Accept(m.Count, now) {
		w.p.drop(DropStaleCount)
		return
	}
	if r.lostState(m) {
		r.restart()
	}
	held, first := r.windowFull(), !r.answered
	if first {
		w.onFirstAckNack(r, m, now)
	}
	r.verified = r.verified || !m.Preemptive()
	if acked := max(min(m.State.Base, r.next), r.base) - 1; acked != r.acked {
		r.acked = acked
		if acked > r.resentSN { // what was resent may have been sent by reference, and not found
			r.remote.shared.unreadable = 0
		}
		w.hbTries = 0
		if w.guid.Entity.IsBuiltin() && acked == w.hist.Next()-1 {
			w.p.announcementsAcknowledged(w, r.remote, now)
		}
	}
	r.releaseKept(now)
	if held {
		r.refill(now)
	}
	if r.queued {
		w.p.bulk.transmit(now)
	}
	if !m.State.Empty() {
		w.onRequest(now)
		r.wanted, r.wantedAt = m.State, m.State.Base
		w.p.bulk.add(r)
		w.p.bulk.transmit(now)
		return
	}
	if !m.Final && !first {
		r.sendHeartbeat(true, w.p.alarms.Instant(now))
	}
	if r.unacked() { // it responds, and a datagram with its requests may have been lost
		w.onRequest(now)
	} else if !slices.ContainsFunc(w.readers, (*readerProxy).unacked) {
		w.p.alarms.Cancel(&w.heartbeat)
	}
}

// onFirstAckNack handles an ACKNACK of a reader that has not answered a heartbeat yet. A pre-emptive ACKNACK does not
// count as an answer: the reader has not received a heartbeat, and the first that arrives determines where it starts
// (see windowFull). A sample sent now would be lost if its own heartbeat arrived before the others, which may be lost
// or late. So the answer is requested again.
func (w *Writer) onFirstAckNack(r *readerProxy, m *wire.AckNack, now time.Time) {
	if r.answered = !m.Preemptive(); r.answered {
		return
	}
	w.onRequest(now)
	r.sendHeartbeat(false, w.p.alarms.Instant(now))
	r.assumeAnswered(now)
}

// onNackFrag handles a reader's request for fragments of a sample (8.3.7.11).
func (w *Writer) onNackFrag(r *readerProxy, m *wire.NackFrag, now time.Time) {
	if !r.needsAck() {
		return
	}
	if !r.nackCount.Accept(m.Count, now) {
		w.p.drop(DropStaleCount)
		return
	}
	w.onRequest(now)
	if m.SN >= r.next && (r.fresh.c == nil || r.fresh.c.SN != m.SN) {
		return // not sent yet
	}
	c := r.change(m.SN)
	if m.SN < r.base || !w.relevant(c, r, now) {
		r.sendGap(m.SN, m.SN)
		r.sendHeartbeat(true, w.p.alarms.Instant(now))
		return
	}
	r.keptAt = now
	if r.resending.c != nil && r.resending.c.SN == m.SN {
		return
	}
	r.request(c, m.State, now)
	w.p.bulk.add(r)
	w.p.bulk.transmit(now)
}

// onRequest resets the back-off of the heartbeats: a reader that requests or lacks samples responds, and the HEARTBEAT
// after the retransmission may be lost, too.
func (w *Writer) onRequest(now time.Time) {
	w.hbTries = 0
	w.p.alarms.SetEarlier(&w.heartbeat, now.Add(heartbeatPeriod))
}
