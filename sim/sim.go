// SPDX-License-Identifier: Apache-2.0

// Package sim is a simulated world with e-puck2 robots in it that answer on
// virtual I²C buses as the real ones do, byte for byte and quirk for quirk.
//
// A [Simulation] is made from a [World], which comes from a YAML file or from
// the built-in examples (package sim/world describes the format). Each [Robot]
// has a bus on which its main processor sits at address 0x1F; whatever speaks
// to a robot can be given this bus instead and cannot tell the difference:
//
//	w, err := sim.LoadWorld("arena")
//	s, err := sim.New(w, sim.Options{Seed: 1, Now: time.Now, Sleep: time.Sleep})
//	r, err := s.Robot("epuck")
//	err = r.Bus().Tx(0x1F, command[:], reply[:])
//
// Beside the processor sit the robot's other chips, as far as its outfit has
// them, each demanding its own initialisation: the time-of-flight sensor 0x29,
// the inertial sensor 0x68, the ground board 0x60, the camera's sensor, and on
// [Robot.BoardBus] the chips of the Pi-puck. They measure the same world: the
// distance ahead, the movement of the body, the floor. [Robot.Camera] shows it: walls and things in their colours, what is
// painted on the floor, the other robots with their LEDs.
//
// # Time
//
// Nothing runs in the background. The world catches up with the injected clock
// whenever somebody uses a bus or looks at it, in fixed steps of 1 ms for the
// bodies and at exact 10 µs ticks for the motors, so how often one looks makes
// no difference. A bus transfer takes the time of its bits through the injected
// Sleep. With a [Clock] the simulation is as fast as the processor.
//
// # Determinism
//
// The same world, seed, commands and faults at the same simulated times give
// the same packets, byte for byte, on every processor Go runs on.
//
// # Concurrency
//
// All exported methods of Simulation, Robot, their buses and faults are safe
// for concurrent use. Transfers on one bus happen one after the other.
package sim

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// World is the description of a world; see package sim/world.
type World = world.World

// Pose is a position (m) and heading (rad) in the world.
type Pose = geom.Pose

// Simulation is a running world. It owns its robots and their buses; it has no
// goroutines and needs no closing.
type Simulation struct {
	opts  Options
	epoch time.Time

	mu      sync.Mutex // guards everything below and the robots' fields
	scene   *physics.Scene
	colours []vcamera.RGB // of the scene's shapes; never changes
	field   physics.Vec3  // magnetic, T
	things  map[string]thing
	robots  []*Robot
	time    time.Duration // how far the motors have run
	steps   int64         // physics steps made
	cycle   int64         // latest infrared cycle
	skipped time.Duration // time the world slept through
}

// New puts the robots of a world at their starts, their processors running and
// their wheels still. It returns an error wrapping world.ErrWorld if the world
// makes no sense, and ErrOccupied if a robot stands in something.
func New(w *World, opts Options) (*Simulation, error) {
	if w == nil {
		return nil, fmt.Errorf("%w: nil", world.ErrWorld)
	}
	if err := w.Check(); err != nil {
		return nil, err
	}
	opts = opts.withDefaults()
	s := &Simulation{opts: opts, epoch: opts.Now(), things: make(map[string]thing)}
	s.build(w)
	root := noise.New(opts.Seed)
	for i := range w.Robots {
		r, err := newRobot(s, &w.Robots[i], root.Named(w.Robots[i].Name))
		if err != nil {
			return nil, err
		}
		s.robots = append(s.robots, r)
	}
	for i, r := range s.robots {
		r.index = i
		r.others = make([]geom.Vec, 0, len(s.robots))
	}
	for _, r := range s.robots {
		if !s.scene.Free(r.body.Position(), s.othersNow(r)) {
			return nil, fmt.Errorf("robot %q at (%g, %g) m: %w", r.name,
				r.body.Position().X, r.body.Position().Y, ErrOccupied)
		}
	}
	return s, nil
}

// Robots returns all robots in the order of the world file.
func (s *Simulation) Robots() []*Robot {
	return append([]*Robot(nil), s.robots...) // the list never changes after New
}

// Robot returns the robot of a name, or ErrNoRobot.
func (s *Simulation) Robot(name string) (*Robot, error) {
	names := make([]string, 0, len(s.robots))
	for _, r := range s.robots {
		if r.name == name {
			return r, nil
		}
		names = append(names, r.name)
	}
	return nil, fmt.Errorf("%w %q, there are %s", ErrNoRobot, name, strings.Join(names, ", "))
}

// Elapsed lets the world catch up with the clock and returns its age.
func (s *Simulation) Elapsed() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	return s.time
}
