// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"context"
	"errors"
	"time"

	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
)

// controlPlayback executes a command of the client and answers with the new state. It needs the right to drive.
func (c *client) controlPlayback(r *playbackRequest) error {
	p := c.server.cfg.Playback
	if p == nil {
		return ErrNoPlayback
	}
	if err := c.mayDrive(); err != nil {
		return err
	}
	return c.later(func(ctx context.Context) error {
		err := p.Control(ctx, r.PlaybackCommand)
		s := p.State()
		full := c.box.Answer(outbox.Frame{Head: playbackFrame(&s, err == nil && !r.Seek.IsZero(), r.id)})
		if err != nil {
			full = errors.Join(full, c.status(statusError, err))
		}
		return full
	})
}

// sendPlayback sends the state of the recording at first, when it changes, and periodically, until the client
// disconnects.
func (c *client) sendPlayback() {
	tick := time.NewTicker(playbackPoll)
	defer tick.Stop()
	var last PlaybackState
	var at time.Time
	for first := true; ; first = false {
		s := c.server.cfg.Playback.State()
		away := last.sought(&s, time.Since(at))
		changed := s.Paused != last.Paused || s.Ended != last.Ended || s.Speed != last.Speed
		if first || changed || away || !s.Paused && time.Since(at) > playbackInterval {
			last, at = s, time.Now()
			if c.box.Answer(outbox.Frame{Head: playbackFrame(&s, away && !first, "")}) != nil {
				c.box.Close() // it is full: the client does not read
				return
			}
		}
		select {
		case <-c.ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// sought reports whether the recording was sought between two polls, passed apart: a paused recording must not have
// moved, a playing one may deviate by the delays of two polls.
func (was *PlaybackState) sought(now *PlaybackState, passed time.Duration) bool {
	if was.Paused && now.Paused {
		return !now.Now.Equal(was.Now)
	}
	due := was.Now
	if !was.Paused {
		due = due.Add(time.Duration(float64(passed) * was.Speed))
	}
	return now.Now.Sub(due).Abs() > time.Duration(float64(2*playbackPoll)*max(1, now.Speed))
}
