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
	heartbeatTries  = 5                      // at the first period, which doubles then, when a reader does not answer,
	heartbeatLong   = 800 * time.Millisecond // up to this: the answers may be lost
	heartbeatRare   = 20                     // tries, after which the reader is probably gone, and
	heartbeatSlow   = 3 * time.Second        // the period is this until its lease ends

	// ackRequestPeriod is how often a busy writer requests acknowledgments with its samples. Losses are detected
	// earlier, since a reader answers any HEARTBEAT that announces a sample it lacks. All writers of a participant
	// request at the same time, so that samples written together are acknowledged together.
	ackRequestPeriod = time.Second

	// rhythmPeriod is the longest period of a writer for which the same applies: its next sample follows soon and
	// reveals losses, so each sample need not be acknowledged, which would wake up both machines.
	rhythmPeriod = 250 * time.Millisecond

	// sendWindow is how many samples of a keep-all writer may be unacknowledged by a reader: as many datagrams as a
	// default Linux socket buffer certainly holds. Keep-last writers need none, since what overflows is soon
	// overwritten anyway.
	sendWindow = 48
)

// sendFresh sends the change just written to every matched reader.
func (w *Writer) sendFresh(c *history.Change, now alarm.Instant) {
	w.scheduleAckRequest(w.sendToAll(c, now))
}

// sendToAll sends the change to every matched reader: at once if it is small and nothing is queued before it, else
// paced. It returns when to request an acknowledgment, or zero.
func (w *Writer) sendToAll(c *history.Change, now alarm.Instant) (ask alarm.Instant) {
	waiting := false
	wait := w.recordPeriod(now)
	w.awaitsFirstAck = false
	if now.Sub(w.p.ackRequestedAt) >= ackRequestPeriod {
		w.p.ackRequestedAt = now
	}
	for i, r := range w.readers {
		switch {
		case r.next > c.SN: // matched while the change was held
		case r.local != nil:
			r.deliverLocal(c, c.At)
		case r.windowFull():
			if r.answered {
				w.p.tx.Expedite()
			}
		case r.next < c.SN || r.fresh.c != nil || r.large(c):
			r.requestKeptAck(now)
			w.p.bulk.add(r)
		default:
			w.sendSmall(i, c, now)
			r.next = c.SN + 1
		}
		waiting = waiting || r.needsAck()
		w.awaitsFirstAck = w.awaitsFirstAck || r.needsAck() && (!r.answered || r.awaitsKept())
	}
	if len(w.p.bulk.readers) > 0 {
		w.p.bulk.transmit(c.At)
	}
	if waiting {
		w.hbTries = 0
		ask = now.Add(wait)
	}
	return ask
}

// scheduleAckRequest sets the heartbeat alarm that requests an acknowledgment, unless ask is zero. Samples of a busy
// writer postpone it, because they carry the request; but not while a reader that gets no samples yet must answer
// first.
func (w *Writer) scheduleAckRequest(ask alarm.Instant) {
	switch {
	case ask == 0 || w.closed:
	case w.awaitsFirstAck:
		w.p.alarms.SetEarlierAt(&w.heartbeat, ask)
	default:
		w.p.alarms.SetAt(&w.heartbeat, ask)
	}
}

// recordPeriod records a write, decides whether it requests an acknowledgment from every reader, and returns how long
// to wait for the next write before a heartbeat requests it.
func (w *Writer) recordPeriod(now alarm.Instant) (wait time.Duration) {
	gap := now.Sub(w.wroteAt)
	longer := max(gap, w.gap)
	w.wroteAt, w.gap, w.longer = now, gap, longer
	unanswered := func(r *readerProxy) bool { return r.needsAck() && !r.answered } // must answer first
	w.requestsAck = gap >= heartbeatPeriod && (longer >= rhythmPeriod || slices.ContainsFunc(w.readers, unanswered))
	if w.requestsAck || longer < heartbeatPeriod || longer >= rhythmPeriod {
		return heartbeatPeriod
	}
	return longer + longer/2
}

// sendSmall sends a change that fits a datagram to reader number i. Readers of one participant share the DATA,
// addressed to all of them. A HEARTBEAT is piggybacked; it requests an acknowledgment only now and then, but each one
// reveals losses to the reader.
func (w *Writer) sendSmall(i int, c *history.Change, now alarm.Instant) {
	r := w.readers[i]
	w.recordWrite(r, now)
	relevant := r.concerns(c) // a new change is not expired
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
	r.sendHeartbeat(!r.requestsAck(now), now)
}

// windowFull reports whether the reader must acknowledge before it is sent more. A new reader must first answer a
// heartbeat: a volatile reader of Cyclone DDS starts after the last sample announced by the first heartbeat that it
// receives, and would miss samples sent before. Samples in shared memory must be read before they are overwritten.
func (r *readerProxy) windowFull() bool {
	return r.needsAck() && (!r.answered || r.w.cfg.QoS.History == wire.KeepAll && r.next-r.acked > sendWindow ||
		r.sharedUnacked() > int64(r.w.p.cfg.SharedMemory/2))
}

