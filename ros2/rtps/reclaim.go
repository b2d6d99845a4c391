// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/memory"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// reclaim makes room for n bytes of a peer by taking from those that hold more than it would then: a peer that asks for
// little gets it, however many others try to take all. What is taken away is asked for again, if its writer is
// reliable.
func (p *Participant) reclaim(n int, by *memory.Share) {
	for p.memory.Used+n > p.memory.Limit {
		var most *remoteParticipant
		for _, r := range p.remotes {
			if &r.memory != by && (most == nil || r.memory.Used > most.memory.Used) {
				most = r
			}
		}
		if most == nil || most.memory.Used <= by.Used+n || !p.shrink(most) {
			return
		}
	}
}

// shrink takes the most expensive thing from what is held of a peer's samples; false if there is nothing.
func (p *Participant) shrink(r *remoteParticipant) bool {
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
	from.giveUp()
	return true
}

// largest returns the size of what giveUp frees, bytes.
func (w *writerProxy) largest() int {
	if n := w.asm.Largest(); n > 0 || len(w.held) == 0 {
		return n
	}
	return len(w.held[len(w.held)-1].data)
}

// relieve frees the newest of what a reliable writer sent ahead of sample sn, which comes first in order; false if
// there is nothing.
func (w *writerProxy) relieve(sn wire.SequenceNumber) bool {
	if n := len(w.held); n > 0 && w.held[n-1].sn > sn {
		w.dropHeld()
		return true
	}
	return w.asm.GiveUpAbove(sn)
}

// dropHeld drops the newest sample that is held.
func (w *writerProxy) dropHeld() {
	n := len(w.held) - 1
	w.memory.Release(len(w.held[n].data))
	w.held[n] = heldSample{}
	w.held = w.held[:n]
	w.r.p.drop(DropSampleMemory)
}

// giveUp frees the unused buffer, or the newest sample in assembly, or the newest one that is held.
func (w *writerProxy) giveUp() {
	if !w.asm.GiveUp() && len(w.held) > 0 {
		w.dropHeld()
	}
}
