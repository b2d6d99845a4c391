// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"context"
	"errors"
	"log/slog"
	"sync"

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

// soleRobot is the only robot of a world, with the parts that the program of a real robot has in addition to the
// driver: recordings, live video, the parameters of the page and a status line. A nil one has none of them.
type soleRobot struct {
	name   string
	log    *slog.Logger
	node   *ros2.Node // nil until the robot is on the network
	box    *blackbox.Box
	camera *livevideo.Camera

	mu      sync.Mutex
	stop    func() // ends the recordings; nil: none are running
	gone    bool   // it has been removed
	replace func() // called when it is removed
}

// soleRobot returns the only robot of a world if its driver runs in this process, in real time. The recordings use
// the machine's time: at other real-time factors they would miss messages, and equal runs would differ.
func (o *simOptions) soleRobot(w *sim.World) *soleRobot {
	if !o.alone(w) {
		return nil
	}
	r := w.Robots[0]
	if r.Model != "" || r.Level != world.LevelFirmware || o.swarm.speed != 1 || o.swarm.traceHash || o.held() || o.costs.wanted || o.open != nil {
		return nil
	}
	return &soleRobot{name: r.Name}
}

// equip inserts recordings and live video between the hardware and the driver that will be created with cfg.
func (s *soleRobot) equip(r drivenRobot, n *ros2.Node, o hardware.Optics, cfg *driver.Config, log *slog.Logger) (err error) {
	if s == nil || s.node != nil || r.Name() != s.name {
		return nil
	}
	s.node, s.camera, s.log = n, livevideo.New(o), log
	cfg.Camera = s.camera.Open
	s.box, err = blackbox.New(n, cfg, log)
	return err
}

// declare completes the options of the page with the parameters of the robot's node.
func (s *soleRobot) declare(site *page.Site) error {
	if s == nil {
		return nil
	}
	return site.Declare(s.node)
}

// begin starts the recordings, until end is called or the robot is removed.
func (s *soleRobot) begin(ctx context.Context, facts blackbox.Facts, trace blackbox.Trace) error {
	if s == nil {
		return nil
	}
	stop, err := s.box.Begin(ctx, facts, trace)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop = stop
	return err
}

// end ends the recordings, once, and cancels the function of whenLeft. It is also called at the end of the run.
func (s *soleRobot) end() {
	if s == nil {
		return
	}
	s.mu.Lock()
	stop := s.stop
	s.stop, s.replace = nil, nil
	s.mu.Unlock()
	if stop != nil {
		stop()
	}
}

// left ends the recordings when the robot of that name is removed; a later robot of the same name is an ordinary one.
// The function of whenLeft then publishes the facts of the run instead of the robot's node.
func (s *soleRobot) left(name string) {
	if s == nil || name != s.name {
		return
	}
	s.mu.Lock()
	replace := s.replace
	s.gone = true
	s.mu.Unlock()
	s.end()
	if replace != nil {
		replace()
	}
}

// whenLeft calls f when there is no sole robot: immediately, or when it is removed, on any goroutine; then an error
// is logged.
func (s *soleRobot) whenLeft(f func() error) error {
	if s == nil {
		return f()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		return f()
	}
	s.replace = func() {
		if err := f(); err != nil && !errors.Is(err, ros2.ErrClosed) {
			s.log.Warn("recordings lack the facts of the run from now on", "error", err)
		}
	}
	return nil
}

// video returns the robot's camera, nil if there is none.
func (s *soleRobot) video() *livevideo.Camera {
	if s == nil {
		return nil
	}
	return s.camera
}

// namespace returns the namespace of the robot's node.
func (s *soleRobot) namespace() string {
	if s == nil {
		return ""
	}
	return s.node.Name().Namespace
}

// status returns the function of the status line: the status of the robot's driver while it is the only robot.
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