// windowFills reports whether to request an acknowledgment: four times per window, so that the writer need not wait.
func (r *readerProxy) windowFills() bool {
	quarter := wire.SequenceNumber(max(min(sendWindow, r.w.hist.Limit())/4, 1))
	return r.w.cfg.QoS.History == wire.KeepAll && r.next-r.acked > quarter && r.next%quarter == 0
}

// refill sends the samples that waited for the window, after an acknowledgment.
func (r *readerProxy) refill(now time.Time) {
	h := &r.w.hist
	r.skipOverwritten()
	r.w.p.tx.Expedite()
	for first := r.next; r.next < h.Next() && !r.windowFull(); {
		c := h.Get(r.next)
		if r.next-first >= sendWindow || r.fresh.c != nil || r.w.relevant(c, r, now) && r.large(c) {
			r.w.p.bulk.add(r)
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

// skipOverwritten skips samples that keep-last dropped while the reader waited, and sends a GAP for them: Fast DDS
// reports a number that no HEARTBEAT announces any more as a lost sample, which "ros2 topic echo" prints at each start,
// but not a number in a GAP. Cyclone DDS gets no GAP, as it would apply it to all its readers (see shareBase).
func (r *readerProxy) skipOverwritten() {
	first := r.w.hist.First()
	if r.next >= first {
		return
	}
	if r.reliable && vendorOf(&r.guid, r.remote) != wire.VendorCyclone {
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

// deliverLocal delivers a change to a reader of this participant.
func (r *readerProxy) deliverLocal(c *history.Change, now time.Time) {
	r.next = c.SN + 1
	if !r.w.relevant(c, r, now) {
		return
	}
	p := r.w.p
	r.local.deadline.sample(p, now)
	buf := p.calls.copyBuffer(c.Payload(r.variant))
	s := Sample{
		Payload: *buf, Kind: c.Kind, Status: c.Status(), Key: c.Instance(),
		Writer: r.w.guid, SN: c.SN, SourceTime: c.At, Vendor: wire.VendorOwn, Related: c.Related(),
		Received: now,
	}
	p.enqueueSample(r.local, &s, buf)
}

// maxUnanswered is the number of unanswered heartbeats after which a reader gets samples anyway: an implementation that
// does not acknowledge an empty HEARTBEAT (Foxglove's) would otherwise get none.
const maxUnanswered = 5

// assumeAnswered treats a reader that has not answered maxUnanswered heartbeats as if it had. Cyclone DDS is excepted:
// it answers each heartbeat that requests it, so a reader that has not answered may not have received any. The samples of
// discovery are only announced, and sent when the reader requests them: an announcement with a forged address would
// otherwise draw all of them there.
func (r *readerProxy) assumeAnswered(now time.Time) {
	if r.answered {
		return
	}
	r.unanswered++
	switch {
	case vendorOf(&r.guid, r.remote) == wire.VendorCyclone:
	case r.unanswered >= maxUnanswered && r.w.guid.Entity.IsBuiltin():
		r.next = r.w.hist.Next() // so the next heartbeat is not empty
	case r.unanswered >= maxUnanswered:
		r.answered = true
		r.refill(now)
		if r.queued {
			r.w.p.bulk.transmit(now)
		}
	}
}

// onHeartbeatTimer requests acknowledgments from the readers that have not acknowledged everything, repeatedly while
// there are any.
func (w *Writer) onHeartbeatTimer(now time.Time) {
	waiting, asks := false, false
	for _, r := range w.readers {
		if !r.unacked() {
			continue
		}
		waiting = true
		r.releaseKept(now)
		if r.fresh.c != nil || r.resending.c != nil {
			continue // the last fragment carries a heartbeat itself
		}
		asks = true
		if r.verified || r.remote.ShouldRetryDiscovery(int(w.hbTries), r.unanswered, w.p.alarms.Time(r.hbAt)) {
			r.sendHeartbeat(false, w.p.alarms.Instant(now))
			r.assumeAnswered(now)
		}
	}
	if !waiting {
		return
	}
	if asks { // otherwise a slow transmission would count as readers that do not answer
		w.hbTries++
	}
	w.p.alarms.Set(&w.heartbeat, now.Add(heartbeatDelay(int(w.hbTries))))
}

// heartbeatDelay returns the time to the next heartbeat after so many without progress.
func heartbeatDelay(tries int) time.Duration {
	if tries >= heartbeatRare {
		return heartbeatSlow
	}
	return min(heartbeatPeriod<<min(max(tries-heartbeatTries, 0), 5), heartbeatLong)
}
