// SPDX-License-Identifier: Apache-2.0

package rtps

import "github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"

// memoryBudget bounds bytes: what all peers together can make a participant hold, or what its own writers keep. Guarded
// by Participant.mu.
type memoryBudget struct {
	used, limit int
	// reclaim, if set, tries to free n bytes for a share that is within its own limit.
	reclaim func(n int, by *memoryShare)
}

func (m *memoryBudget) reserve(n int) bool {
	if n > m.limit-m.used {
		return false
	}
	m.used += n
	return true
}

func (m *memoryBudget) release(n int) { m.used -= n }

// memoryShare bounds what one peer can make a participant hold, within a budget for all: samples in assembly and
// samples out of order. Guarded by Participant.mu.
type memoryShare struct {
	total       *memoryBudget
	used, limit int
}

func (s *memoryShare) reserve(n int) bool {
	if n > s.limit-s.used {
		return false
	}
	if !s.total.reserve(n) {
		if s.total.reclaim == nil {
			return false
		}
		if s.total.reclaim(n, s); !s.total.reserve(n) {
			return false
		}
	}
	s.used += n
	return true
}

func (s *memoryShare) release(n int) {
	s.used -= n
	s.total.release(n)
}

// reclaim makes room for n bytes of a peer by taking from those that hold more than it would then: a peer that asks for
// little gets it, however many others try to take all. What is taken away is asked for again, if its writer is
// reliable.
func (p *Participant) reclaim(n int, by *memoryShare) {
	for p.memory.used+n > p.memory.limit {
		var most *remoteParticipant
		for _, r := range p.remotes {
			if &r.memory != by && (most == nil || r.memory.used > most.memory.used) {
				most = r
			}
		}
		if most == nil || most.memory.used <= by.used+n || !p.shrink(most) {
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
	switch {
	case w.asm.spare != nil:
		return cap(w.asm.spare.data)
	case len(w.asm.parts) > 0:
		return cap(w.asm.parts[len(w.asm.parts)-1].data)
	case len(w.held) > 0:
		return len(w.held[len(w.held)-1].data)
	}
	return 0
}

// relieve frees the newest of what a reliable writer sent ahead of sample sn, which comes first in order; false if
// there is nothing.
func (w *writerProxy) relieve(sn wire.SequenceNumber) bool {
	if n := len(w.held); n > 0 && w.held[n-1].sn > sn {
		w.dropHeld()
		return true
	}
	if n := len(w.asm.parts); n > 0 && w.asm.parts[n-1].sn > sn {
		w.asm.drop(n - 1)
		w.asm.freeSpare()
		return true
	}
	return false
}

// dropHeld drops the newest sample that is held.
func (w *writerProxy) dropHeld() {
	n := len(w.held) - 1
	w.memory.release(len(w.held[n].data))
	w.held[n] = heldSample{}
	w.held = w.held[:n]
	w.r.p.drop(DropSampleMemory)
}

// giveUp frees the unused buffer, or the newest sample in assembly, or the newest one that is held.
func (w *writerProxy) giveUp() {
	if w.asm.spare == nil && len(w.asm.parts) == 0 && len(w.held) > 0 {
		w.dropHeld()
		return
	}
	if n := len(w.asm.parts); w.asm.spare == nil && n > 0 {
		w.asm.drop(n - 1)
	}
	w.asm.freeSpare()
}
