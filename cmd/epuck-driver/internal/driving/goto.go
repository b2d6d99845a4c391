// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package driving

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/internal/cmdvel"
	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/navigation"
	navnode "github.com/epuck-ros2/epuck-driver/navigation/node"
	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/waiting"
)

// goOptions are the options of goto, path and navigate.
type goOptions struct {
	frame     string
	mapTopic  string
	scans     []string
	speed     float64
	turn      float64
	radius    float64
	exact     bool
	stamped   bool
	isStamped *pflag.Flag // its Changed reports whether stamped was set
	mapFrame  string
	baseFrame string
}

func (o *goOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.mapTopic, "map", "", "topic of a static map; without one everything is free that was not observed otherwise")
	frame.Several(f, &o.scans, "scan", "use these LaserScan topics instead of the e-puck2's Range topics ps0 … ps7 and tof")
	f.Float64Var(&o.speed, "speed", 0.05, "maximum speed in m/s")
	f.Float64Var(&o.turn, "turn", 1, "maximum rate of turn in rad/s")
	f.Float64Var(&o.radius, "radius", robot.ContactRadius+robot.PlanningMargin, "minimum distance of the robot's centre from obstacles, in metres")
	f.BoolVar(&o.stamped, "stamped", false, "publish cmd_vel as a TwistStamped, whatever the robot subscribes to; without it the type is the robot's")
	o.isStamped = f.Lookup("stamped")
	f.StringVar(&o.mapFrame, "map-frame", "map", "frame of the map")
	f.StringVar(&o.baseFrame, "base-frame", "base_link", "frame of the robot")
}

// start joins the network and creates a navigator. The caller closes both.
func (o *goOptions) start(name string, p *frame.Program, on network.Choice) (*network.Session, *navnode.Node, error) {
	for _, f := range []struct {
		flag  string
		value float64
	}{{"speed", o.speed}, {"turn", o.turn}, {"radius", o.radius}} {
		if !(f.value > 0) || math.IsInf(f.value, 0) {
			return nil, nil, frame.Usagef("--%s %v: want a number above zero", f.flag, f.value)
		}
	}
	session, err := network.Join(name, true, on, p.ROS, slog.New(tty.NewConsole(p.Err)))
	if err != nil {
		return nil, nil, err
	}
	n, err := navnode.New(navnode.Config{
		Node: session.Node, Map: o.mapTopic, Scans: o.scans, Exact: o.exact, Stamped: o.stamped,
		DetectStamped: !o.isStamped.Changed, MapFrame: o.mapFrame, BaseFrame: o.baseFrame,
		Drive: navigation.Config{
			Limits: navigation.Limits{Speed: o.speed, Turn: o.turn}, Planner: navigation.Planner{Radius: o.radius},
		},
	})
	if err != nil {
		return nil, nil, errors.Join(err, session.Close())
	}
	return session, n, nil
}

// goals drives the robot to the goals in sequence.
func (o *goOptions) goals(ctx context.Context, p *frame.Program, on network.Choice, goals []navigation.Goal) (err error) {
	session, n, err := o.start("epuck_goto", p, on)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.Close(), session.Close()) }()
	poses := make([]geometry_msgs.PoseStamped, len(goals))
	for i, g := range goals {
		poses[i].Header.FrameID = o.frame
		poses[i].Pose.Position.X, poses[i].Pose.Position.Y = g.X, g.Y
		if !math.IsNaN(g.Theta) {
			poses[i].Pose.Orientation.Z, poses[i].Pose.Orientation.W = math.Sin(g.Theta/2), math.Cos(g.Theta/2)
		}
	}
	stop, err := awaitOdometry(session, p.Err)
	if err != nil {
		return err
	}
	defer stop()
	listener, err := commandPeer(session.Node, o.commandType())
	if err != nil {
		return err
	}
	defer network.NoticeMissing(session.Transport, p.Err, listener)()
	var last navnode.Progress
	reported := -reportPeriod
	err = n.Drive(ctx, poses, func(now navnode.Progress) {
		stop()
		if now.Reached > last.Reached || now.Took-reported >= reportPeriod {
			reported = now.Took
			fmt.Fprintln(p.Out, progressLine(now, len(goals)))
		}
		last = now
	})
	if err == nil {
		fmt.Fprintf(p.Out, "arrived after %.1f s, at (%.3f, %.3f)\n", last.Took.Seconds(), last.Pose.X, last.Pose.Y)
	}
	return err
}

// commandType returns the type of cmd_vel that --stamped requires; empty for the robot's type.
func (o *goOptions) commandType() string {
	switch {
	case !o.isStamped.Changed:
		return ""
	case o.stamped:
		return cmdvel.TwistStamped
	}
	return cmdvel.Twist
}

// reportPeriod is the period of progress lines.
const reportPeriod = 2 * time.Second

func progressLine(p navnode.Progress, goals int) string {
	s := fmt.Sprintf("goal %d of %d, at (%.3f, %.3f), %.2f m to go", min(p.Reached+1, goals), goals, p.Pose.X, p.Pose.Y, p.Remaining)
	if p.Recoveries > 0 {
		s += fmt.Sprintf(", %d recoveries", p.Recoveries)
	}
	return s
}

