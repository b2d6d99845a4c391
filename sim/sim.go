// SPDX-License-Identifier: Apache-2.0

// Package sim simulates a world with e-puck2 robots, which answer on virtual I²C buses with the bytes of the real
// ones.
//
// A [Simulation] is made from a [World], which comes from a YAML file or from
// the built-in examples (package sim/world describes the format). Each [Robot]
// has a bus on which its main processor sits at address 0x1F; what speaks
// to a robot can be given this bus instead without a difference:
//
//	w, err := sim.LoadWorld("arena")
//	s, err := sim.New(w, sim.Options{Seed: 1, Now: time.Now, Sleep: time.Sleep})
//	r, err := sim.RobotOf[*sim.Firmware](s, "epuck")
//	err = r.Bus().Tx(0x1F, command[:], reply[:])
//
// In addition the bus has the robot's other chips, as far as its equipment has them, each demanding its own
// initialisation: the time-of-flight sensor 0x29, the inertial sensor 0x68, the ground board 0x60, the camera's sensor,
// and on [Firmware.BoardBus] the chips of the Pi-puck. They measure the same world: the distance ahead, the movement of
// the body, the floor. [Firmware.Camera] shows it: walls and things in their colours, what is painted on the floor, the
// other robots with their LEDs.
//
// # Time
//
// Nothing runs in the background. The world catches up with the injected clock
// whenever a program uses a bus or looks at it, in fixed steps of 1 ms for the
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
// All exported methods of Simulation, Firmware, their buses and faults are safe
// for concurrent use. Transfers on one bus happen in sequence.
package sim

import (
	"fmt"
	"hash"
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/kernel"
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
// goroutines but while it catches up with the clock, and some microseconds longer, and needs no closing.
type Simulation struct {
	opts Options `checkpoint:"-"`
	made *World  `checkpoint:"-"` // never changes

	mu       sync.Mutex // guards everything below and the robots' fields
	scene    *physics.Scene
	colours  []vcamera.RGB // of the scene's shapes
	boards   []vcamera.Board
	field    physics.Vec3 // magnetic, T
	medium   world.RangeAndBearing
	things   map[string]thing
	feeders  []feeder   // in the order of the world file
	movables []*movable // things that robots push, in the order of their shapes
	persons  []Person   // their shapes are the scene's last, in this order
	units    []*unit    // robots of all levels, in the order of the world file

	// The robots with solids in the scene and with grippers: a list for speed, as each cycle looks at them alone.
	articulated []*Articulated `checkpoint:"-"`
	solids      []geom.Shape   `checkpoint:"-"` // theirs

	maxStep    int64     `checkpoint:"-"` // how many infrared cycles are made at once at the most
	radii      []float64 `checkpoint:"-"` // of all units, m
	meeting    float64   `checkpoint:"-"` // the most distance of two bodies that may touch in an infrared cycle, m
	strayLimit float64   `checkpoint:"-"` // square of how far a unit may move before the crowd is sorted again, m²

	pushing pushing `checkpoint:"-"`
	root    noise.Source
	kernel  kernel.Kernel

	crowd     physics.Crowd `checkpoint:"-"`
	spots     []spot        `checkpoint:"-"` // of all units at the latest infrared cycle, once they are mustered
	anchors   []spot        `checkpoint:"-"` // where the crowd has them
	air       physics.Crowd `checkpoint:"-"` // where messages are heard, as sampled at the latest exchange …
	aired     bool          `checkpoint:"-"` // … if that is so, and the units are the same
	scattered atomic.Bool   `checkpoint:"-"` // the crowd must be sorted before it is used
	spoken    atomic.Bool   `checkpoint:"-"` // something was said since the exchange of messages, or sent in it
	listening atomic.Int32  // units that hear at every exchange of messages
	gone      hash.Hash     // traces of robots that have left
}

// New puts the robots of a world at their starts, their processors running and
// their wheels still. It returns an error wrapping world.ErrWorld if the world
// makes no sense, and ErrOccupied if a robot overlaps something.
func New(w *World, opts Options) (*Simulation, error) {
	if w == nil {
		return nil, fmt.Errorf("%w: nil", world.ErrWorld)
	}
	if err := w.Check(); err != nil {
		return nil, err
	}
	s, err := found(w, opts)
	if err != nil {
		return nil, err
	}
	for _, u := range s.units {
		if !u.plant.fits() {
			return nil, u.occupied()
		}
		u.dock()
	}
	if err := s.checkFeeders(); err != nil {
		return nil, err
	}
	s.feed(0)
	return s, nil
}

// Elapsed advances the world to the clock's time and returns its age.
func (s *Simulation) Elapsed() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	return s.kernel.Time()
}
