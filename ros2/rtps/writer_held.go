// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/history"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// heldWrite is a sample that is in its writer's history and goes to the readers with all others of a corked
// participant.
//
// To write a sample and to send one are both about as much code as an ARM1176's cache holds. One after the other, for
// each of a robot's thirty topics, they drive each other out of it; all of the one and then all of the other do not. By
// package target's model that halves what a control cycle with all topics costs.
type heldWrite struct {
	w  *Writer
	sn wire.SequenceNumber
	at alarm.Instant // when the writer asks for an acknowledgment if nothing else does; zero for never
}

// maxHeldWrites is how many samples are held: what a control cycle writes, and not much more to send in one go.
const maxHeldWrites = 64

// hold keeps the sample just written until the participant is uncorked, and reports whether it does. A writer has one
// at most: what follows sends it first.
func (p *Participant) hold(w *Writer, c *history.Change) bool {
	if p.corked == 0 || len(p.held) >= maxHeldWrites {
		return false
	}
	w.holds = true
	p.held = append(p.held, heldWrite{w: w, sn: c.SN})
	return true
}

// sendHeld gives the samples that are held to the readers, in the order in which they were written. Then the heartbeats
// are set.
func (p *Participant) sendHeld() {
	list := p.held
	for i := range list {
		h := &list[i]
		h.w.holds = false
		if c := h.w.hist.Get(h.sn); c != nil {
			h.at = h.w.spread(c, p.writeAt)
		}
	}
	for i := range list {
		h := &list[i]
		h.w.expect(h.at)
		*h = heldWrite{}
	}
	p.held = list[:0]
}

// sendHeldOf does so if one of them is this writer's.
func (p *Participant) sendHeldOf(w *Writer) {
	if w.holds {
		p.sendHeld()
	}
}
