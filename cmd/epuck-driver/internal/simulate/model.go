// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/driver"
	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
	"github.com/epuck-ros2/epuck-driver/sim/world"
	"github.com/epuck-ros2/epuck-driver/universal"
)

// modelOptions are the flags of sim for robots of other kinds.
type modelOptions struct {
	name, file string
	settings   *universal.File // of the file, nil: there is none
}

func (o *modelOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.name, "robot", "", "a robot of another kind instead of the world's: one of "+strings.Join(library.Names(), ", ")+",\n"+
		"the beginning of one of these, or a `FILE` of URDF, SDF or PROTO; the universal driver makes its topics")
	f.StringVar(&o.file, "robot-settings", "", "with --robot: a `FILE` of the universal driver's settings, which count more than the description and\n"+
		"less than ROS parameters")
}

// replace puts the robot that is asked for in the place of the world's first, and of all others.
func (o *modelOptions) replace(w *sim.World) error {
	if err := o.read(); err != nil || o.name == "" {
		return err
	}
	r := world.Robot{Position: w.Robots[0].Position, Yaw: w.Robots[0].Yaw}
	var err error
	if r.Model, r.Description, err = findModel(o.name); err != nil {
		return err
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

// findModel gives the name of a robot and, of a file, its text: names may be the beginnings of those of the library.
func findModel(name string) (model string, text []byte, err error) {
	if strings.ContainsAny(name, "./"+string(filepath.Separator)) {
		if text, err = readModel(name); err != nil {
			err = fmt.Errorf("--robot: %w", err)
		}
		return filepath.Base(name), text, err
	}
	if names := library.Names(); !slices.Contains(names, name) {
		for _, n := range names {
			if strings.HasPrefix(n, name) {
				model = n
			}
		}
	}
	return cmp.Or(model, name), nil, nil
}

// read reads the settings file.
func (o *modelOptions) read() error {
	if o.file == "" {
		return nil
	}
	if o.name == "" {
		return frame.Usagef("--robot-settings goes with --robot")
	}
	text, err := readModel(o.file)
	if err == nil {
		o.settings, err = universal.ParseFile(text)
	}
	if err != nil {
		return fmt.Errorf("--robot-settings %s: %w", o.file, err)
	}
	return nil
}

// settingsOf are those of the robots of a model.
func (o *modelOptions) settingsOf(w *sim.World) map[string]*universal.File {
	if o.settings == nil {
		return nil
	}
	return map[string]*universal.File{w.Robots[0].Model: o.settings}
}

// guests makes robots of other kinds.
func (*modelOptions) guests() sim.GuestMaker { return models() }

// readModel reads a description, or settings, and no more than it may have.
func readModel(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	return io.ReadAll(io.LimitReader(f, world.MaxModelSize+1))
}

// models makes the robots of a world that have a model.
func models() sim.GuestMaker { return machine.Maker(library.Parse, library.Named) }

// spawnModel is the flag of sim spawn for robots of other kinds.
type spawnModel struct{ name string }

func (o *spawnModel) flags(f *pflag.FlagSet) {
	f.StringVar(&o.name, "robot", "", "a robot of another kind: one of "+strings.Join(library.Names(), ", ")+",\n"+
		"the beginning of one of these, or a `FILE` of URDF, SDF or PROTO")
}

// into asks for it.
func (o *spawnModel) into(q *si.SpawnEntityRequest) error {
	if o.name == "" {
		return nil
	}
	model, text, err := findModel(o.name)
	if err != nil {
		return err
	}
	q.Uri, q.ResourceString = model, string(text)
	if text != nil {
		q.Uri = ""
	}
	return nil
}

// whereabouts tells of the node of a robot that has come: by the description that was asked for or, where none was,
// by what the simulation says that it is like.
func (o *spawnModel) whereabouts(robot string, info func() (*si.GetEntityInfoResponse, error)) string {
	node, name := driver.NodeName, o.name
	if name == "" {
		r, err := info()
		if err != nil {
			return "in namespace /" + robot
		}
		if tags := r.Info.Tags; slices.Contains(tags, world.LevelDescribed) {
			name = r.Info.Description
			if !slices.Contains(library.Names(), name) { // a file, which is not here
				return "in namespace /" + robot
			}
		}
	}
	if name != "" {
		model, text, err := findModel(name)
		desc, unread := library.Load(model)
		if text != nil {
			desc, unread = library.Parse(model, text)
		}
		if err != nil || unread != nil {
			return "in namespace /" + robot
		}
		node = universal.NodeName(desc)
	}
	return "node /" + robot + "/" + node
}
