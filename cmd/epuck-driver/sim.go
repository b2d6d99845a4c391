// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// simOptions are the command line of sim.
type simOptions struct {
	ros                 ros2.Args
	on                  network
	world, imu, without string
	seed                uint64
	duration            time.Duration
	device, board       int    // numbers of device files, noDevice for none
	truth               string // file for what the robot really does
	node                bool   // the driver, too, although there are device files
	snapshot            string // file for one picture, instead of anything else
}

func parseSim(args []string) (o simOptions, err error) {
	var rest []string
	if o.ros, rest, err = ros2.ParseArgs(args); err != nil {
		return o, usagef("%v", err)
	}
	if o.on, rest, err = takeNetwork(rest, args); err != nil {
		return o, err
	}
	set := flag.NewFlagSet("sim", flag.ContinueOnError)
	set.StringVar(&o.world, "world", "arena", "world file, or one of "+strings.Join(sim.ExampleWorlds(), ", "))
	set.Uint64Var(&o.seed, "seed", 1, "seed of all noise and faults")
	set.StringVar(&o.imu, "imu", "", "model of the IMU, instead of the world's: mpu9250, icm20948 or none")
	set.StringVar(&o.without, "without", "", "parts to leave out, with commas between: ground, tof, imu, …")
	set.DurationVar(&o.duration, "for", 0, "end after this time; 0 is never")
	set.IntVar(&o.device, "i2c-device", noDevice, "make the robot's bus /dev/i2c-N for any program, instead of running the driver (root, kernel module cuse)")
	set.IntVar(&o.board, "i2c-board-device", noDevice, "make the Pi-puck board's bus /dev/i2c-N, too")
	set.StringVar(&o.truth, "truth", "", "with --i2c-device: write what the robot really does to this JSON file")
	set.BoolVar(&o.node, "node", false, "with --i2c-device: run the driver as well")
	set.StringVar(&o.snapshot, "snapshot", "", "write what the robot's camera shows to this PNG file, and end")
	if err := parseFlags(set, rest); err != nil {
		return o, err
	}
	if o.device < 0 && (o.board >= 0 || o.truth != "" || o.node) {
		return o, usagef("--i2c-board-device, --truth and --node go with --i2c-device")
	}
	if o.device >= 0 && o.device == o.board {
		return o, usagef("two buses can't both be /dev/i2c-%d", o.device)
	}
	return o, nil
}

// runSim runs the driver on the first robot of a simulated world, in real time; or makes this robot's buses device files,
// for a driver that runs elsewhere.
func runSim(ctx context.Context, s streams, args []string) error {
	o, err := parseSim(args)
	if err != nil {
		return err
	}
	world, err := loadWorld(o.world, o.imu, o.without)
	if err != nil {
		return err
	}
	simulation, err := sim.New(world, sim.Options{Seed: o.seed, Now: time.Now, Sleep: time.Sleep})
	if err != nil {
		return err
	}
	robot := simulation.Robots()[0]
	if o.snapshot != "" {
		if err := snapshot(robot, o.snapshot); err != nil {
			return err
		}
		_, err := fmt.Fprintf(s.out, "Wrote %s: what the camera of robot %q in world %q shows, 640×480.\n", o.snapshot, robot.Name(), o.world)
		return err
	}
	if o.device < 0 {
		return o.service(robot, s).serve(ctx, s)
	}
	ctx, cancel := limited(ctx, o.duration)
	defer cancel()
	return newSockets(robot, o.device, o.board, o.ros.Logger(slog.New(newConsole(s.err)), simLogger)).offer(ctx, robot, o.truth, func(ctx context.Context) error {
		if err := deviceBanner(s.out, o.world, robot.Name(), o.device, o.board); err != nil {
			return err
		}
		if o.node {
			return o.service(robot, s).serve(ctx, s)
		}
		return serveDevices(ctx)
	})
}

// service is the driver on the simulated robot.
func (o simOptions) service(robot *sim.Robot, s streams) service {
	return service{
		args: o.ros, on: o.on, duration: o.duration,
		open: func(*ros2.Node, *slog.Logger) (hardware, error) { return simulated(robot) },
		ready: func(n *ros2.Node, _ *driver.Driver) error {
			banner, err := simBanner(o.world, o.seed, robot.Name(), n)
			if err != nil {
				return err
			}
			_, err = io.WriteString(s.out, banner)
			return err
		},
	}
}

// loadWorld loads a world and changes its robots as the command line wants them.
func loadWorld(name, imu, without string) (*sim.World, error) {
	world, err := sim.LoadWorld(name)
	if err != nil {
		return nil, err
	}
	parts, err := sim.ParseParts(without)
	if err != nil {
		return nil, usagef("--without: %v", err)
	}
	if err := world.Refit(sim.Outfit{IMU: imu, Without: parts}); err != nil {
		return nil, usagef("%v", err)
	}
	return world, nil
}

// simulated is the hardware of a simulated robot.
func simulated(r *sim.Robot) (hardware, error) {
	charger, err := pipuck.NewCharger(r.Pin(pipuck.PinCharger))
	if err != nil {
		return hardware{}, err
	}
	return hardware{
		bus: r.Bus(), board: r.BoardBus(), files: r.BatteryFS(), charger: charger.Connected, optics: simulatedCamera(r),
		close: func() error { return errors.Join(r.Bus().Close(), r.BoardBus().Close()) },
	}, nil
}

// simBanner tells a newcomer what runs and what to do next.
func simBanner(world string, seed uint64, robot string, n *ros2.Node) (string, error) {
	cmdVel, err := n.ResolveName("cmd_vel")
	if err != nil {
		return "", err
	}
	odom, err := n.ResolveName("odom")
	if err != nil {
		return "", err
	}
	picture, err := n.ResolveName("image_raw")
	if err != nil {
		return "", err
	}
	again := ""
	if namespace := n.Name().Namespace; namespace != "/" {
		again = " --ros-args -r __ns:=" + namespace
	}
	return fmt.Sprintf(`Simulated robot %q in world %q (seed %d) is node %s.
  publishes  %s
  listens to %s
Drive it from another shell:
  %s drive 0.05 0.5 --for 4s%s
or from any ROS 2 machine of this network and domain:
  ros2 topic echo %s
  ros2 run rqt_image_view rqt_image_view %s
  ros2 topic pub -r 10 %s geometry_msgs/msg/Twist '{linear: {x: 0.05}, angular: {z: 0.5}}'
Ctrl-C stops the wheels and ends it.
`, robot, world, seed, n.FullName(), topicNames(driver.Published), topicNames(driver.Subscribed),
		os.Args[0], again, odom, picture, cmdVel), nil
}

// topicNames lists the topics of one direction in a line; of a family only the ends.
func topicNames(d driver.Direction) string {
	var names []string
	for _, t := range driver.Topics() {
		if t.Direction != d {
			continue
		}
		names = append(names, t.Name+numbers(t.Numbers))
	}
	return strings.Join(names, " ")
}

// numbers writes the members of a family of topics: 0…7, or 0,2,4,6.
func numbers(of []int) string {
	n := len(of)
	if n > 1 && of[n-1]-of[0] == n-1 {
		return fmt.Sprintf("%d…%d", of[0], of[n-1])
	}
	var b strings.Builder
	for i, v := range of {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(v))
	}
	return b.String()
}
