// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"context"
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
	return c.later(func(ctx context.Context) {
		err := p.Control(ctx, r.PlaybackCommand)
		s := p.State()
		// It fails when the client has left.
		_ = c.box.Answer(outbox.Frame{Head: playbackFrame(&s, err == nil && !r.Seek.IsZero(), r.id)})
		if err != nil {
			_ = c.status(statusError, err)
		}
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
		due := told.Now.Add(time.Duration(float64(time.Since(at)) * told.Speed))
		away := s.Now.Sub(due).Abs() > time.Duration(float64(2*playbackLook)*max(1, s.Speed)) // it was sought
		changed := s.Paused != told.Paused || s.Ended != told.Ended || s.Speed != told.Speed
		if first || changed || !s.Paused && (away || time.Since(at) > playbackTell) || s.Paused && !s.Now.Equal(told.Now) {
			told, at = s, time.Now()
			if c.box.Answer(outbox.Frame{Head: playbackFrame(&s, away && !first, "")}) != nil {
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
