// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"fmt"
	"sync"
	"time"
)

// Pending is the set of one-shots that are not done yet.
type Pending struct {
	Melody    uint8 // 0 none
	Steps     bool
	Calibrate bool // waiting, or running
}

// request is one requested one-shot.
type request struct {
	wanted   bool
	melody   uint8
	target   counts
	deadline time.Time
	attempts int
}

// requests are the requested one-shots: one of each kind, a newer one replaces an older one.
type requests struct {
	mu                      sync.Mutex
	melody, steps, calibrat request
	active                  Pending   // sent or running
	turn                    EventKind // the kind sent last
}

// PlayMelody queues melody 1 Mario, 2 Underworld or 3 Star Wars, to be played once. It replaces a waiting one. The
// outcome is an [Event].
func (d *Dev) PlayMelody(n int) error {
	if n < 1 || n > NumMelodies {
		return fmt.Errorf("%w: melody %d is not 1 to %d", ErrCommand, n, NumMelodies)
	}
	d.req.put(&d.req.melody, request{melody: uint8(n), deadline: d.deadline()})
	return nil
}

// SetSteps queues the setting of both step counters, full steps. The outcome is an [Event].
func (d *Dev) SetSteps(left, right int16) {
	d.req.put(&d.req.steps, request{target: counts{left, right}, deadline: d.deadline()})
}

// Pending returns the one-shots that are waiting or in progress.
func (d *Dev) Pending() Pending {
	d.req.mu.Lock()
	defer d.req.mu.Unlock()
	p := d.req.active
	if d.req.melody.wanted {
		p.Melody = d.req.melody.melody
	}
	p.Steps = p.Steps || d.req.steps.wanted
	p.Calibrate = p.Calibrate || d.req.calibrat.wanted
	return p
}

func (d *Dev) deadline() time.Time { return d.opts.Now().Add(d.opts.OneShotTimeout) }

func (r *requests) put(slot *request, v request) {
	v.wanted = true
	r.mu.Lock()
	defer r.mu.Unlock()
	*slot = v
}

// next removes the next requested one-shot that is sent in a single packet; the two kinds alternate.
func (r *requests) next() (EventKind, request, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.steps.wanted && !(r.melody.wanted && r.turn == EventSteps) {
		v := r.steps
		r.steps.wanted, r.active.Steps, r.turn = false, true, EventSteps
		return EventSteps, v, true
	}
	if r.melody.wanted {
		v := r.melody
		r.melody.wanted, r.active.Melody, r.turn = false, v.melody, EventMelody
		return EventMelody, v, true
	}
	return 0, request{}, false
}

// again requeues one that was not accepted, unless a newer one of its kind is waiting.
func (r *requests) again(kind EventKind, v request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	slot := &r.melody
	if kind == EventSteps {
		slot = &r.steps
	}
	if !slot.wanted {
		*slot = v
		slot.wanted = true
	}
	r.active.Melody, r.active.Steps = 0, false
}

// done removes the current one-shot.
func (r *requests) done() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.active.Melody, r.active.Steps = 0, false
}
