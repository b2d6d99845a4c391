// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/history"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// heldWrite is a sample in its writer's history that is sent when the participant is uncorked.
//
// The code that writes a sample and the code that sends one each about fill an ARM1176's instruction cache. Alternating
// for each of a robot's thirty topics, they evict each other; writing all and then sending all avoids that, which by
// package armcost's model halves the cost of a control cycle with all topics.
type heldWrite struct {
	w  *Writer
	sn wire.SequenceNumber
	at alarm.Instant // when the writer requests an acknowledgment if nothing else does; zero for never
}

// maxHeldWrites bounds the held samples: about as many as a control cycle writes, to limit bursts.
const maxHeldWrites = 64

// cork is the state of a corked participant. Guarded by Participant.mu.
type cork struct {
	depth int           // of nested calls of Cork
	time  time.Time     // source time of the samples written now
	at    alarm.Instant // the same time
	held  []heldWrite   // of all writers since Cork
}

// setTime sets the source time of the next sample, or of all samples written while the participant is corked, to now.
func (k *cork) setTime(alarms *alarm.Queue) {
	k.time = time.Now()
	k.at = alarms.Instant(k.time)
}

// hold keeps the sample just written until the participant is uncorked, and reports whether it does: not if the
// participant is not corked. A writer has at most one held sample: its next write sends it first.
func (k *cork) hold(w *Writer, c *history.Change) bool {
	if k.depth == 0 || len(k.held) >= maxHeldWrites {
		return false
	}
	w.holds = true
	k.held = append(k.held, heldWrite{w: w, sn: c.SN})
	return true
}

// send sends the held samples to the readers, in the order in which they were written. Then it sets the heartbeat
// alarms.
func (k *cork) send() {
	list := k.held
	for i := range list {
		h := &list[i]
		h.w.holds = false
		if c := h.w.hist.Get(h.sn); c != nil {
			h.at = h.w.sendToAll(c, k.at)
		}
	}
	for i := range list {
		h := &list[i]
		h.w.scheduleAckRequest(h.at)
		*h = heldWrite{}
	}
	k.held = list[:0]
}

// sendOf calls send if the writer has a held sample.
func (k *cork) sendOf(w *Writer) {
	if w.holds {
		k.send()
	}
}
