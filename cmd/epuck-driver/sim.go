// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// runSim runs the driver on the first robot of a simulated world, in real time.
func runSim(ctx context.Context, s streams, args []string) error {
	rosArgs, rest, err := ros2.ParseArgs(args)
	if err != nil {
		return usagef("%v", err)
	}
	set := flag.NewFlagSet("sim", flag.ContinueOnError)
	name := set.String("world", "arena", "world file, or one of "+strings.Join(sim.ExampleWorlds(), ", "))
	seed := set.Uint64("seed", 1, "seed of all noise and faults")
	duration := set.Duration("for", 0, "end after this time; 0 is never")
	if err := parseFlags(set, rest); err != nil {
		return err
	}
	world, err := sim.LoadWorld(*name)
	if err != nil {
		return err
	}
	simulation, err := sim.New(world, sim.Options{Seed: *seed, Now: time.Now, Sleep: time.Sleep})
	if err != nil {
		return err
	}
	robot := simulation.Robots()[0]
	return service{
		args: rosArgs, duration: *duration,
		open: func(*ros2.Node, *slog.Logger) (i2c.Bus, io.Closer, error) { return robot.Bus(), robot.Bus(), nil },
		ready: func(n *ros2.Node, _ *driver.Driver) error {
			_, err := io.WriteString(s.out, simBanner(*name, *seed, robot.Name(), n))
			return err
		},
	}.serve(ctx, s)
}

// simBanner tells a newcomer what runs and what to do next.
func simBanner(world string, seed uint64, robot string, n *ros2.Node) string {
	cmdVel, err := n.ResolveName("cmd_vel")
	if err != nil {
		cmdVel = "cmd_vel"
	}
	namespace := n.Name().Namespace
	again := ""
	if namespace != "/" {
		again = " --ros-args -r __ns:=" + namespace
	}
	odom := strings.TrimSuffix(cmdVel, "cmd_vel") + "odom"
	return fmt.Sprintf(`Simulated robot %q in world %q (seed %d) is node %s.
Drive it from another shell:
  epuck-driver drive 0.05 0.5 --for 4s%s
or from any ROS 2 machine of this network and domain:
  ros2 topic list
  ros2 topic echo %s
  ros2 topic pub -r 10 %s geometry_msgs/msg/Twist '{linear: {x: 0.05}, angular: {z: 0.5}}'
Ctrl-C stops the wheels and ends it.
`, robot, world, seed, n.FullName(), again, odom, cmdVel)
}
