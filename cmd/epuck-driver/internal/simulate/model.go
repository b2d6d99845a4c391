// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/simclient"
	"github.com/epuck-ros2/epuck-driver/fleet/genericdriver"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// modelOptions are the flags of sim for robots of other kinds.
type modelOptions struct {
	name, file string
	settings   *genericdriver.File // of the file, nil: there is none
}

func (o *modelOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.name, "robot", "", "a robot of another kind: its `NAME` or a file of URDF, SDF, PROTO,\n"+
		"instead of the world's robots: one of "+strings.Join(library.Names(), ", ")+", or the beginning of one of these; "+
		"the generic driver makes its topics")
	f.StringVar(&o.file, "robot-settings", "", "with --robot: a `FILE` of the generic driver's settings, which count more than the description and "+
		"less than ROS parameters")
}

// replace replaces all robots of the world by the requested one, at the pose of the first.
func (o *modelOptions) replace(w *sim.World) error {
	if err := o.read(); err != nil || o.name == "" {
		return err
	}
	r := world.Robot{Position: w.Robots[0].Position, Yaw: w.Robots[0].Yaw}
	var err error
	if r.Model, r.Description, err = simclient.FindModel(o.name); err != nil {
		return err
	}
	r.Name = genericdriver.Plain(strings.TrimSuffix(r.Model, filepath.Ext(r.Model)))
	changed := *w
	changed.Robots = []world.Robot{r}
	if err := changed.Check(); err != nil {
		return fmt.Errorf("--robot: %w", err)
	}
	w.Robots = changed.Robots
	return nil
}

// read reads the settings file.
func (o *modelOptions) read() error {
	if o.file == "" {
		return nil
	}
	if o.name == "" {
		return frame.Usagef("--robot-settings goes with --robot")
	}
	text, err := simclient.ReadModel(o.file)
	if err == nil {
		o.settings, err = genericdriver.ParseFile(text)
	}
	if err != nil {
		return fmt.Errorf("--robot-settings %s: %w", o.file, err)
	}
	return nil
}

// settingsOf are those of the robots of a model.
func (o *modelOptions) settingsOf(w *sim.World) map[string]*genericdriver.File {
	if o.settings == nil {
		return nil
	}
	return map[string]*genericdriver.File{w.Robots[0].Model: o.settings}
}

// mechanisms makes articulated robots.
func (*modelOptions) mechanisms() sim.MechanismMaker { return models() }

// models makes the robots of a world that have a model.
func models() sim.MechanismMaker { return machine.Maker(library.Parse, library.Named) }
