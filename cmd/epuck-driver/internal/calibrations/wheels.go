// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package calibrations

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/calibration/procedure"
	"github.com/epuck-ros2/epuck-driver/calibration/sheet"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
)

// wheelsCommand has the options of calibrate wheels.
type wheelsCommand struct {
	calibration
	method string
	plan   procedure.WheelsPlan
	rounds int
	sensor int
	ends   string
	sheet  string
}

func newCalibrateWheelsCommand(p *frame.Program) *cobra.Command {
	c := &wheelsCommand{plan: procedure.SquaresPlan()}
	cmd := &cobra.Command{
		Use:   "wheels",
		Short: "Find the radii of both wheels and their distance",
		Long: "Drives squares both ways and straight runs (--method squares), or straight runs and turns on the spot (turns), and\n" +
			"prompts after each for the robot's true position. Print the sheet first (--sheet), tape it to the table and put the robot\n" +
			"on its mark before each run. --method spin needs no ruler: put the robot 1 to 3 cm from a white wall;\n" +
			"the infrared readings repeat after one turn, which yields the ratio of wheel distance to radius.\n\n" +
			"--ends is the source of the true positions: \"typed\" prompts, a FILE has lines \"ccw 1: X Y\" in mm, topic:NAME is a\n" +
			"geometry_msgs/PoseStamped of motion capture or an overhead camera, truth:FILE is written by sim --truth FILE.",
		Example: "  epuck-driver calibrate wheels --sheet start.pdf       print the sheet\n" +
			"  epuck-driver calibrate wheels                         5 + 5 squares of 0.3 m, ends typed in\n" +
			"  epuck-driver calibrate wheels --resume                continue after Ctrl-C\n" +
			"  epuck-driver calibrate wheels --method spin",
		Args: frame.NoArguments,
	}
	c.addFlags(cmd.Flags())
	c.flags(cmd, p)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return c.run(cmd.Context()) }
	// It fails only for flags that don't exist.
	_ = cmd.RegisterFlagCompletionFunc("method", cobra.FixedCompletions([]string{"squares", "turns", "spin"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (c *wheelsCommand) addFlags(f *pflag.FlagSet) {
	turns := procedure.TurnsPlan()
	f.StringVar(&c.method, "method", "squares", "squares, turns or spin")
	f.IntVar(&c.plan.Squares, "squares", c.plan.Squares, "squares in each direction")
	f.Float64Var(&c.plan.Side, "side", c.plan.Side, "side of a square, m")
	f.IntVar(&c.plan.Straights, "straights", c.plan.Straights, "straight runs")
	f.Float64Var(&c.plan.Straight, "straight", c.plan.Straight, "length of a straight run, m")
	f.IntVar(&c.plan.Turns, "turns", turns.Turns, "with --method turns: runs of turning on the spot in each direction")
	f.IntVar(&c.rounds, "rounds", 0, "revolutions of a turn or a spin; default 4, of a spin 5")
	f.IntVar(&c.sensor, "sensor", -1, "with --method spin: the infrared sensor, 0 to 7; −1 selects the one with the largest range of readings")
	f.Float64Var(&c.plan.Speed, "speed", c.plan.Speed, "linear speed, m/s")
	f.Float64Var(&c.plan.TurnSpeed, "turn-speed", c.plan.TurnSpeed, "speed of turning, rad/s")
	f.StringVar(&c.ends, "ends", "typed", "source of the true end positions: typed, FILE, topic:NAME, truth:FILE")
	c.keeps(f)
	f.StringVar(&c.sheet, "sheet", "", "write the sheet to print (.pdf or .svg) and do nothing else")
}

func (c *wheelsCommand) run(ctx context.Context) error {
	if c.sheet != "" {
		return writePage(c.sheet, sheet.Wheels())
	}
	switch c.method {
	case "squares":
		c.plan.Turns = 0
	case "turns":
		c.plan.Squares = 0
	case "spin":
		return c.spin(ctx)
	default:
		return frame.Usagef("--method %q: want squares, turns or spin", c.method)
	}
	if c.plan.Rounds = c.rounds; c.rounds == 0 {
		c.plan.Rounds = procedure.TurnsPlan().Rounds
	}
	if err := c.checkFiles(); err != nil {
		return err
	}
	return c.with(ctx, c.drive)
}

// drive drives the runs that the journal lacks, and computes the result.
func (c *wheelsCommand) drive(ctx context.Context, r *procedure.Robot, s *network.Session) error {
	ui := newUI(c.p)
	ends, closer, err := c.source(s, ui)
	if err != nil {
		return err
	}
	defer func() { _ = closer.Close() }() // a subscription, or noCloser
	j, err := c.open(s, "wheels")
	if err != nil {
		return err
	}
	if j.Plan == (procedure.WheelsPlan{}) {
		j.Plan = c.plan
	}
	if ends.Returns() {
		ui.Say("The robot drives by itself between your answers; keep its path clear. Ctrl-C stops it.")
	}
	if err := r.DriveRuns(ctx, ui, ends, j); err != nil {
		return c.kept(ui, j, err)
	}
	res, err := j.Estimate(ends.Reading())
	if err != nil {
		return fmt.Errorf("%w (the runs are kept in %s)", err, c.journal)
	}
	procedure.ReportWheels(ui, res, j.Geometry)
	if err := procedure.CheckWheels(res); err != nil {
		return fmt.Errorf("%w (the runs are kept in %s)", err, c.journal)
	}
	return c.kept(ui, j, c.keep(ctx, ui, r, procedure.WheelSettings(res, j.Robot, time.Now())))
}

// noCloser is an io.Closer that does nothing.
type noCloser struct{}

func (noCloser) Close() error { return nil }

// source returns the source of the ends.
func (c *wheelsCommand) source(s *network.Session, ui procedure.UI) (procedure.Ends, io.Closer, error) {
	kind, name, _ := strings.Cut(c.ends, ":")
	switch {
	case c.ends == "typed":
		return procedure.Typed{UI: ui}, noCloser{}, nil
	case kind == "topic" && name != "":
		return procedure.FromTopic(s.Node, name)
	case kind == "truth" && name != "":
		return procedure.FromTruth(name), noCloser{}, nil
	}
	f, err := regular.Open(c.ends)
	if err != nil {
		return nil, nil, frame.Usagef("--ends: %v; want typed, a file, topic:NAME or truth:FILE", err)
	}
	ends, err := procedure.ReadEnds(f)
	return ends, noCloser{}, errors.Join(filekind.Explain(c.ends, err), f.Close())
}

// spin turns on the spot near a wall.
func (c *wheelsCommand) spin(ctx context.Context) error {
	plan := procedure.SpinPlan{Rounds: c.rounds, TurnSpeed: c.plan.TurnSpeed, Sensor: c.sensor}
	if plan.Rounds == 0 {
		plan.Rounds = 5
	}
	if err := c.checkFiles(); err != nil {
		return err
	}
	return c.with(ctx, func(ctx context.Context, r *procedure.Robot, s *network.Session) error {
		ui := newUI(c.p)
		if c.ends == "typed" {
			if _, err := ui.Ask(ctx, "Put the robot 1 to 3 cm from a white wall, remove everything else around it, and press Enter:"); err != nil {
				return err
			}
		}
		j, err := c.open(s, "spin")
		if err != nil {
			return err
		}
		res, g, err := r.Spin(ctx, ui, plan, j)
		if err != nil {
			return c.kept(ui, j, err)
		}
		ui.Say("wheel distance %.4f -> %.4f ± %.4f mm (95 %%), for a radius of %.4f mm; autocorrelation after one turn %.2f",
			1000*g.Distance, 1000*res.DistanceOverRadius*g.Radius(), 1000*res.Interval*g.Radius(), 1000*g.Radius(), res.Repeats)
		return c.kept(ui, j, c.keep(ctx, ui, r, procedure.SpinSettings(res, g, j.Robot, time.Now())))
	})
}
