// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/history"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Heartbeats of a writer with unacknowledged samples.
const (
	heartbeatPeriod = 100 * time.Millisecond
	heartbeatSlow   = 3 * time.Second // the period doubles up to this when a reader does not answer
	heartbeatTries  = 5               // at the first period

	// A busy writer asks for acknowledgments with its samples this often: losses show without, since a reader answers
	// any HEARTBEAT that names a sample it lacks. All writers of a participant ask at the same time, so that samples
	// written together are acknowledged together.
	askPeriod = time.Second

	// So does one that keeps a rhythm of less than this: its next sample comes soon and shows what is lost, so that
	// there is no need to be woken by an answer to each.
	rhythmPeriod = 250 * time.Millisecond

	// sendWindow is how many samples of a keep-all writer may be on the way to a reader: as many datagrams as a default
	// Linux socket buffer surely holds. Keep-last writers need none, since what overflows is soon overwritten anyway.
	sendWindow = 48
)

// sendFresh gives the change just written to every matched reader.
func (w *Writer) sendFresh(c *history.Change, now alarm.Instant) { w.expect(w.spread(c, now)) }

// spread does that: at once if it is small and nothing waits before it, else paced. It returns when to ask for an
// acknowledgment, zero if none is needed.
func (w *Writer) spread(c *history.Change, now alarm.Instant) (ask alarm.Instant) {
	waiting := false
	patience := w.beat(now)
	w.courts = false
	if now.Sub(w.p.askFrom) >= askPeriod {
		w.p.askFrom = now
	}
	for i, r := range w.readers {
		switch {
		case r.next > c.SN: // it came while the change was held
		case r.local != nil:
			r.deliverLocal(c, c.At)
		case r.windowFull():
			if r.greeted {
				w.p.tx.Hasten()
			}
		case r.next < c.SN || r.fresh.c != nil || r.large(c):
			r.urge(now)
			w.p.queueBulk(r)
		default:
			w.sendSmall(i, c, now)
			r.next = c.SN + 1
		}
		waiting = waiting || r.needsAck()
		w.courts = w.courts || r.needsAck() && (!r.greeted || r.finishes())
	}
	if len(w.p.bulk) > 0 {
		w.p.pump(c.At)
	}
	if waiting {
		w.hbTries = 0
		ask = now.Add(patience)
	}
	return ask
}

// expect sets the time to ask for an acknowledgment, unless it is zero: a busy writer's samples ask instead. They don't
// ask a reader that has not answered yet, for it gets none: then a write does not put the time off.
func (w *Writer) expect(ask alarm.Instant) {
	switch {
	case ask == 0 || w.closed:
	case w.courts:
		w.p.alarms.SetEarlierAt(&w.heartbeat, ask)
	default:
		w.p.alarms.SetAt(&w.heartbeat, ask)
	}
}

// beat notes a write, whether it asks every reader for an acknowledgment, and gives how long to wait for the next one
// before asking in its stead.
func (w *Writer) beat(now alarm.Instant) (patience time.Duration) {
	gap := now.Sub(w.wroteAt)
	longer := max(gap, w.gap)
	w.wroteAt, w.gap, w.longer = now, gap, longer
	stranger := func(r *readerProxy) bool { return r.needsAck() && !r.greeted } // must answer first
	w.asks = gap >= heartbeatPeriod && (longer >= rhythmPeriod || slices.ContainsFunc(w.readers, stranger))
	if w.asks || longer < heartbeatPeriod || longer >= rhythmPeriod {
		return heartbeatPeriod
	}
	return longer + longer/2
}

// sendSmall sends a change that fits a datagram to reader number i. Readers of one participant share the DATA,
// addressed to all of them. A HEARTBEAT rides along; it asks for an acknowledgment only now and then, but always lets
// the reader notice a loss.
func (w *Writer) sendSmall(i int, c *history.Change, now alarm.Instant) {
	r := w.readers[i]
	w.meet(r, now)
	relevant := r.concerns(c) // and not too old, for it is new
	switch {
	case relevant && c.Directed:
		r.sendData(c, r.guid.Entity)
	case relevant && !w.sharesDatagram(i, c):
		r.sendData(c, wire.EntityUnknown)
	case !relevant && r.reliable:
		r.sendGap(c.SN, c.SN)
	}
	if !r.reliable {
		return
	}
	r.next = c.SN + 1 // the heartbeat covers c
	r.sendHeartbeat(!r.asks(now), now)
}

