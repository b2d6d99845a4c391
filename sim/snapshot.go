// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/checkpoint"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/kernel"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// ErrSnapshot is matched by data that is no snapshot, is damaged, or was made by a program whose robots are made
// differently.
var ErrSnapshot = errors.New("sim: snapshot")

const (
	// snapshotMagic begins a snapshot; its last digit is the version of the outer format.
	snapshotMagic = "epuck sim snapshot 1\n"
	// snapshotModule is the path of the packages whose state a snapshot holds.
	snapshotModule = "github.com/epuck-ros2/epuck-driver/"
)

// snapshotHead is what a world must be made of before its state is put in.
type snapshotHead struct {
	World   World
	Options struct {
		Seed         uint64
		Quiet, Trace bool
		Settled      bool
		BootTime     int64
		BusTimeout   int64
		MaxCatchUp   int64
	}
	Controllers map[string][]byte // states of the robots' controllers that can write them
	Controlled  []string          // robots with a controller
	Added       []addedThing
}

// Snapshot writes the state of the running world, so that Restore can continue it: robots with all their chips, what
// is on its way, generators, the trace. Not part of it are programs that use the buses, open cameras and the clock. A
// controller's state is part of it if the controller implements encoding.BinaryMarshaler. The world stands still
// meanwhile.
func (s *Simulation) Snapshot(w io.Writer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	head, err := s.head()
	if err != nil {
		return err
	}
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(head); err != nil {
		return fmt.Errorf("%w: %w", ErrSnapshot, err)
	}
	if err := checkpoint.Save(&body, s, snapshotModule); err != nil {
		return fmt.Errorf("%w: %w", ErrSnapshot, err)
	}
	sum := sha256.Sum256(body.Bytes())
	if _, err := io.WriteString(w, snapshotMagic); err != nil {
		return err
	}
	packed := gzip.NewWriter(w)
	if _, err := packed.Write(append(sum[:], body.Bytes()...)); err != nil {
		return err
	}
	return packed.Close()
}

// head describes how the world was made.
func (s *Simulation) head() (*snapshotHead, error) {
	h := &snapshotHead{World: *s.made, Controllers: make(map[string][]byte)}
	h.World.Robots, h.Added = nil, s.addedThings()
	for _, u := range s.units {
		h.World.Robots = append(h.World.Robots, *u.made)
	}
	o := &h.Options
	o.Seed, o.Quiet, o.Trace, o.Settled = s.opts.Seed, s.opts.Quiet, s.opts.Trace, s.opts.Settled
	o.BootTime, o.BusTimeout, o.MaxCatchUp = int64(s.opts.BootTime), int64(s.opts.BusTimeout), int64(s.opts.MaxCatchUp)
	for _, u := range s.units {
		state, controlled, err := u.plant.saveController()
		if err != nil {
			return nil, fmt.Errorf("%w: controller of %q: %w", ErrSnapshot, u.name, err)
		}
		if controlled {
			h.Controlled = append(h.Controlled, u.name)
		}
		if state != nil {
			h.Controllers[u.name] = state
		}
	}
	return h, nil
}

// maxSnapshot bounds the size of a snapshot that is read, bytes.
const maxSnapshot = 1 << 32

