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
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/checkpoint"
	"github.com/epuck-ros2/epuck-driver/sim/scene"
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
	Added       []scene.Added
}

// Snapshot writes the state of the running world, so that Restore can continue it: robots with all their chips, what
// is on its way, generators, the trace. Not part of it are programs that use the buses, open cameras and the clock. A
// controller's state is part of it if the controller implements encoding.BinaryMarshaler. The world stands still
// meanwhile.
func (s *Simulation) Snapshot(w io.Writer) error {
	s.world.Enter()
	defer s.world.Unlock()
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
	h.World.Robots, h.Added = nil, s.world.Scene.Added()
	for _, u := range s.world.Units() {
		h.World.Robots = append(h.World.Robots, *u.Made())
	}
	o := &h.Options
	o.Seed, o.Quiet, o.Trace, o.Settled = s.opts.Seed, s.opts.Quiet, s.opts.Trace, s.opts.Settled
	o.BootTime, o.BusTimeout, o.MaxCatchUp = int64(s.opts.BootTime), int64(s.opts.BusTimeout), int64(s.opts.MaxCatchUp)
	for _, u := range s.world.Units() {
		p, ok := u.Plant().(controllable)
		if !ok {
			continue
		}
		state, controlled, err := p.SaveController()
		if err != nil {
			return nil, fmt.Errorf("%w: controller of %q: %w", ErrSnapshot, u.Name(), err)
		}
		if controlled {
			h.Controlled = append(h.Controlled, u.Name())
		}
		if state != nil {
			h.Controllers[u.Name()] = state
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
	s.world.Scene.Restore(head.Added)
	if err := checkpoint.Load(body, s, snapshotModule); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSnapshot, err)
	}
	s.world.Resume()
	for _, name := range head.Controlled {
		if err := s.resume(name, head.Controllers[name], controller); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// controllable is a robot that may have a controller.
type controllable interface {
	SaveController() (state []byte, controlled bool, err error)
	LoadController(state []byte, maker func(*Functional) Controller) (controlled bool, err error)
}

// resume restores the controller of the robot of a name.
func (s *Simulation) resume(name string, state []byte, maker func(r *Functional) Controller) error {
	controlled := false
	if u := s.world.Find(name); u != nil && maker != nil {
		if p, ok := u.Plant().(controllable); ok {
			var err error
			if controlled, err = p.LoadController(state, maker); err != nil {
				return fmt.Errorf("%w: controller of %q: %w", ErrSnapshot, name, err)
			}
		}
	}
	if !controlled {
		s.world.Kernel.RemoveController()
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
