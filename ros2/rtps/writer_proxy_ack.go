// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/reassembly"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// onHeartbeat handles a HEARTBEAT: which samples the writer has (DDSI-RTPS 8.4.12.2).
func (w *writerProxy) onHeartbeat(m *wire.Heartbeat, now time.Time) {
	if !w.reliable {
		return
	}
	if !w.hbCount.Accept(m.Count, now) {
		w.r.p.drop(DropStaleCount)
		return
	}
	compareKeys(w)
	begins := !w.synced
	if begins {
		w.sync(m)
	} else {
		w.compare(m, now)
	}
	w.moveTo(m.First)
	w.announced = max(w.announced, m.Last)
	w.ackTries = 0
	switch {
	case w.closed:
	case begins && w.next <= w.announced && len(w.held) == 0 && !w.fragments: // requests what was before the match
		w.ackMust = w.ackMust || !m.Final
		w.r.p.alarms.SetEarlier(&w.ack, now)
	case w.next <= w.announced: // the missing samples may just be late
		w.ackMust = w.ackMust || !m.Final
		w.answerSoon(now)
	default:
		if !m.Final || w.ackMust { // the writer may wait for the answer
			w.sendAckNack(&wire.AckNack{State: wire.SequenceNumberSet{Base: w.next}, Final: true})
		}
		w.ackMust = false
		if !w.fragments {
			w.r.p.alarms.Cancel(&w.ack) // also for pre-emptive ACKNACKs
		}
	}
}

// sync sets the reader's start position at the first heartbeat: the first available sample for a transient-local
// reader. A volatile one starts after the existing samples, which a transient-local writer would otherwise send to it,
// too, except for those already received. A volatile writer has only samples written since the match or unacknowledged
// by other readers. One that did not notice that this reader's match ended has older samples, too: the reader then
// resumes at its saved position.
func (w *writerProxy) sync(m *wire.Heartbeat) {
	w.synced = true
	begin := m.First
	if w.volatile() && w.data.QoS.Durability > wire.Volatile {
		begin = m.Last + 1
		if len(w.held) > 0 {
			begin = min(begin, w.held[0].sn)
		}
		if parts := w.asm.All(); len(parts) > 0 {
			begin = min(begin, parts[0].SN)
		}
	}
	if w.resume <= m.Last+1 || w.sameKey { // else another writer reuses the GUID
		begin = max(begin, w.resume)
	}
	w.next = max(w.next, begin)
	w.delivered = w.next - 1
	for len(w.held) > 0 && w.held[0].sn < w.next { // older than all that the writer has: nothing precedes it
		w.deliverHeld()
	}
	w.advance()
}

// onGap handles a GAP: which samples are irrelevant (8.4.12.3).
func (w *writerProxy) onGap(m *wire.Gap, now time.Time) {
	if !w.reliable {
		return
	}
	for first, last := range m.Intervals {
		if last >= w.next {
			if !w.gaps.Add(max(first, w.next), last) {
				w.r.p.drop(DropGap)
			}
		}
	}
	w.advance()
	if w.synced && w.next <= w.announced {
		w.answerSoon(now)
	}
}

// answerSoon sets the alarm for an ACKNACK, unless the message ended the match.
func (w *writerProxy) answerSoon(now time.Time) {
	if !w.closed {
		w.r.p.alarms.SetEarlier(&w.ack, now.Add(ackDelay))
	}
}

// onAckTimer answers heartbeats, requests the first one again, or repeats a request for data.
func (w *writerProxy) onAckTimer(now time.Time) {
	if !w.synced {
		if w.remote.ShouldRetryDiscovery(w.ackTries, w.ackTries, w.preemptiveAt) {
			w.sendAckNack(&wire.AckNack{State: wire.SequenceNumberSet{Base: w.preemptiveBase()}})
			w.preemptiveAt = now
		}
		w.ackTries++
		w.r.p.alarms.Set(&w.ack, now.Add(min(preemptivePeriod<<min(w.ackTries, 5), preemptivePeriodMax)))
		return
	}
	if w.next > w.announced {
		if w.ackMust {
			w.sendAckNack(&wire.AckNack{State: wire.SequenceNumberSet{Base: w.next}, Final: true})
		}
		w.ackMust = false
		w.requestAnnounced()
		return
	}
	if wait := nackSpacing - now.Sub(w.askedAt); wait > 0 {
		w.r.p.alarms.Set(&w.ack, now.Add(wait))
		return
	}
	w.request(now)
	w.requestAnnounced()
	w.ackMust = false
	if w.ackTries++; w.ackTries < maxNackTries {
		w.r.p.alarms.Set(&w.ack, now.Add(preemptivePeriod<<w.ackTries))
	}
}

// preemptiveBase returns the base of a pre-emptive ACKNACK: 1, but 0 for Fast DDS, which answers 0 at once and others
// with its next periodic heartbeat, after up to 3 s. Cyclone DDS rejects 0.
func (w *writerProxy) preemptiveBase() wire.SequenceNumber {
	if vendorOf(&w.guid, w.remote) == wire.VendorEProsima {
		return 0
	}
	return 1
}

// request requests what is missing: whole samples in the ACKNACK, fragments of incomplete ones in NACK_FRAGs
// (8.3.7.11).
func (w *writerProxy) request(now time.Time) {
	set := wire.SequenceNumberSet{Base: w.next}
	end := min(w.announced, w.next+wire.MaxSetBits-1)
	space := wire.MaxSetBits
	if n := len(w.asm.All()); n > 0 { // the writer sends large samples: request no more than can be assembled
		space = max(reassembly.MaxRepairing-n, 1)
	}
	held := w.held
	for sn := w.next; sn <= end && space > 0; sn++ { // at most 256 numbers
		for len(held) > 0 && held[0].sn < sn {
			held = held[1:]
		}
		if len(held) > 0 && held[0].sn == sn {
			continue
		}
		if gap, ok := w.gaps.Find(sn); ok {
			sn = gap.Last
			continue
		}
		if w.asm.Find(sn) == nil {
			set.Add(sn)
			space--
		}
	}
	w.sendAckNack(&wire.AckNack{State: set, Final: true})
	for _, p := range w.asm.All() {
		if p.SN <= w.announced {
			w.requestFragments(p, now)
		}
	}
	w.askedAt = now
}

// sendAckNack completes and sends an ACKNACK.
func (w *writerProxy) sendAckNack(m *wire.AckNack) {
	w.ackCount++
	m.Reader, m.Writer, m.Count = w.r.guid.Entity, w.guid.Entity, w.ackCount
	w.r.p.tx.To(w.dest, m.Size()).AckNack(m)
}
