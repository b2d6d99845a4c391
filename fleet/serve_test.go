// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// TestCommandsReachTheWheelsBetweenCycles: a simulated driver does not only make its control cycles: a command
// counts from the next step, and a part that is read more often than there are cycles is.
func TestCommandsReachTheWheelsBetweenCycles(t *testing.T) {
	w, err := sim.ParseWorld([]byte("robots: [{name: r}]"))
	if err != nil {
		t.Fatal(err)
	}
	args := func(string, string) (ros2.Args, error) {
		a, _, err := ros2.ParseArgs([]string{"--ros-args", "-p", "imu_rate:=100.0"})
		return a, err
	}
	g := newRigOf(t, w, sim.Options{Seed: 1, Settled: true}, fleet.Config{Alone: true, Args: args})
	move := say[geometry_msgs.Twist](g, "/cmd_vel")
	g.run(time.Second) // until the IMU is there
	samples := 0
	sub, err := ros2.NewSubscription(g.node, "/imu", ros2.SensorDataQoS(), func(*sensor_msgs.Imu, ros2.MessageInfo) { samples++ })
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = sub.Close() }()
	g.run(time.Second)
	if samples < 90 {
		t.Errorf("%d samples of the IMU in a second, want about 100", samples)
	}
	move(&geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 0.1}})
	g.run(20 * time.Millisecond) // of a control period of 50 ms
	if v := sim.RobotsOf[*sim.Firmware](g.sim)[0].GroundTruth().V; math.Abs(v-0.1) > 0.01 {
		t.Errorf("20 ms after the command the robot drives at %g m/s", v)
	}
}

// TestDriversEndWhenTheirBusFails: a driver that can't stop the wheels when the run ends gives up in time, although the
// world's clock goes by steps and the last one has been made.
func TestDriversEndWhenTheirBusFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, err := sim.ParseWorld([]byte("robots: [{name: r}]"))
		if err != nil {
			t.Fatal(err)
		}
		clock, err := simclock.New(simclock.Config{Epoch: time.Unix(100, 0), Factor: 1})
		if err != nil {
			t.Fatal(err)
		}
		s, err := sim.New(w, sim.Options{Seed: 1, Settled: true, Now: clock.Now})
		if err != nil {
			t.Fatal(err)
		}
		transport := ros2test.NewTransport()
		defer func() { _ = transport.Close() }()
		robots, err := fleet.New(fleet.Config{
			Simulation: s, Transport: transport, Clock: clock,
			Hardware: func(r fleet.Chips, _ *ros2.Node) (driver.Config, func() error, error) {
				return driver.Config{Hardware: &chips.Robot{Bus: r.Bus()}}, func() error { return nil }, nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		node, err := ros2.NewNode(ros2.NodeConfig{Name: "driver_of_robots", Transport: transport})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = node.Close() }()
		pub, err := ros2.NewPublisher[geometry_msgs.Twist](node, "/r/cmd_vel", ros2.DefaultQoS())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = pub.Close() }()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var group task.Group
		group.Go("time", func() {
			if err := robots.Run(ctx, clock); err != nil {
				t.Error(err)
			}
		})
		time.Sleep(500 * time.Millisecond)
		if err := pub.Publish(&geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 0.1}}); err != nil {
			t.Fatal(err)
		}
		group.Wait()
		if err := sim.RobotsOf[*sim.Firmware](s)[0].Faults().Hold(vbus.Fault{Kind: vbus.NAK}); err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		clock.Release()
		if err := robots.Close(); err == nil {
			t.Error("wheels that could not be stopped are no error")
		}
		if took := time.Since(begun); took > 2*time.Second {
			t.Errorf("the end took %v", took)
		}
	})
}

// TestRobotBesidesOneAlone: a robot that is added to a world of one has a namespace of its own; the first one keeps the
// names of a single robot.
func TestRobotBesidesOneAlone(t *testing.T) {
	w, err := sim.ParseWorld([]byte("robots: [{name: r}]"))
	if err != nil {
		t.Fatal(err)
	}
	g := newRigOf(t, w, sim.Options{Seed: 1, Settled: true}, fleet.Config{Alone: true})
	late := w.Robots[0]
	late.Name, late.Level, late.Position = "late", world.LevelFunctional, world.Point{0.3, 0.3}
	second, err := g.sim.Spawn(late)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.fleet.Add(second); err != nil {
		t.Fatal(err)
	}
	g.run(time.Second)
	for name, want := range map[string]string{"r": "/epuck_driver", "late": "/late/epuck_driver"} {
		if node, ok := g.fleet.NodeOf(name); !ok || node.FullName() != want {
			t.Errorf("robot %s is node %s, want %s", name, node.FullName(), want)
		}
	}
	for _, name := range []string{"r", "late"} {
		if status, ok := g.fleet.Status(name); !ok || !status.Readings {
			t.Errorf("status %+v of robot %s", status, name)
		}
	}
}
