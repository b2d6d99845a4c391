// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package studies

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/simclient"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
	"github.com/epuck-ros2/epuck-driver/sim/robots/urdf"
)

// NewRobotsCommand returns the command that shows descriptions of robots.
func NewRobotsCommand(p *frame.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "robots",
		Short: "Show descriptions of robots: devices, frames, URDF",
		Long: "Shows descriptions of robots: those that come with this program, and any file of URDF, with blocks for Gazebo\n" +
			"in it, of SDF, or a PROTO or a world of Webots. A name with a dot or a slash is a file's.",
		Example: "  epuck-driver robots list\n  epuck-driver robots show ./mine.urdf",
	}
	cmd.AddCommand(newRobotsList(p), newRobotsShow(p), newRobotsFrames(p), newRobotsURDF(p))
	return cmd
}

func newRobotsList(p *frame.Program) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "The robots that come with this program",
		Long: "Lists the robots whose descriptions come with this program: their mass, wheels, greatest speed and devices.", Example: "  epuck-driver robots list", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			w := tabwriter.NewWriter(p.Out, 0, 0, 2, ' ', 0)
			_, _ = fmt.Fprintln(w, "NAME\tMASS\tWHEELS\tAPART\tSPEED\tDEVICES") // Flush has the error
			for _, name := range library.Names() {
				r, err := library.Load(name)
				if err != nil {
					return err
				}
				d := r.Drive
				_, _ = fmt.Fprintf(w, "%s\t%.3f kg\t%.4g mm\t%.4g mm\t%.3g m/s\t%s\n", name, r.Mass(), 1e3*d.Radius, 1e3*d.Separation, d.Speed, deviceCounts(r))
			}
			return w.Flush()
		},
	}
}

// deviceCounts returns the number of devices of each kind.
func deviceCounts(r *description.Robot) string {
	counts := map[description.DeviceKind]int{}
	var kinds []description.DeviceKind
	for i := range r.Devices {
		k := r.Devices[i].Kind
		if counts[k]++; counts[k] == 1 {
			kinds = append(kinds, k)
		}
	}
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = fmt.Sprintf("%d %s", counts[k], k)
	}
	return strings.Join(words, ", ")
}

// robotByName completes a command whose first argument is a robot, and which writes the parts of its description that
// are not understood as warnings.
func robotByName(p *frame.Program, cmd *cobra.Command, least, most int, run func(r *description.Robot, rest []string) error) *cobra.Command {
	cmd.Args = cobra.RangeArgs(least, most)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		name := args[0]
		if model := simclient.KnownModel(name); model != "" { // "turtlebot3", as sim --robot takes it
			name = model
		}
		r, err := library.Load(name)
		if errors.Is(err, library.ErrNoRobot) {
			return simclient.UnknownModel(name)
		}
		if err != nil {
			return err
		}
		if cmd.Name() != "show" { // whose output has them
			for _, n := range r.Ignored {
				if _, err := fmt.Fprintf(p.Err, "%s:%d: not understood: %s\n", args[0], n.Line, n.Text); err != nil {
					return err
				}
			}
		}
		return run(r, args[1:])
	}
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return library.Names(), cobra.ShellCompDirectiveDefault
	}
	return cmd
}

func newRobotsShow(p *frame.Program) *cobra.Command {
	asJSON := false
	cmd := robotByName(p, &cobra.Command{
		Use: "show ROBOT", Short: "What a description says, and what of it is not understood",
		Long:    "Shows the wheels, the joints that move, the devices with their figures, and each line that has no meaning here.",
		Example: "  epuck-driver robots show khepera4\n  epuck-driver robots show --json ./mine.sdf",
	}, 1, 1, func(r *description.Robot, _ []string) error {
		if asJSON {
			e := json.NewEncoder(p.Out)
			e.SetIndent("", "  ")
			return e.Encode(r)
		}
		return showRobot(p.Out, r)
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON: all of it, in metres, radians, kilograms")
	return cmd
}

// showRobot writes a description as text.
func showRobot(out io.Writer, r *description.Robot) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) } // Flush has the error
	say("%s: %d links, %d joints, %.3f kg\n", r.Name, len(r.Links), len(r.Joints), r.Mass())
	if d := r.Drive; d != nil {
		say("wheels %s and %s, radius %.4g mm, %.4g mm apart\n", strings.Join(d.Left, ", "), strings.Join(d.Right, ", "), 1e3*d.Radius, 1e3*d.Separation)
	}
	for i := range r.Joints {
		if j := &r.Joints[i]; j.Moves() {
			say("joint %s\t%s\t%s to %s\n", j.Name, j.Kind, j.Parent, j.Child)
		}
	}
	for i := range r.Devices {
		d := &r.Devices[i]
		say("%s %s\ton %s\t%s\n", d.Kind, d.Name, d.Link, deviceFigures(d))
	}
	for _, n := range r.Ignored {
		say("line %d: not understood: %s\n", n.Line, n.Text)
	}
	return w.Flush()
}

