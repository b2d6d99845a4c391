// SPDX-License-Identifier: Apache-2.0

package swarm

import (
	"encoding"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// ErrSnapshot is matched when data is not a snapshot of a swarm, or of one with another controller, and when a
// controller can't be stored.
var ErrSnapshot = errors.New("swarm: snapshot")

// snapshotVersion is the version of the header; the world's part has its own.
const snapshotVersion = 2

// head is the header of a snapshot, before the world's part.
type head struct {
	Version int
	Seed    uint64
	World   string
	Name    string // of the controllers
	Period  time.Duration
	Pilots  map[string]pilotState
	Stats   Statistics
	Cells   map[[2]int32]struct{}
	Bumps   map[string]uint64
	Last    []sim.Pose
}

// pilotState is the state of a pilot and its controller.
type pilotState struct {
	Command    mcu.Command
	Sensors    mcu.Sensors
	Steps      [2]int64
	Counts     [2]int16
	Ground     [3]float64
	Drawn      uint64
	Controller []byte
}

// Snapshot writes the state of the swarm for Restore: the world, the state of the robots of the firmware level, the
// statistics, and the state of controllers that implement encoding.BinaryMarshaler.
func (r *Run) Snapshot(w io.Writer) error {
	h := head{
		Version: snapshotVersion, Seed: r.cfg.Seed, World: r.cfg.World, Name: r.cfg.Name, Period: r.cfg.Period, Pilots: make(map[string]pilotState),
		Stats: r.stats, Cells: r.cells, Bumps: r.bumps, Last: r.last,
	}
	for _, p := range r.pilots {
		s := pilotState{p.command, p.sensors, p.steps, p.counts, p.ground, p.drawn, nil}
		var err error
		if s.Controller, err = (stepper{p.c}).MarshalBinary(); err != nil {
			return fmt.Errorf("%w: controller of %q: %w", ErrSnapshot, p.Name(), err)
		}
		h.Pilots[p.Name()] = s
	}
	if err := gob.NewEncoder(w).Encode(&h); err != nil {
		return fmt.Errorf("%w: %w", ErrSnapshot, err)
	}
	return r.sim.Snapshot(w)
}

// Restore returns a run that continues from a snapshot as if it had not been interrupted: with the same controllers
// the trace is identical, byte for byte. Seed, world, period, noise and trace are those of the snapshot instead of
// the configuration's. The reader must also be an io.ByteReader, such as a bufio.Reader. Errors of the snapshot match
// [ErrSnapshot] or sim.ErrSnapshot.
func Restore(from interface {
	io.Reader
	io.ByteReader
}, cfg Config) (*Run, error) {
	if cfg.Controller == nil {
		return nil, fmt.Errorf("%w: no controller", errConfig)
	}
	var h head
	if err := gob.NewDecoder(from).Decode(&h); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSnapshot, err)
	}
	if h.Version != snapshotVersion {
		return nil, fmt.Errorf("%w: version %d, this program has %d", ErrSnapshot, h.Version, snapshotVersion)
	}
	if cfg.Name != h.Name && cfg.Name != "" && h.Name != "" {
		return nil, fmt.Errorf("%w: its robots have the controller %s, not %s", ErrSnapshot, h.Name, cfg.Name)
	}
	cfg.Seed, cfg.World, cfg.Period = h.Seed, h.World, h.Period
	r := &Run{cfg: cfg, clock: sim.NewClock(), stats: h.Stats, cells: h.Cells, bumps: h.Bumps, last: h.Last}
	if r.cells == nil {
		r.cells = make(map[[2]int32]struct{})
	}
	if r.bumps == nil {
		r.bumps = make(map[string]uint64)
	}
	var err error
	r.sim, err = sim.Restore(from, sim.Options{Now: r.clock.Now, Workers: cfg.Workers}, func(robot *sim.Functional) sim.Controller {
		if c := cfg.Controller(robot.Name()); c != nil {
			return stepper{c}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, robot := range sim.RobotsOf[processor](r.sim) {
		s, ok := h.Pilots[robot.Name()]
		if !ok {
			continue
		}
		c := cfg.Controller(robot.Name())
		if err := (stepper{c}).UnmarshalBinary(s.Controller); err != nil {
			return nil, fmt.Errorf("%w: controller of %q: %w", ErrSnapshot, robot.Name(), err)
		}
		p := &pilot{robot: robot, c: c, random: randomOf(robot.Name(), h.Seed)}
		p.command, p.sensors, p.steps, p.counts, p.ground, p.drawn = s.Command, s.Sensors, s.Steps, s.Counts, s.Ground, s.Drawn
		r.pilots = append(r.pilots, p)
	}
	return r, nil
}

// MarshalBinary returns the controller's state if it implements encoding.BinaryMarshaler.
func (s stepper) MarshalBinary() ([]byte, error) {
	if m, ok := s.c.(encoding.BinaryMarshaler); ok {
		return m.MarshalBinary()
	}
	return nil, nil
}

// UnmarshalBinary restores the controller's state if it implements encoding.BinaryUnmarshaler.
func (s stepper) UnmarshalBinary(b []byte) error {
	if m, ok := s.c.(encoding.BinaryUnmarshaler); ok && b != nil {
		return m.UnmarshalBinary(b)
	}
	return nil
}

// MarshalBinary returns the state of an aggregator.
func (a *Aggregator) MarshalBinary() ([]byte, error) {
	return fmt.Appendf(nil, "%t %d %g", a.resting, a.turning, a.side), nil
}

// UnmarshalBinary restores it.
func (a *Aggregator) UnmarshalBinary(b []byte) error {
	_, err := fmt.Sscanf(string(b), "%t %d %g", &a.resting, &a.turning, &a.side)
	return err
}
