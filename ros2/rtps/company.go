// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// company is what the writers of a participant write to one other. Where some write all the time, those that write
// seldom need not ask for an acknowledgment of each sample, which wakes both machines up: the next datagram to the peer
// carries a HEARTBEAT of theirs, which shows a loss sooner than the question would, and once in askPeriod one that asks
// for all of them together. If no datagram follows, their alarm asks as that of a writer that is alone.
type company struct {
	wroteAt     alarm.Instant
	gap, before time.Duration // between the last two writes, and the two before
	askFrom     alarm.Instant // when all were asked last
	riders      []*readerProxy
}

// busy reports whether something is written to the peer all the time; a control cycle may be late once.
func (c *company) busy(now alarm.Instant) bool {
	return max(c.gap, c.before, now.Sub(c.wroteAt)) < rhythmPeriod
}

// meet notes that something is written to the reader's participant, and has the heartbeats of others ride along.
func (w *Writer) meet(r *readerProxy, now alarm.Instant) {
	c := &r.remote.company
	if w.builtin || now == c.wroteAt {
		return
	}
	c.before, c.gap, c.wroteAt = c.gap, now.Sub(c.wroteAt), now
	if w.p.askFrom > c.askFrom {
		c.askFrom = now
	}
	c.riders = slices.DeleteFunc(c.riders, func(l *readerProxy) bool {
		if l != r && l.dest == r.dest && l.unacked() {
			l.ride(now)
		}
		if l.unacked() && l.hbAt < now {
			return false
		}
		l.rides = false
		return true
	})
}

// ride sends a heartbeat with what is written to the reader's participant: one that asks if it is time, else one that
// shows what there is. The writer need not ask by itself for a while then.
func (r *readerProxy) ride(now alarm.Instant) {
	c := &r.remote.company
	if now == c.askFrom {
		r.sendHeartbeat(false, now)
		r.w.p.alarms.SetEarlierAt(&r.w.heartbeat, now.Add(heartbeatPeriod))
		return
	}
	if r.shown {
		return
	}
	r.sendHeartbeat(true, now)
	r.shown = true
	if !slices.ContainsFunc(r.w.readers, func(e *readerProxy) bool { return e.unacked() && !e.shown }) {
		r.w.p.alarms.SetAt(&r.w.heartbeat, c.askFrom.Add(askPeriod+2*heartbeatPeriod))
	}
}

// asks reports whether the heartbeat of a sample sent to the reader just now asks for an acknowledgment.
func (r *readerProxy) asks(now alarm.Instant) bool {
	w, c := r.w, &r.remote.company
	r.shown = false
	if w.builtin || !r.greeted || w.cfg.QoS.History == wire.KeepAll || !c.busy(now) {
		return w.asks || r.windowFills() || r.hbAt < w.p.askFrom
	}
	if w.longer < heartbeatPeriod { // its own next sample follows soon
		return r.hbAt < w.p.askFrom
	}
	if !r.rides {
		r.rides = true
		c.riders = append(c.riders, r)
	}
	return now == c.askFrom
}

// getOff takes a reader that goes off the list of those whose heartbeats ride along.
func (r *readerProxy) getOff() {
	if r.rides {
		c := &r.remote.company
		c.riders = slices.DeleteFunc(c.riders, func(l *readerProxy) bool { return l == r })
	}
}
