// SPDX-License-Identifier: Apache-2.0

package simulate

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/orderlog"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/page"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/simclient"
	"github.com/epuck-ros2/epuck-driver/internal/suggest"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// NewCommand returns the command sim: it runs the driver on the first robot of a simulated world, in real time, or
// makes this robot's buses device files, for a driver in another process. Its sub-commands are the same command as
// "run", and the commands for a running simulation.
func NewCommand(p *frame.Program) *cobra.Command {
	cmd := newRun(p, "sim", "Run the driver on simulated robots")
	cmd.AddCommand(newRun(p, "run", "Run a simulation, as sim does without a command"))
	cmd.AddCommand(simclient.Commands(p)...)
	cmd.AddCommand(orderlog.NewDiff(p), newSchema(p))
	cmd.AddCommand(faultCommands(p)...)
	return cmd
}

// newSchema returns the command that prints the JSON schema of world files.
func newSchema(p *frame.Program) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON schema of world files, for editors",
		Long: "Prints the JSON schema of world files. Editors with yaml-language-server check and complete a world file whose\n" +
			"first line is \"# yaml-language-server: $schema=world.schema.json\".",
		Example: "  epuck-driver sim schema > world.schema.json",
		Args:    frame.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			text, err := world.Schema()
			if err != nil {
				return err
			}
			_, err = p.Out.Write(text)
			return err
		},
	}
}

// newRun returns the command that runs a simulation, under the given name.
func newRun(p *frame.Program, name, short string) *cobra.Command {
	o := simOptions{site: page.Site{Fallback: true}}
	cmd := &cobra.Command{
		Use:   name,
		Short: short,
		Long: "Runs the driver on a simulated robot in real time, or on many at any speed.\n\n" +
			"The driver exchanges the same bytes with the robot's virtual chips as with real ones. With --i2c-device\n" +
			"the robot's bus is a device file for any program instead.\n\n" +
			"Of a world with several robots, or with --robots, each is a node of its own: robot epuck1 is\n" +
			"/epuck1/epuck_driver, and epuck1/ is the prefix of its frames. Robots of the level functional have the same\n" +
			"topics without a driver and a bus behind them, and cost a fraction of its time.",
		Example: "  epuck-driver sim\n" +
			"  epuck-driver sim --world maze --seed 7 --for 1m --ros-args -r __ns:=/robot1\n" +
			"  epuck-driver sim --robots 100 --level functional\n" +
			"  epuck-driver sim --world swarm\n" +
			"  epuck-driver sim --robot turtlebot3\n" +
			"  epuck-driver sim --set 'robots[0].imu=icm20948' --set 'arena.size=[2, 1]'\n" +
			"  epuck-driver sim --world empty --robots 20 --level functional --real-time-factor 10\n" +
			"  epuck-driver sim --world empty --robots 1000 --level functional --controller avoid --real-time-factor max --for 1m\n" +
			"  epuck-driver sim --world empty --robots 20 --level functional --traci\n" +
			"  epuck-driver sim --world maze --webots\n" +
			"  epuck-driver sim --world empty --robots 3 --wifi\n" +
			"  epuck-driver sim --world swarm --order fixed --members planner,brain --order-log run1.order\n" +
			"  epuck-driver sim --like my-robot.zip\n" +
			"  epuck-driver sim --world camera --snapshot picture.png\n" +
			"  sudo epuck-driver sim --i2c-device 12 --truth /run/truth.json",
	}
	cmd.Args = func(cmd *cobra.Command, args []string) (err error) {
		if len(args) > 0 && frame.BareAddress(cmd) == "" {
			if err = noWorld(args[0]); err != nil {
				return err
			}
		}
		if err = frame.NoArguments(cmd, args); err != nil {
			return err
		}
		o.swarm.robotsGiven = cmd.Flags().Changed("robots")
		o.worldGiven = cmd.Flags().Changed("world")
		if o.settings, err = frame.ApplySettings(cmd, o.set); err != nil {
			return err
		}
		return errors.Join(o.check(), o.controller.keepGiven(cmd.Flags()))
	}
	o.flags(cmd.Flags())
	words := func(w []string) cobra.CompletionFunc {
		return cobra.FixedCompletions(w, cobra.ShellCompDirectiveNoFileComp)
	}
	// These fail for flags that don't exist only, which the tests would see.
	_ = cmd.RegisterFlagCompletionFunc("world", cobra.FixedCompletions(sim.ExampleWorlds(), cobra.ShellCompDirectiveDefault))
	_ = cmd.RegisterFlagCompletionFunc("set", func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		keys := append(frame.CompleteSetting(cmd, typed), world.CompleteSetting(typed)...)
		return keys, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	})
	_ = cmd.RegisterFlagCompletionFunc("level", words(world.Levels()))
	_ = cmd.RegisterFlagCompletionFunc("imu", words([]string{"mpu9250", "icm20948", "none"}))
	on := network.Flags(p, cmd)
	frame.Paginate(cmd, flagPages())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		o.ros, o.on, o.rosLine = p.ROS, *on, rulesOf(p.Line)
		if o.snapshot == "" {
			var left atomic.Uint64 // the removal of a thousand robots takes a while
			o.left = func() { left.Add(1) }
			p.Detach(cmd.Context(), left.Load)
		}
		return o.run(cmd.Context(), p.Streams)
	}
	return cmd
}

