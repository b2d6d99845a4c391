// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// piggyback tracks the datagrams of all local writers to one remote participant, to piggyback HEARTBEATs on them. If
// some writers send continuously, those that write rarely do not request an acknowledgment of each sample, which would
// wake up both machines: the next datagram to the peer carries their HEARTBEAT, which reveals a loss sooner than a
// separate request would, and once every ackRequestPeriod it requests an acknowledgment for all of them together. If no
// datagram follows, their heartbeat alarm sends the request, as for a single writer.
type piggyback struct {
	wroteAt        alarm.Instant
	gap, before    time.Duration  // between the last two writes, and between the two before
	ackRequestedAt alarm.Instant  // when an acknowledgment was last requested from all
	readers        []*readerProxy // whose heartbeats are to be piggybacked
}

// busy reports whether something is written to the peer at least every rhythmPeriod; one late control cycle is
// tolerated.
func (c *piggyback) busy(now alarm.Instant) bool {
	return max(c.gap, c.before, now.Sub(c.wroteAt)) < rhythmPeriod
}

// recordWrite records a write to the reader's participant and piggybacks the heartbeats of the other writers on it.
func (w *Writer) recordWrite(r *readerProxy, now alarm.Instant) {
	c := &r.remote.piggyback
	if w.guid.Entity.IsBuiltin() || now == c.wroteAt {
		return
	}
	c.before, c.gap, c.wroteAt = c.gap, now.Sub(c.wroteAt), now
	if w.p.ackRequestedAt > c.ackRequestedAt {
		c.ackRequestedAt = now
	}
	c.readers = slices.DeleteFunc(c.readers, func(l *readerProxy) bool {
		if l != r && l.dest == r.dest && l.unacked() {
			l.sendPiggybacked(now)
		}
		if l.unacked() && l.hbAt < now {
			return false
		}
		l.piggybacked = false
		return true
	})
}

// sendPiggybacked sends a piggybacked heartbeat: one that requests an acknowledgment if that is due, else a final one
// that only announces the available samples. It postpones the writer's own heartbeat.
func (r *readerProxy) sendPiggybacked(now alarm.Instant) {
	c := &r.remote.piggyback
	if now == c.ackRequestedAt {
		r.sendHeartbeat(false, now)
		r.w.p.alarms.SetEarlierAt(&r.w.heartbeat, now.Add(heartbeatPeriod))
		return
	}
	if r.hbSeparate {
		return
	}
	r.sendHeartbeat(true, now)
	r.hbSeparate = true
	if !slices.ContainsFunc(r.w.readers, func(e *readerProxy) bool { return e.unacked() && !e.hbSeparate }) {
		r.w.p.alarms.SetAt(&r.w.heartbeat, c.ackRequestedAt.Add(ackRequestPeriod+2*heartbeatPeriod))
	}
}

// requestsAck reports whether the heartbeat sent with a sample to the reader requests an acknowledgment.
func (r *readerProxy) requestsAck(now alarm.Instant) bool {
	w, c := r.w, &r.remote.piggyback
	r.hbSeparate = false
	if r.sharedUnacked() > int64(w.p.cfg.SharedMemory/8) {
		return true
	}
	if w.guid.Entity.IsBuiltin() || !r.answered || w.cfg.QoS.History == wire.KeepAll || !c.busy(now) {
		return w.requestsAck || r.windowFills() || r.hbAt < w.p.ackRequestedAt
	}
	if w.longer < heartbeatPeriod { // its next sample follows soon
		return r.hbAt < w.p.ackRequestedAt
	}
	if !r.piggybacked {
		r.piggybacked = true
		c.readers = append(c.readers, r)
	}
	return now == c.ackRequestedAt
}

// stopPiggybacking removes a reader from the list of those with piggybacked heartbeats.
func (r *readerProxy) stopPiggybacking() {
	if r.piggybacked {
		c := &r.remote.piggyback
		c.readers = slices.DeleteFunc(c.readers, func(l *readerProxy) bool { return l == r })
	}
}
