// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

const (
	// drivePeriod is how often cmd_vel is sent: well within cmd_vel_timeout.
	drivePeriod = 100 * time.Millisecond
	// robotWait is how long drive waits for a robot to listen; discovery takes a second at most.
	robotWait = 10 * time.Second
	// stopMessages are sent at the end, in case one is lost; the robot's own time-out is behind them.
	stopMessages = 3
)

// drivePlan is what the command line asks for.
type drivePlan struct {
	v, w     float64 // m/s forward, rad/s to the left
	duration time.Duration
}

// runDrive publishes cmd_vel for a while, then zero.
func runDrive(ctx context.Context, s streams, args []string) (err error) {
	rosArgs, rest, err := ros2.ParseArgs(args)
	if err != nil {
		return usagef("%v", err)
	}
	on, rest, err := takeNetwork(rest, args)
	if err != nil {
		return err
	}
	plan, err := parseDrive(rest)
	if err != nil {
		return err
	}
	log := slog.New(newConsole(s.err))
	session, err := join("epuck_drive", false, on, rosArgs, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	pub, err := awaitRobot(ctx, session.node)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%g m/s, %g rad/s for %v\n", plan.v, plan.w, plan.duration)
	return plan.publish(ctx, pub)
}

// awaitRobot offers cmd_vel and returns once somebody listens.
func awaitRobot(ctx context.Context, node *ros2.Node) (*ros2.Publisher[geometry_msgs.Twist], error) {
	listens := make(chan struct{}, 1)
	pub, err := ros2.NewPublisher[geometry_msgs.Twist](node, "cmd_vel", ros2.DefaultQoS(), ros2.OnSubscribers(func(n int) {
		if n > 0 {
			select {
			case listens <- struct{}{}:
			default:
			}
		}
	}))
	if err != nil {
		return nil, err
	}
	timeout := time.NewTimer(robotWait)
	defer timeout.Stop()
	select {
	case <-listens:
		return pub, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-timeout.C:
		topic, err := node.ResolveName("cmd_vel")
		return nil, errors.Join(err, fmt.Errorf("nobody listens on %s: is the robot running, in the same network and ROS_DOMAIN_ID?", topic))
	}
}

// publish sends the speeds for the plan's time and then zero, also when ctx ends before.
func (p drivePlan) publish(ctx context.Context, pub *ros2.Publisher[geometry_msgs.Twist]) error {
	limit, cancel := limited(ctx, p.duration)
	defer cancel()
	tick := time.NewTicker(drivePeriod)
	defer tick.Stop()
	move := geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: p.v}, Angular: geometry_msgs.Vector3{Z: p.w}}
	var failed error
	for failed == nil && limit.Err() == nil {
		failed = pub.Publish(&move)
		select {
		case <-tick.C:
		case <-limit.Done():
		}
	}
	for range stopMessages {
		failed = errors.Join(failed, pub.Publish(&geometry_msgs.Twist{}))
		<-tick.C
	}
	return failed
}

// parseDrive reads "V W [--for D]" in any order. Package flag would take a negative speed for an option.
func parseDrive(args []string) (drivePlan, error) {
	plan := drivePlan{duration: 2 * time.Second}
	var speeds []float64
	for i := 0; i < len(args); i++ {
		name, value, joined := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		if strings.HasPrefix(args[i], "-") && name == "for" {
			if !joined {
				if i++; i == len(args) {
					return drivePlan{}, usagef("--for needs a time, such as 2s")
				}
				value = args[i]
			}
			d, err := time.ParseDuration(value)
			if err != nil || d <= 0 {
				return drivePlan{}, usagef("--for %q: want a time above zero, such as 2s", value)
			}
			plan.duration = d
			continue
		}
		v, err := strconv.ParseFloat(args[i], 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return drivePlan{}, usagef("%q is no speed", args[i])
		}
		speeds = append(speeds, v)
	}
	if len(speeds) != 2 {
		return drivePlan{}, usagef("want two speeds, V in m/s and W in rad/s, got %d", len(speeds))
	}
	plan.v, plan.w = speeds[0], speeds[1]
	return plan, nil
}
