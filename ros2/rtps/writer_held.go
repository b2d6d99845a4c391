// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/history"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// heldWrite is a sample that is in its writer's history and is sent together with the others of a corked participant.
//
// The code that writes a sample and the code that sends one each about fill an ARM1176's instruction cache. Alternating
// for each of a robot's thirty topics, they evict each other; first writing all and then sending all does not. By
// package target's model that halves the cost of a control cycle with all topics.
type heldWrite struct {
	w  *Writer
	sn wire.SequenceNumber
	at alarm.Instant // when the writer requests an acknowledgment if nothing else does; zero for never
}

// maxHeldWrites bounds the held samples: about what a control cycle writes, so that not much more is sent at once.
const maxHeldWrites = 64

// hold keeps the sample just written until the participant is uncorked, and reports whether it does. A writer has at
// most one held sample: its next write sends it first.
func (p *Participant) hold(w *Writer, c *history.Change) bool {
	if p.corked == 0 || len(p.held) >= maxHeldWrites {
		return false
	}
	w.holds = true
	p.held = append(p.held, heldWrite{w: w, sn: c.SN})
	return true
}

// sendHeld sends the held samples to the readers, in the order in which they were written. Then it sets the heartbeat
// alarms.
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

// sendHeldOf calls sendHeld if the writer has a held sample.
func (p *Participant) sendHeldOf(w *Writer) {
	if w.holds {
		p.sendHeld()
	}
}
