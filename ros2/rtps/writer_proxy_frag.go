// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/reassembly"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// unseenSample is a sample that a HEARTBEAT_FRAG announced but of which no fragment has arrived: its size is unknown.
type unseenSample struct {
	sn   wire.SequenceNumber
	upTo wire.FragmentNumber
}

// onHeartbeatFrag handles a HEARTBEAT_FRAG, which announces the fragments available while the rest is still being sent
// (DDSI-RTPS 8.3.7.6). Missing ones may just be late, so the request is delayed by ackDelay, as after a HEARTBEAT.
func (w *writerProxy) onHeartbeatFrag(m *wire.HeartbeatFrag, now time.Time) {
	if !w.reliable {
		return
	}
	if !w.hbfCount.Accept(m.Count, now) {
		w.r.p.drop(DropStaleCount)
		return
	}
	if _, gap := w.gaps.Find(m.SN); gap || !w.synced || m.SN < w.next || m.SN >= w.next+maxHeld || w.holds(m.SN) {
		return
	}
	if p := w.asm.Find(m.SN); p != nil {
		if p.Announce(m.Last) {
			return
		}
	} else {
		w.unseen = unseenSample{m.SN, m.Last}
	}
	w.fragments = true
	w.answerSoon(now)
}

// requestAnnounced requests the missing fragments that HEARTBEAT_FRAGs announced, of samples that no HEARTBEAT has
// announced yet.
func (w *writerProxy) requestAnnounced() {
	w.fragments = false
	for _, p := range w.asm.All() {
		if p.SN > w.announced {
			if upTo := p.TakeAnnounced(); upTo > 0 { // once: the HEARTBEAT that follows repeats it
				w.sendNackFrags(p, upTo)
			}
		}
	}
	b := w.unseen
	w.unseen = unseenSample{}
	if b.upTo == 0 || b.sn < w.next || b.sn <= w.announced || w.asm.Find(b.sn) != nil || w.holds(b.sn) {
		return
	}
	set := wire.FragmentNumberSet{Base: 1}
	for f := wire.FragmentNumber(1); f <= b.upTo && set.Add(f); f++ { // at most 256
	}
	w.sendNackFrag(b.sn, set)
}

// requestFragments requests the missing fragments of one sample; while fragments are still arriving, only those
// skipped.
func (w *writerProxy) requestFragments(p *reassembly.Partial, now time.Time) {
	w.sendNackFrags(p, p.Expected(now, ackDelay))
}

// sendNackFrags requests the missing fragments up to a number, as many as fit into a few NACK_FRAGs.
func (w *writerProxy) sendNackFrags(p *reassembly.Partial, upTo wire.FragmentNumber) {
	from := wire.FragmentNumber(1)
	for range maxFragmentRequests / 2 {
		set := p.MissingSet(from, upTo)
		if set.Base == 0 {
			return
		}
		w.sendNackFrag(p.SN, set)
		from = set.Base + wire.FragmentNumber(set.NumBits)
	}
}

// sendNackFrag requests fragments of a sample (8.3.7.11).
func (w *writerProxy) sendNackFrag(sn wire.SequenceNumber, set wire.FragmentNumberSet) {
	w.nfCount++
	m := wire.NackFrag{Reader: w.r.guid.Entity, Writer: w.guid.Entity, SN: sn, State: set, Count: w.nfCount}
	w.r.p.tx.To(w.dest, m.Size()).NackFrag(&m)
}