// Restore makes a world that continues from a snapshot: what happens to it is what would have happened, byte
// for byte. Of the options those that change what happens are the snapshot's; clocks, workers and the logger are the
// caller's. For each robot that had a controller it asks for one; a state that was written is handed to its
// UnmarshalBinary. Errors wrap [ErrSnapshot].
func Restore(r io.Reader, opts Options, controller func(r *Functional) Controller) (*Simulation, error) {
	head, body, err := openSnapshot(r)
	if err != nil {
		return nil, err
	}
	o := &head.Options
	opts.Seed, opts.Quiet, opts.Trace, opts.Settled = o.Seed, o.Quiet, o.Trace, o.Settled
	opts.BootTime, opts.BusTimeout, opts.MaxCatchUp = time.Duration(o.BootTime), time.Duration(o.BusTimeout), time.Duration(o.MaxCatchUp)
	s, err := found(&head.World, opts)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSnapshot, err)
	}
	s.addThings(head.Added)
	if err := checkpoint.Load(body, s, snapshotModule); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSnapshot, err)
	}
	s.outline()
	s.kernel.Resume()
	s.scattered.Store(true)
	s.spoken.Store(true)
	for _, name := range head.Controlled {
		if err := s.resume(name, head.Controllers[name], controller); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// resume restores the controller of the robot of a name.
func (s *Simulation) resume(name string, state []byte, maker func(r *Functional) Controller) error {
	i := slices.IndexFunc(s.units, func(u *unit) bool { return u.name == name })
	controlled := false
	if i >= 0 && maker != nil {
		var err error
		if controlled, err = s.units[i].plant.loadController(state, maker); err != nil {
			return fmt.Errorf("%w: controller of %q: %w", ErrSnapshot, name, err)
		}
	}
	if !controlled {
		s.kernel.RemoveController()
	}
	return nil
}

// openSnapshot checks a snapshot and returns its head and its state.
func openSnapshot(r io.Reader) (*snapshotHead, io.Reader, error) {
	magic := make([]byte, len(snapshotMagic))
	if _, err := io.ReadFull(r, magic); err != nil || string(magic) != snapshotMagic {
		return nil, nil, fmt.Errorf("%w: begins with %q, not with %q", ErrSnapshot, magic, snapshotMagic)
	}
	unpacked, err := gzip.NewReader(r)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrSnapshot, err)
	}
	all, err := io.ReadAll(io.LimitReader(unpacked, maxSnapshot))
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrSnapshot, err)
	}
	if len(all) < sha256.Size || sha256.Sum256(all[sha256.Size:]) != [sha256.Size]byte(all) {
		return nil, nil, fmt.Errorf("%w: damaged: the checksum does not match", ErrSnapshot)
	}
	body := bytes.NewReader(all[sha256.Size:]) // a ByteReader: gob takes no more than its own
	head := new(snapshotHead)
	if err := gob.NewDecoder(body).Decode(head); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrSnapshot, err)
	}
	if err := head.World.Check(); err != nil && len(head.World.Robots) > 0 {
		return nil, nil, fmt.Errorf("%w: %w", ErrSnapshot, err)
	}
	return head, body, nil
}

// found makes a world and its robots without asking whether there is space where they started.
func found(w *world.World, opts Options) (*Simulation, error) {
	opts = opts.withDefaults()
	s := &Simulation{
		opts: opts, made: w, things: make(map[string]thing),
		root: noise.New(opts.Seed), gone: sha256.New(),
	}
	s.kernel.Init(kernel.Config{
		World: surroundings{s}, Now: opts.Now, MaxCatchUp: opts.MaxCatchUp, Workers: opts.Workers, Exchange: cyclesPerMessage,
	})
	s.build(w)
	s.units = make([]*unit, 0, len(w.Robots))
	for i := range w.Robots {
		u, err := s.newRobot(&w.Robots[i])
		if err != nil {
			return nil, err
		}
		s.enter(u)
	}
	return s, nil
}

// addedThing is what a snapshot says of a thing that was put into the running world, for it to be there again.
type addedThing struct {
	Name          string
	Disc          bool
	X, Y, Yaw     float64
	Length, Width float64 // of a disc its radius
	Height        float64
	Load          world.Load
}

// addedThings describes what was put into the running world.
func (s *Simulation) addedThings() (all []addedThing) {
	for _, m := range s.movables {
		if !m.added {
			continue
		}
		b := &m.body
		p, size := b.Pose(), b.Shape.Size()
		a := addedThing{
			Name: m.name, Disc: b.Shape.Kind() == geom.Disc, X: p.X, Y: p.Y, Yaw: p.Theta, Length: size.X, Width: size.Y,
			Height: b.Shape.Height(), Load: world.Load{Movable: true, Mass: b.Mass, Friction: b.Floor},
		}
		if a.Disc {
			a.Length = b.Shape.Reach()
		}
		all = append(all, a)
	}
	return all
}

// addThings puts things back that are in a snapshot; what else is to be known of them is in its state.
func (s *Simulation) addThings(all []addedThing) {
	for _, a := range all {
		at := geom.Vec{X: a.X, Y: a.Y}
		shape := geom.NewBox(at, geom.Vec{X: a.Length, Y: a.Width}, a.Yaw, a.Height)
		if a.Disc {
			shape = geom.NewDisc(at, a.Length, a.Height)
		}
		s.addMovable(&Thing{Name: a.Name, Shape: shape}, a.Load)
	}
}
