// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/acceptance/misbuilt"
	"github.com/epuck-ros2/epuck-driver/acceptance/report"
	"github.com/epuck-ros2/epuck-driver/acceptance/twin"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/simclient"
	"github.com/epuck-ros2/epuck-driver/fleet/genericdriver"
	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/printable"
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
		err = filekind.ExplainData(o.file, text, err)
	}
	if err != nil {
		return fmt.Errorf("--robot-settings %s: %w", o.file, err)
	}
	return nil
}

// settingsOf returns the settings of the robots by their model.
func (o *modelOptions) settingsOf(w *sim.World) map[string]*genericdriver.File {
	if o.settings == nil {
		return nil
	}
	return map[string]*genericdriver.File{w.Robots[0].Model: o.settings}
}

// mechanisms returns the maker of articulated robots.
func (*modelOptions) mechanisms() sim.MechanismMaker { return models() }

// models returns the maker of the robots of a world that have a model.
func models() sim.MechanismMaker { return machine.Maker(library.Parse, library.Named) }

// wrongOptions are the flags of sim for robots with faults.
type wrongOptions struct {
	names []string                    // of faults
	like  string                      // file of a report
	text  string                      // the description of the report
	found map[string][]misbuilt.Fault // of the robots of the world, by their names
}

func (o *wrongOptions) flags(f *pflag.FlagSet) {
	f.StringSliceVar(&o.names, "fault", nil, "`NAME` of a fault that the robots of the level firmware have; sim faults lists them")
	f.StringVar(&o.like, "like", "", "the robots of the level firmware measure what the robot of this `REPORT` of acceptance\n"+
		"did: its faults, biases, noise, wheels, battery and errors of the bus")
}

// fit sets the wheels and batteries of the report on the robots of a world, and determines their other faults. An
// unknown fault is an error.
func (o *wrongOptions) fit(w *sim.World, seed uint64) error {
	named, err := misbuilt.FindAll(o.names...)
	if err != nil {
		return frame.Usagef("--fault: %v", err)
	}
	o.found = map[string][]misbuilt.Fault{}
	if o.like != "" {
		err = o.resemble(w, seed)
	}
	for _, r := range w.Robots {
		o.found[r.Name] = append(o.found[r.Name], named...)
	}
	return err
}

// resemble fits the robots to the robot of the report.
func (o *wrongOptions) resemble(w *sim.World, seed uint64) error {
	r, err := report.ReadFile(o.like)
	if err != nil {
		return fmt.Errorf("--like: %w", err)
	}
	t, err := twin.Of(r)
	if err != nil {
		return fmt.Errorf("--like %s: %w", o.like, err)
	}
	for i := range w.Robots {
		d := &w.Robots[i]
		if d.Level != world.LevelFirmware || d.Model != "" || d.IMU != world.IMUMPU9250 {
			return frame.Usagef("--like: robot %q is none of the level firmware with an MPU-9250", d.Name)
		}
		t.Fit(d)
		if o.found[d.Name], err = t.Faults(*d, seed); err != nil {
			return fmt.Errorf("--like %s: robot %q: %w", o.like, d.Name, err)
		}
	}
	o.text = fmt.Sprintf("Like the robot of %s, tested on %s: %d measurements.\n", printable.Line(o.like), r.Time.UTC().Format(time.DateTime), t.Measurements())
	if named := t.Named(); len(named) > 0 {
		o.text += "Its faults: " + strings.Join(named, ", ") + ".\n"
	}
	return nil
}

// describe writes the report that the robots are fitted to.
func (o *wrongOptions) describe(out io.Writer) { fmt.Fprint(out, o.text) }

// buses returns the buses of a robot and its board with its faults.
func (o *wrongOptions) buses(r drivenRobot) (robot, board i2c.Bus, err error) {
	if len(o.found[r.Name()]) == 0 {
		return r.Bus(), r.BoardBus(), nil
	}
	return misbuilt.Apply(r, o.found[r.Name()]...)
}

// faultCommands returns the command that lists the faults of simulated robots.
func faultCommands(p *frame.Program) []*cobra.Command {
	return []*cobra.Command{{
		Use:     "faults",
		Short:   "List the faults that --fault gives to simulated robots",
		Long:    "Lists the faults of real robots that --fault of sim and of acceptance gives to simulated ones.",
		Example: "  epuck-driver sim faults\n  epuck-driver sim --fault motors-swapped",
		Args:    frame.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			for _, f := range misbuilt.Faults() {
				if _, err := fmt.Fprintf(p.Out, "%-25s %s\n", f.Name, f.What); err != nil {
					return err
				}
			}
			return nil
		},
	}}
}
