// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"context"
	"errors"
	"time"

	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
)

// controlPlayback does what the client wants of the recording and answers with where it is then. Who may only look
// changes nothing for the others.
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

// tellPlayback tells the client where the recording is: at first, when it changes, and now and then, until it leaves.
func (c *client) tellPlayback() {
	tick := time.NewTicker(playbackLook)
	defer tick.Stop()
	var told PlaybackState
	var at time.Time
	for first := true; ; first = false {
		s := c.server.cfg.Playback.State()
		away := told.sought(&s, time.Since(at))
		changed := s.Paused != told.Paused || s.Ended != told.Ended || s.Speed != told.Speed
		if first || changed || away || !s.Paused && time.Since(at) > playbackTell {
			told, at = s, time.Now()
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

// sought reports whether a recording was taken elsewhere between two looks at it, the time between which is passed.
// What stands must be where it was; what plays may be off by what two looks are late.
func (was *PlaybackState) sought(now *PlaybackState, passed time.Duration) bool {
	if was.Paused && now.Paused {
		return !now.Now.Equal(was.Now)
	}
	due := was.Now
	if !was.Paused {
		due = due.Add(time.Duration(float64(passed) * was.Speed))
	}
	return now.Now.Sub(due).Abs() > time.Duration(float64(2*playbackLook)*max(1, now.Speed))
}