// deviceFigures returns the figures of a device in one line.
func deviceFigures(d *description.Device) string {
	var words []string
	add := func(format string, args ...any) { words = append(words, fmt.Sprintf(format, args...)) }
	if d.Rate != 0 {
		add("%.4g/s", d.Rate)
	}
	if g := d.Range; g != nil {
		add("%.4g to %.4g m", g.Min, g.Max)
	}
	if f := d.Fan; f != nil {
		add("%d rays from %.4g to %.4g rad", f.Samples, f.MinAngle, f.MaxAngle)
	}
	if i := d.Image; i != nil {
		add("%d×%d, %.4g rad wide", i.Width, i.Height, i.FieldOfView)
	}
	if n := len(d.Table); n > 0 {
		add("table of %d rows", n)
	}
	return strings.Join(words, ", ")
}

func newRobotsFrames(p *frame.Program) *cobra.Command {
	return robotByName(p, &cobra.Command{
		Use: "frames ROBOT [JOINT=POSITION …]", Short: "Where each frame is in the first one, metres and radians (roll, pitch, yaw)",
		Long:    "Writes x, y, z, roll, pitch, yaw and the name of each frame. Joints that are not named are at 0.",
		Example: "  epuck-driver robots frames epuck2\n  epuck-driver robots frames ./arm.urdf shoulder=0.5 elbow=-1",
	}, 1, 1+description.MaxParts, func(r *description.Robot, rest []string) error {
		positions := map[string]float64{}
		for _, word := range rest {
			name, text, ok := strings.Cut(word, "=")
			if !ok {
				return frame.Usagef("%q: want JOINT=POSITION, in rad or m", word)
			}
			v, err := frame.Number("position", text)
			if err != nil {
				return frame.Usagef("%q: %v; want JOINT=POSITION, in rad or m", word, err)
			}
			positions[name] = v
		}
		poses, err := r.Transforms(positions)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(p.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
		for i := range r.Links {
			pose := poses[r.Links[i].Name]
			roll, pitch, yaw := pose.RPY()
			v := pose.Position
			for _, n := range []float64{v.X, v.Y, v.Z, roll, pitch, yaw} {
				_, _ = fmt.Fprintf(w, "%.4f\t", n+0) // Flush has the error
			}
			_, _ = fmt.Fprintf(w, "  %s\n", r.Links[i].Name)
		}
		return w.Flush()
	})
}

func newRobotsURDF(p *frame.Program) *cobra.Command {
	squash, keep := false, []string(nil)
	cmd := robotByName(p, &cobra.Command{
		Use: "urdf ROBOT", Short: "Write URDF of a description, for robot_state_publisher and RViz",
		Long: "Writes the robot as URDF: links, joints and shapes, and its devices and its drive in blocks for Gazebo. Rotations are\n" +
			"about fixed axes, roll first.",
		Example: "  epuck-driver robots urdf turtlebot3_burger > burger.urdf\n" +
			"  epuck-driver robots urdf --squash --keep base_scan ./robot.sdf > small.urdf",
	}, 1, 1, func(r *description.Robot, _ []string) error {
		for _, name := range keep {
			if r.Link(name) == nil {
				return frame.Usagef("--keep %s: the robot has no such link", name)
			}
		}
		if squash {
			r = r.Squash(func(link string) bool { return slices.Contains(keep, link) })
		}
		_, err := p.Out.Write(urdf.Write(r))
		return err
	})
	f := cmd.Flags()
	f.BoolVar(&squash, "squash", false, "make links on fixed joints part of what they are fixed to")
	f.StringSliceVar(&keep, "keep", nil, "with --squash, leave `LINK` as it is; may be given again")
	return cmd
}
