// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/memory"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// reclaim frees n bytes for a peer by dropping samples of peers that would still use more than it afterwards: a peer
// that needs little gets memory, however many others try to use all of it. Dropped samples are requested again if their
// writer is reliable.
func (p *Participant) reclaim(n int, by *memory.Share) {
	for p.budgets.samples.Used+n > p.budgets.samples.Limit {
		var most *remoteParticipant
		for _, r := range p.remotes {
			if &r.memory != by && (most == nil || r.memory.Used > most.memory.Used) {
				most = r
			}
		}
		if most == nil || most.memory.Used <= by.Used+n || !p.evictLargest(most) {
			return
		}
	}
}

// evictLargest frees the largest sample held for a peer, and reports whether there was one.
func (p *Participant) evictLargest(r *remoteParticipant) bool {
	var from *writerProxy
	most := 0
	for _, list := range p.sources {
		for _, w := range list {
			if w.memory == &r.memory && w.largest() > most {
				from, most = w, w.largest()
			}
		}
	}
	if from == nil {
		return false
	}
	from.evict()
	return true
}

// largest returns the size of what evict frees, bytes.
func (w *writerProxy) largest() int {
	if n := w.asm.Largest(); n > 0 || len(w.held) == 0 {
		return n
	}
	return len(w.held[len(w.held)-1].data)
}

// evictAbove frees the newest sample of a reliable writer above sn, so that sn, which is delivered earlier, fits. It
// reports whether there was one.
func (w *writerProxy) evictAbove(sn wire.SequenceNumber) bool {
	if n := len(w.held); n > 0 && w.held[n-1].sn > sn {
		w.dropHeld()
		return true
	}
	return w.asm.EvictAbove(sn)
}

// dropHeld drops the newest held sample.
func (w *writerProxy) dropHeld() {
	n := len(w.held) - 1
	w.memory.Release(len(w.held[n].data))
	w.held[n] = heldSample{}
	w.held = w.held[:n]
	w.r.p.drop(DropSampleMemory)
}

// evict frees the unused buffer, or the newest sample in assembly, or the newest held one.
func (w *writerProxy) evict() {
	if !w.asm.Evict() && len(w.held) > 0 {
		w.dropHeld()
	}
}
