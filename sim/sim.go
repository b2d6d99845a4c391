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
// and on [firmware.Robot.BoardBus] the chips of the Pi-puck. They measure the same world: the distance ahead, the movement of
// the body, the floor. [firmware.Robot.Camera] shows it: walls and things in their colours, what is painted on the floor, the
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
//
// # Packages
//
// This package makes worlds, adds and removes robots, and writes and loads checkpoints. Below it, package kernel
// advances time, scene has what exists in addition to robots, and plant what robots of all levels share. Each level is a
// package: functional, firmware, articulated. Their types have names here, too, see [Firmware] for example.
package sim

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/plant"
	"github.com/epuck-ros2/epuck-driver/sim/trace"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Simulation is a running world. It owns its robots and their buses; it has no
// goroutines but while it catches up with the clock, and some microseconds longer, and needs no closing.
type Simulation struct {
	opts  Options `checkpoint:"-"`
	made  *World  `checkpoint:"-"` // never changes
	world plant.World
	// robots are those of the world, in its order. The world's lock guards them.
	robots []Robot   `checkpoint:"-"`
	gone   hash.Hash // traces of robots and things that have left
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
	for _, u := range s.world.Units() {
		if !u.Plant().Fits() {
			return nil, u.Occupied()
		}
		u.Dock()
	}
	if err := s.world.Scene.Check(); err != nil {
		return nil, err
	}
	s.world.Scene.Feed(0)
	return s, nil
}

// found makes a world and its robots without asking whether there is space where they started.
func found(w *world.World, opts Options) (*Simulation, error) {
	opts = opts.withDefaults()
	s := &Simulation{opts: opts, made: w, gone: sha256.New()}
	s.world.Init(w, opts.config())
	for i := range w.Robots {
		r, u, err := s.newRobot(&w.Robots[i])
		if err != nil {
			return nil, err
		}
		s.add(r, u)
	}
	return s, nil
}

// Elapsed advances the world to the clock's time and returns its age.
func (s *Simulation) Elapsed() time.Duration {
	s.world.Enter()
	defer s.world.Unlock()
	return s.world.Kernel.Time()
}

// TraceHash returns the SHA-256 of all that has happened since New: poses, bytes on the buses, messages between robots,
// and what was recorded. It is the same for the same world, seed and use, on any number of processors of any kind;
// without Options.Trace it covers the robots' names alone. The run may continue.
func (s *Simulation) TraceHash() [sha256.Size]byte {
	s.world.Enter()
	defer s.world.Unlock()
	all := sha256.New()
	all.Write(s.gone.Sum(nil))
	for _, u := range s.world.Units() {
		all.Write(u.Plant().AppendState(trace.Text(nil, u.Name())))
		all.Write(u.Trace().AppendSum(nil))
	}
	all.Write(s.world.Scene.AppendTrace(nil))
	return [sha256.Size]byte(all.Sum(nil))
}