// NewGotoCommand returns the command that drives to a position.
func NewGotoCommand(p *frame.Program) *cobra.Command {
	var o goOptions
	var goal navigation.Goal
	cmd := &cobra.Command{
		Use:   "goto X Y [YAW]",
		Short: "Drive to a position, around obstacles",
		Long: "Drives a robot to a position, X and Y in metres, and turns it to the heading YAW in radians if it is given. It\n" +
			"avoids obstacles that the distance sensors observe, and maps them, so that it finds out of dead ends. The exit\n" +
			"status is 0 when the robot has arrived; Ctrl-C stops it.",
		Example: "  epuck-driver goto 0.3 0.1\n" +
			"  epuck-driver goto --frame map --map map -- -0.2 0 1.57     with a map and a localisation",
		Args: func(_ *cobra.Command, args []string) (err error) {
			goal, err = goalOf(args)
			return err
		},
	}
	o.flags(cmd.Flags())
	cmd.Flags().StringVar(&o.frame, "frame", "", "frame of the position; empty is odometry's")
	on := network.Flags(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return o.goals(cmd.Context(), p, *on, []navigation.Goal{goal})
	}
	return cmd
}

// goalOf parses a goal of the command line.
func goalOf(args []string) (g navigation.Goal, err error) {
	if len(args) != 2 && len(args) != 3 {
		return g, frame.Usagef("want X and Y in metres, and optionally YAW in radians, got %d numbers", len(args))
	}
	g.Theta = navigation.AnyHeading
	for i, to := range []*float64{&g.X, &g.Y, &g.Theta}[:len(args)] {
		if *to, err = frame.Number("number", args[i]); err != nil {
			return g, err
		}
	}
	return g, nil
}

// NewPathCommand returns the command that drives along a path.
func NewPathCommand(p *frame.Program) *cobra.Command {
	var o goOptions
	cmd := &cobra.Command{
		Use:   "path FILE",
		Short: "Drive to several positions in sequence",
		Long: "Drives a robot to the positions of a file, one per line: x and y in metres and optionally the heading in\n" +
			"radians, separated by blanks or commas; # starts a comment. With --exact it drives straight from position\n" +
			"to position and ignores obstacles, as for the path of a benchmark.",
		Example: "  epuck-driver path rounds.txt\n" +
			"  epuck-driver path --exact --speed 0.04 benchmark.txt",
		Args: cobra.ExactArgs(1),
	}
	o.flags(cmd.Flags())
	cmd.Flags().StringVar(&o.frame, "frame", "", "frame of the positions; empty is odometry's")
	cmd.Flags().BoolVar(&o.exact, "exact", false, "straight from position to position, ignoring obstacles")
	on := network.Flags(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		file, err := regular.Open(args[0])
		if err != nil {
			return err
		}
		goals, err := navigation.ReadPath(file)
		if err = errors.Join(err, file.Close()); err != nil {
			return filekind.Explain(args[0], fmt.Errorf("%s: %w", args[0], err))
		}
		return o.goals(cmd.Context(), p, *on, goals)
	}
	return cmd
}

// NewNavigateCommand returns the command that serves Nav2's actions.
func NewNavigateCommand(p *frame.Program) *cobra.Command {
	var o goOptions
	cmd := &cobra.Command{
		Use:   "navigate",
		Short: "Drive to goals from RViz, Nav2's clients and others",
		Long: "Serves the actions navigate_to_pose and follow_waypoints with Nav2's types (those of Humble) and listens to\n" +
			"goal_pose, RViz' \"2D Goal Pose\". It publishes cmd_vel while the robot drives, plan, the path, and seen, the map\n" +
			"of the sensors' observations.",
		Example: "  epuck-driver navigate\n" +
			"  epuck-driver topic pub --once /goal_pose geometry_msgs/msg/PoseStamped '{pose: {position: {x: 0.3}}}'",
		Args: cobra.NoArgs,
	}
	o.flags(cmd.Flags())
	on := network.Flags(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		session, n, err := o.start("epuck_navigate", p, *on)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, n.Close(), session.Close()) }()
		stop, err := awaitOdometry(session, p.Err)
		if err != nil {
			return err
		}
		defer stop()
		fmt.Fprintln(p.Out, "waiting for goals on navigate_to_pose, follow_waypoints and goal_pose; Ctrl-C ends")
		select {
		case <-cmd.Context().Done():
			return nil
		case <-session.Node.Done():
			return session.Node.Err()
		}
	}
	return cmd
}

// awaitOdometry reports after a second that no odometry arrives, and why, until stop is called.
func awaitOdometry(s *network.Session, to io.Writer) (stop func(), err error) {
	topic, err := s.Node.ResolveName("odom")
	if err != nil {
		return nil, err
	}
	return network.Notice(s.Transport, to, waiting.Peer{
		Kind: ros2.PublisherEndpoint, Name: topic, Type: (&nav_msgs.Odometry{}).ROSType(), AnyQoS: true, Own: s.Node.Name(),
	}), nil
}