// windowFull reports whether the reader must acknowledge something before it is sent more. A new one must show that it
// knows the writer: a volatile reader of Cyclone DDS begins after the last sample that the first heartbeat it sees
// names, and would miss what was sent before.
func (r *readerProxy) windowFull() bool {
	return r.needsAck() && (!r.greeted || r.w.cfg.QoS.History == wire.KeepAll && r.next-r.acked > sendWindow)
}

// windowFills reports whether it is time to ask for that: four times a window, lest the writer has to wait.
func (r *readerProxy) windowFills() bool {
	quarter := wire.SequenceNumber(max(min(sendWindow, r.w.hist.Limit())/4, 1))
	return r.w.cfg.QoS.History == wire.KeepAll && r.next-r.acked > quarter && r.next%quarter == 0
}

// refill sends what the window held back, after an acknowledgment.
func (r *readerProxy) refill(now time.Time) {
	h := &r.w.hist
	r.skipOverwritten()
	r.w.p.tx.Hasten()
	for first := r.next; r.next < h.Next() && !r.windowFull(); {
		c := h.Get(r.next)
		if r.next-first >= sendWindow || r.fresh.c != nil || r.w.relevant(c, r, now) && r.large(c) {
			r.w.p.queueBulk(r)
			return
		}
		if !r.w.relevant(c, r, now) {
			r.skipIrrelevant(now)
			continue
		}
		r.sendData(c, r.guid.Entity)
		if r.next++; r.windowFills() || r.next == h.Next() {
			r.sendHeartbeat(false, r.w.p.alarms.Instant(now))
		}
	}
}

// skipOverwritten passes over what keep-last dropped while the reader had to wait, and tells it: to Fast DDS a number
// that no HEARTBEAT offers any more is a lost sample, which "ros2 topic echo" then complains of at each start; one in a
// GAP is none. (Cyclone DDS would take the GAP for all its readers of the writer, see shareBase.)
func (r *readerProxy) skipOverwritten() {
	first := r.w.hist.First()
	if r.next >= first {
		return
	}
	if r.reliable && r.guid.Prefix.Vendor() != wire.VendorCyclone {
		r.sendGap(r.next, first-1)
	}
	r.next = first
}

// sharesDatagram reports whether an earlier reader of the same participant was just sent the same DATA.
func (w *Writer) sharesDatagram(i int, c *history.Change) bool {
	for j := i - 1; j >= 0 && w.readers[j].remote == w.readers[i].remote; j-- {
		e := w.readers[j]
		if e.dest == w.readers[i].dest && e.variant == w.readers[i].variant && e.local == nil && e.next == c.SN+1 && e.fresh.c == nil {
			return true
		}
	}
	return false
}

// deliverLocal hands a change to a reader of this participant.
func (r *readerProxy) deliverLocal(c *history.Change, now time.Time) {
	r.next = c.SN + 1
	if !r.w.relevant(c, r, now) {
		return
	}
	p := r.w.p
	r.local.deadline.sample(p, now)
	buf := p.copyBuffer(c.Payload(r.variant))
	s := Sample{
		Payload: *buf, Kind: c.Kind, Status: c.Status(), Key: c.Instance(),
		Writer: r.w.guid, SN: c.SN, SourceTime: c.At, Vendor: wire.VendorOwn, Related: c.Related(),
		Received: now,
	}
	p.enqueueSample(r.local, &s, buf)
}

// greetingPatience is how many heartbeats a reader may leave unanswered before it gets samples all the same: a stack
// that sees nothing to acknowledge in an empty HEARTBEAT (Foxglove's) would wait for ever.
const greetingPatience = 5

// presume takes a reader that does not answer for one that knows the writer.
func (r *readerProxy) presume(now time.Time) {
	if r.greeted {
		return
	}
	if r.asked++; r.asked >= greetingPatience {
		r.greeted = true
		r.refill(now)
		if r.queued {
			r.w.p.pump(now)
		}
	}
}

// onHeartbeatTimer asks the readers that have not acknowledged everything, and goes on asking while there are any.
func (w *Writer) onHeartbeatTimer(now time.Time) {
	waiting := false
	for _, r := range w.readers {
		if !r.unacked() {
			continue
		}
		waiting = true
		r.settle(now)
		// A heartbeat follows the last fragment by itself.
		if r.fresh.c == nil && r.again.c == nil && r.remote.Worthwhile(w.hbTries, w.p.alarms.Time(r.hbAt)) {
			r.sendHeartbeat(false, w.p.alarms.Instant(now))
			r.presume(now)
		}
	}
	if !waiting {
		return
	}
	w.hbTries++
	period := heartbeatPeriod << min(max(w.hbTries-heartbeatTries, 0), 5)
	w.p.alarms.Set(&w.heartbeat, now.Add(min(period, heartbeatSlow)))
}