// flagPages divides the flags of sim into pages of help.
func flagPages() frame.FlagPages {
	return frame.FlagPages{
		Common: [][2]string{
			{"world", "a world file, or maze, line … (default arena)"},
			{"set", "another value for a field: 'robots[0].imu=none'"},
			{"robots", "so many robots instead of the world's"},
			{"robot", "of another kind: turtlebot3, a file of URDF …"},
			{"level", "firmware (default), functional (fast) or target"},
			{"for", "end after this time, as in 10s"},
			{"real-time-factor", "of time: 1 (default), 10 …, 0 (paused) or max"},
			{"seed", "of all noise and faults (default 1)"},
			{"web", "where the page for browsers is, or off"},
		},
		Pages: []frame.FlagPage{
			{
				Name: "world", Title: "the world and its fields",
				Flags: []string{"world", "set", "seed"},
				Notes: "Fields are those of a world file (docs/explanation/simulation.md, and the JSON schema that sim schema prints for " +
					"editors). Items of a list are selected by their index from 0, by their name or by * for all; an " +
					"empty value removes the field.",
			},
			{
				Name: "robots", Title: "number and kind of the robots",
				Flags: []string{"robots", "robot", "robot-settings", "distribution", "controller", "fault", "like"},
			},
			{
				Name: "level", Title: "level of the robots, and the cost of their work",
				Flags: []string{"level", "cost"},
			},
			{
				Name: "time", Title: "real-time factor and end",
				Flags: []string{"for", "real-time-factor"},
			},
			{
				Name: "network", Title: "transport, and the page for browsers",
				Flags: []string{"transport", "simulation-interfaces", "web", "web-host", "web-origin", "web-tls"},
			},
			{
				Name: "traci", Title: "clients of TraCI, SUMO's protocol",
				Flags: []string{"traci", "remote-port", "num-clients", "step-length", "net-file", "configuration-file"},
			},
			{
				Name: "webots", Title: "controllers written for Webots",
				Flags: []string{"webots"},
			},
			{
				Name: "devices", Title: "the robot's buses as devices, and its own Wi-Fi protocol",
				Flags: []string{"i2c-device", "i2c-board-device", "node", "wifi"},
			},
			{
				Name: "recording", Title: "files of results, checkpoints",
				Flags: []string{"truth", "report", "snapshot", "save", "at", "restore"},
			},
			{
				Name: "determinism", Title: "runs that repeat exactly",
				Flags: []string{"seed", "trace-hash", "order", "members", "order-log", "order-replay"},
			},
		},
		Settings: []frame.FlagSetting{
			{Key: "robots[*].imu", Flag: "imu", World: true},
			{Key: "robots[*].without", Flag: "without", World: true},
			{Key: "target.driver", Flag: "target-driver", Page: "level"},
			{Key: "target.program", Flag: "target-program", Page: "level"},
			{Key: "target.parameters", Flag: "target-parameters", Page: "level"},
			{Key: "target.radio", Flag: "target-radio", Page: "level"},
			{Key: "target.camera", Flag: "target-camera", Page: "level"},
			{Key: "order.limit", Flag: "order-limit", Page: "determinism"},
			{Key: "traci.allow", Flag: "traci-allow", Page: "traci"},
			{Key: "traci.absence", Flag: "traci-absence", Page: "traci"},
			{Key: "traci.timeout", Flag: "traci-patience", Page: "traci", Former: "traci.patience"},
			{Key: "webots.absence", Flag: "webots-absence", Page: "webots"},
			{Key: "webots.allow", Flag: "webots-allow", Page: "webots"},
			{Key: "webots.controllers", Flag: "webots-controllers", Page: "webots"},
			{Key: "webots.release", Flag: "webots-release", Page: "webots"},
			{Key: "webots.step", Flag: "webots-step", Page: "webots"},
			{Key: "webots.timeout", Flag: "webots-patience", Page: "webots", Former: "webots.patience"},
			{Key: "webots.camera", Flag: "webots-camera", Page: "webots"},
		},
	}
}

// equipmentOptions are the flags of the robots' equipment.
type equipmentOptions struct{ imu, without string }

func (o *equipmentOptions) equipmentFlags(f *pflag.FlagSet) {
	f.StringVar(&o.imu, "imu", "", "`MODEL` of the IMU, instead of the world's: mpu9250, icm20948 or none")
	f.StringVar(&o.without, "without", "", "`PARTS` to leave out, with commas between: ground, tof, imu, …")
}

// noWorld returns an error of usage for a world or a robot that is given without its flag, as in "sim maze", with the
// flag to use; nil for other words.
func noWorld(word string) error {
	if near := suggest.Near(word, sim.ExampleWorlds()); slices.Contains(sim.ExampleWorlds(), word) {
		return frame.Usagef("unexpected argument %q; did you mean --world %s?", word, word)
	} else if model := simclient.KnownModel(word); model != "" {
		return frame.Usagef("unexpected argument %q; did you mean --robot %s?", word, word)
	} else if ext := filepath.Ext(word); ext == ".yaml" || ext == ".yml" || ext == ".wbt" {
		return frame.Usagef("unexpected argument %q; did you mean --world %s?", word, word)
	} else if len(near) > 0 {
		return frame.Usagef("unexpected argument %q; did you mean --world %s?", word, near[0])
	}
	if robots, err := strconv.Atoi(word); err == nil && robots > 0 {
		return frame.Usagef("unexpected argument %q; did you mean --robots %d?", word, robots)
	}
	return nil
}
