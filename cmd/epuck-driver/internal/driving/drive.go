// SPDX-License-Identifier: Apache-2.0

// Package driving implements the commands that drive a robot of the network through its topics: at given speeds, by
// keyboard or joystick, to a goal, and along a path that maps an area.
package driving

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/robot"
)

const (
	// drivePeriod is the period of cmd_vel: well below cmd_vel_timeout.
	drivePeriod = 100 * time.Millisecond
	// robotWait is the time-out for a robot's subscription; discovery takes at most a second.
	robotWait = 10 * time.Second
	// stopMessages is the number of stop commands at the end, in case one is lost; otherwise the robot's time-out
	// stops it.
	stopMessages = 3
)

// drivePlan has the arguments of the command line.
type drivePlan struct {
	v, w     float64 // m/s forward, rad/s to the left
	duration time.Duration
}

// NewDriveCommand returns the command that publishes cmd_vel for a time, then zero.
func NewDriveCommand(p *frame.Program) *cobra.Command {
	var plan drivePlan
	cmd := &cobra.Command{
		Use:   "drive V W",
		Short: "Publish cmd_vel: V m/s forward, W rad/s to the left",
		Long: "Publishes cmd_vel for a time, V m/s forward and W rad/s to the left, and then zero. It waits until a robot\n" +
			"subscribes, in its namespace if the ROS arguments have one.",
		Example: "  epuck-driver drive 0.05 0.5 --for 4s\n" +
			"  epuck-driver drive -0.05 0 --ros-args -r __ns:=/robot1",
		Args: plan.arguments,
	}
	plan.flags(cmd.Flags())
	on := network.Flags(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return plan.drive(cmd.Context(), p, *on) }
	return cmd
}

func (plan *drivePlan) flags(f *pflag.FlagSet) {
	f.DurationVar(&plan.duration, "for", 2*time.Second, "how long")
}

// arguments parses the speeds. It is a cobra.PositionalArgs.
func (plan *drivePlan) arguments(_ *cobra.Command, args []string) error {
	if plan.duration <= 0 {
		return frame.Usagef("--for %v: want a time above zero, such as 2s", plan.duration)
	}
	if len(args) != 2 {
		return frame.Usagef("want two speeds, V in m/s and W in rad/s, got %d", len(args))
	}
	for i, to := range []*float64{&plan.v, &plan.w} {
		v, err := frame.Number("speed", args[i])
		if err != nil {
			return err
		}
		*to = v
	}
	return nil
}

// beyond returns a sentence for speeds that an e-puck2 can't reach, whose driver scales them down to the maximum
// speed of the wheels. Other robots may be faster. For lower speeds it is empty.
func (plan *drivePlan) beyond() string {
	wheel := math.Abs(plan.v) + math.Abs(plan.w)*robot.WheelDistance/2
	limit := 2 * math.Pi * robot.WheelRadius * robot.MaxSteps / robot.StepsPerTurn
	if wheel <= limit {
		return ""
	}
	return fmt.Sprintf(": beyond the limit of an e-puck2, whose wheels reach %.3f m/s; it drives at most %.3f m/s, %.3f rad/s",
		limit, plan.v*limit/wheel, plan.w*limit/wheel)
}

// drive joins the network, waits for a robot and publishes the speeds.
func (plan *drivePlan) drive(ctx context.Context, p *frame.Program, on network.Choice) (err error) {
	log := slog.New(tty.NewConsole(p.Err))
	session, err := network.Join("epuck_drive", false, on, p.ROS, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	pub, err := openPublisher(ctx, session.Node, p.Err)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Out, "%g m/s, %g rad/s for %v%s\n", plan.v, plan.w, plan.duration, plan.beyond())
	return plan.publish(ctx, pub)
}

// publish sends the speeds for the plan's duration and then zero, also when ctx ends earlier.
func (plan drivePlan) publish(ctx context.Context, pub commandPublisher) error {
	limit, cancel := frame.Limited(ctx, plan.duration)
	defer cancel()
	tick := time.NewTicker(drivePeriod)
	defer tick.Stop()
	var failed error
	for failed == nil && limit.Err() == nil {
		failed = pub.drive(plan.v, plan.w)
		select {
		case <-tick.C:
		case <-limit.Done():
		}
	}
	for range stopMessages {
		failed = errors.Join(failed, pub.drive(0, 0))
		<-tick.C
	}
	return failed
}
