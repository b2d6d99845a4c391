// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"context"
	"log/slog"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/blackbox"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/hardware"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/livevideo"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/page"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/service"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// soleRobot is what the only robot of a world has besides its driver, as a real robot has it: recordings, live video,
// the parameters of the page and a status line. A nil one has nothing.
type soleRobot struct {
	name   string
	node   *ros2.Node // nil until the robot is on the network
	box    *blackbox.Box
	camera *livevideo.Camera
}

// soleRobot returns the only robot of a world if its driver runs in this process; nil if there is none, or if runs are
// to repeat: what records works in the machine's time.
func (o *simOptions) soleRobot(w *sim.World) *soleRobot {
	if !o.alone(w) || w.Robots[0].Model != "" || w.Robots[0].Level != world.LevelFirmware || o.swarm.traceHash || o.held() || o.costs.wanted {
		return nil
	}
	return &soleRobot{name: w.Robots[0].Name}
}

// equip puts recordings and live video between a driver that is to be made and its hardware.
func (s *soleRobot) equip(r *sim.Firmware, n *ros2.Node, o hardware.Optics, cfg *driver.Config, log *slog.Logger) (err error) {
	if s == nil || s.node != nil || r.Name() != s.name {
		return nil
	}
	s.node, s.camera = n, livevideo.New(o)
	cfg.Camera = s.camera.Open
	s.box, err = blackbox.New(n, cfg, log)
	return err
}

// declare completes what the command line leaves open about the page with the parameters of the robot's node.
func (s *soleRobot) declare(site *page.Site) error {
	if s == nil {
		return nil
	}
	return site.Declare(s.node)
}

// begin has recordings work until end is called.
func (s *soleRobot) begin(ctx context.Context, facts blackbox.Facts, trace blackbox.Trace) (end func(), err error) {
	if s == nil {
		return func() {}, nil
	}
	return s.box.Begin(ctx, facts, trace)
}

// video returns what answers viewers who want live video, nil where there is none; end waits for them.
func (s *soleRobot) video(log *slog.Logger) (answer page.LiveVideo, end func(), err error) {
	if s == nil {
		return nil, func() {}, nil
	}
	return s.camera.Serve(log)
}

// namespace returns that of the robot's node.
func (s *soleRobot) namespace() string {
	if s == nil {
		return ""
	}
	return s.node.Name().Namespace
}

// status returns what makes the status line: that of the robot's driver while it is there, otherwise another one.
func (s *soleRobot) status(robots *fleet.Fleet, otherwise func() string) func() string {
	if s == nil {
		return otherwise
	}
	return func() string {
		if status, ok := robots.Status(s.name); ok && robots.Len() == 1 {
			return service.StatusLine(status)
		}
		return otherwise()
	}
}
