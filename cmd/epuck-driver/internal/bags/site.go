// SPDX-License-Identifier: Apache-2.0

package bags

import (
	"context"
	"log/slog"

	"github.com/epuck-ros2/epuck-driver/bag/play"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/page"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/web"
)

// show starts the server for viewers of a bag, with --web.
func (o *playOptions) show(p *frame.Program, t ros2.Transport, player *play.Player) (end func() error, err error) {
	if !o.site.Wanted() {
		return func() error { return nil }, nil
	}
	log := p.ROS.Logger(slog.New(tty.NewConsole(p.Err)), page.LoggerName)
	o.site.Playback = playback{player}
	server, err := o.site.Open(t, ros2.NodeName{}, nil, "", log)
	if err != nil {
		return nil, err
	}
	stop := page.Start(server, log)
	if err := page.Announce(p.Out, server); err != nil {
		_ = stop() // the first error is reported
		return nil, err
	}
	return stop, nil
}

// playback adapts a player to web.Playback.
type playback struct{ *play.Player }

// Control implements web.Playback.
func (p playback) Control(ctx context.Context, c web.PlaybackCommand) error {
	if err := p.SetRate(ctx, c.Speed); err != nil {
		return err
	}
	if !c.Play {
		if err := p.Pause(ctx); err != nil {
			return err
		}
	}
	if !c.Seek.IsZero() {
		if err := p.Seek(ctx, c.Seek); err != nil {
			return err
		}
	}
	if c.Play {
		return p.Resume(ctx)
	}
	return nil
}

// State implements web.Playback.
func (p playback) State() web.PlaybackState {
	s := p.Status()
	return web.PlaybackState{Start: s.Start, End: s.End, Now: s.Now, Paused: s.Paused, Ended: s.Ended, Speed: s.Rate}
}
