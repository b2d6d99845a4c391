// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// onAckNack takes what a reader has and lacks (DDSI-RTPS 8.4.9.3, transitions T8 and T10).
func (w *Writer) onAckNack(r *readerProxy, m *wire.AckNack, now time.Time) {
	if !r.needsAck() {
		return
	}
	if !r.ackCount.accept(m.Count) {
		w.p.drop(DropStaleCount)
		return
	}
	held, first := r.windowFull(), !r.greeted
	if first {
		r.greeted = true
		r.sendHeartbeat(false, w.p.alarms.Instant(now)) // before the first sample
	}
	if acked := min(m.State.Base, r.next) - 1; acked > r.acked {
		r.acked = acked
		w.hbTries = 0
	}
	if held {
		r.refill(now)
	}
	if r.queued {
		w.p.pump(now)
	}
	if !m.State.Empty() {
		r.wanted, r.wantedAt = m.State, m.State.Base
		w.p.queueBulk(r)
		w.p.pump(now)
		return
	}
	if !m.Final && !first {
		r.sendHeartbeat(true, w.p.alarms.Instant(now))
	}
	if r.unacked() {
		w.p.alarms.SetEarlier(&w.heartbeat, now.Add(heartbeatPeriod))
	} else if !slices.ContainsFunc(w.readers, (*readerProxy).unacked) {
		w.p.alarms.Cancel(&w.heartbeat)
	}
}

// onNackFrag takes which fragments of a sample a reader lacks (8.3.7.11).
func (w *Writer) onNackFrag(r *readerProxy, m *wire.NackFrag, now time.Time) {
	if !r.needsAck() {
		return
	}
	if !r.nackCount.accept(m.Count) {
		w.p.drop(DropStaleCount)
		return
	}
	if m.SN >= r.next && (r.fresh.c == nil || r.fresh.c.SN != m.SN) {
		return // not yet sent at all
	}
	if m.SN < r.base || !w.relevant(w.hist.Get(m.SN), r, now) {
		r.sendGap(m.SN, m.SN)
		r.sendHeartbeat(true, w.p.alarms.Instant(now))
		return
	}
	if r.again.c != nil && r.again.c.SN == m.SN {
		return
	}
	q := fragmentRequest{sn: m.SN, set: m.State, next: m.State.Base}
	for i := range r.frags {
		if r.frags[i].sn == q.sn && r.frags[i].set.Base == q.set.Base {
			r.frags[i] = q
			return
		}
	}
	if len(r.frags) < maxFragmentRequests {
		r.frags = append(r.frags, q)
	} else {
		w.p.drop(DropRequest)
	}
	w.p.queueBulk(r)
	w.p.pump(now)
}
