// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
	"github.com/epuck-ros2/epuck-driver/sim/world"
	"github.com/epuck-ros2/epuck-driver/universal"
)

// modelOptions are the flags of sim for robots of other kinds.
type modelOptions struct{ name string }

func (o *modelOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.name, "robot", "", "a robot of another kind instead of the world's: one of "+strings.Join(library.Names(), ", ")+",\n"+
		"the beginning of one of these, or a `FILE` of URDF, SDF or PROTO; the universal driver makes its topics")
}

// replace puts the robot that is asked for in the place of the world's first, and of all others.
func (o *modelOptions) replace(w *sim.World) error {
	if o.name == "" {
		return nil
	}
	r := world.Robot{Model: o.name, Position: w.Robots[0].Position, Yaw: w.Robots[0].Yaw}
	if strings.ContainsAny(o.name, "./"+string(filepath.Separator)) {
		text, err := readModel(o.name)
		if err != nil {
			return err
		}
		r.Model, r.Description = filepath.Base(o.name), text
	} else if names := library.Names(); !slices.Contains(names, o.name) {
		for _, name := range names {
			if strings.HasPrefix(name, o.name) {
				r.Model = name
			}
		}
	}
	r.Name = universal.Plain(strings.TrimSuffix(r.Model, filepath.Ext(r.Model)))
	changed := *w
	changed.Robots = []world.Robot{r}
	if err := changed.Check(); err != nil {
		return fmt.Errorf("--robot: %w", err)
	}
	w.Robots = changed.Robots
	return nil
}

// readModel reads a description.
func readModel(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("--robot: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	text, err := io.ReadAll(io.LimitReader(f, world.MaxModelSize+1))
	if err != nil {
		return nil, fmt.Errorf("--robot: %w", err)
	}
	return text, nil
}

// models makes the robots of a world that have a model.
func models() sim.GuestMaker { return machine.Maker(library.Parse, library.Load) }
