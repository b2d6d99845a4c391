// SPDX-License-Identifier: Apache-2.0

package play

import (
	"context"
	"fmt"
	"math"
	"time"
)

// do runs f on the playing goroutine.
func (p *Player) do(ctx context.Context, f func() error) error {
	c := command{f, make(chan error, 1)}
	select {
	case p.commands <- c:
		return <-c.result
	case <-p.done:
		return ErrEnded
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Pause pauses playing; Resume continues it.
func (p *Player) Pause(ctx context.Context) error {
	return p.do(ctx, func() error { return p.pause(true) })
}

// Resume continues playing.
func (p *Player) Resume(ctx context.Context) error {
	return p.do(ctx, func() error { return p.pause(false) })
}

// TogglePaused pauses or resumes.
func (p *Player) TogglePaused(ctx context.Context) error {
	return p.do(ctx, func() error { return p.pause(!p.paused) })
}

func (p *Player) pause(on bool) error {
	p.rebase()
	p.paused = on
	p.report()
	return nil
}

// SetRate sets the playing rate; it must be above 0.
func (p *Player) SetRate(ctx context.Context, rate float64) error {
	if !(rate > 0) || math.IsInf(rate, 0) {
		return fmt.Errorf("%w: rate %g is not above 0", errConfig, rate)
	}
	return p.do(ctx, func() error {
		p.rebase()
		p.rate = rate
		p.report()
		return nil
	})
}

// Seek seeks to a log time within the played part.
func (p *Player) Seek(ctx context.Context, to time.Time) error {
	ns := to.UnixNano()
	if ns < p.start || ns >= p.end {
		return fmt.Errorf("%w: %v is not between %v and %v", errPlace, to, time.Unix(0, p.start), time.Unix(0, p.end-1))
	}
	return p.do(ctx, func() error {
		since := p.now()
		err := p.jump(ns, since)
		p.report()
		return err
	})
}

// PlayNext publishes the next message while the player pauses. The error matches [ErrEmpty] after the last message,
// [ErrNotPaused] or [ErrEnded].
func (p *Player) PlayNext(ctx context.Context) error {
	n, err := p.burst(ctx, 1, true)
	if err == nil && n == 0 {
		return ErrEmpty
	}
	return err
}

// Burst publishes the next n messages at once, all remaining ones if n is 0, and returns their number.
func (p *Player) Burst(ctx context.Context, n uint64) (uint64, error) { return p.burst(ctx, n, false) }

func (p *Player) burst(ctx context.Context, n uint64, pausedOnly bool) (sent uint64, err error) {
	err = p.do(ctx, func() error {
		if pausedOnly && !p.paused {
			return ErrNotPaused
		}
		for p.head.Topic != nil && (n == 0 || sent < n) && ctx.Err() == nil {
			p.from, p.at = p.head.LogTime, p.cfg.Time.Now()
			if err := p.publish(); err != nil {
				return err
			}
			sent++
		}
		p.report()
		return nil
	})
	return sent, err
}

// Stop ends Run.
func (p *Player) Stop(ctx context.Context) error {
	err := p.do(ctx, func() error { return errStop })
	return orderly(ctx, err)
}

// Status returns the state of the player.
func (p *Player) Status() Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.status
}
