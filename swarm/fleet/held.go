// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/hold"
)

// Hold lets another than the machine's clock hold the time of a clock made by NewSteps, until ctx ends or the
// holder has no more use for it. advance computes all up to the present time; an error of it ends the run and is
// returned. Speed and steps mean nothing then: the clock goes where the holder says.
func (p *Pace) Hold(ctx context.Context, h hold.Holder, advance func() error) error {
	if p.step == 0 {
		return fmt.Errorf("%w: a clock that goes on by itself can't be held", ErrSpeed)
	}
	p.mu.Lock()
	p.runs, p.holder = true, h
	p.mu.Unlock()
	return h.Run(ctx, func(age time.Duration) error {
		p.mu.Lock()
		p.since = max(p.since, age)
		p.mu.Unlock()
		err := advance()
		p.mu.Lock()
		p.reached = p.since
		close(p.wait)
		p.wait = make(chan struct{})
		p.mu.Unlock()
		return err
	})
}

// Status says who holds time.
func (p *Pace) Status() hold.Status {
	p.mu.Lock()
	h, runs, speed := p.holder, p.runs, p.speed
	p.mu.Unlock()
	switch {
	case h != nil:
		return h.Status()
	case !runs:
		return hold.Status{By: "nothing yet"}
	case speed == 0:
		return hold.Status{By: "paused"}
	case math.IsInf(speed, 1):
		return hold.Status{By: "as fast as it can"}
	}
	return hold.Status{By: fmt.Sprintf("the machine's clock × %g", speed)}
}
