// SPDX-License-Identifier: Apache-2.0

package driver

import "context"

// ask is something another goroutine wants done by the one that owns odometry and the parts.
type ask struct {
	do   func() error
	done chan error // holds the outcome
}

// onBus has a function run by the goroutine that owns odometry and the parts on the robot's bus, and gives its error.
// It may also be the context's, or [ErrClosed]; then the function may still be run.
func (d *Driver) onBus(ctx context.Context, do func() error) error {
	a := ask{do: do, done: make(chan error, 1)}
	select {
	case d.asks <- a:
		d.stir()
		return d.outcome(ctx, a.done)
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-d.life.quit:
		return ErrClosed
	}
}

// outcome waits for an outcome. The error is the outcome's, the context's, or [ErrClosed].
func (d *Driver) outcome(ctx context.Context, outcome <-chan error) error {
	select {
	case err := <-outcome:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-d.life.quit:
		return ErrClosed
	}
}

// stir wakes the goroutine that answers. It never blocks.
func (d *Driver) stir() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// answerAsks does what others have asked for.
func (d *Driver) answerAsks() {
	for {
		select {
		case a := <-d.asks:
			a.done <- a.do()
		default:
			return
		}
	}
}
