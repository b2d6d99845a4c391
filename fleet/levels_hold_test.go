// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// call calls a service while time passes, and returns the answer and the simulated time until it came. It is for tests
// in a synctest bubble.
func (g *rig) call(c *ros2.Client[std_srvs.TriggerRequest, std_srvs.TriggerResponse]) (std_srvs.TriggerResponse, time.Duration) {
	g.t.Helper()
	type outcome struct {
		answer *std_srvs.TriggerResponse
		err    error
	}
	answered := make(chan outcome, 1)
	go func() {
		r, err := c.Call(context.Background(), &std_srvs.TriggerRequest{})
		answered <- outcome{r, err}
	}()
	for from := g.clock.Now(); g.clock.Now().Sub(from) < 20*time.Second; g.run(10 * time.Millisecond) {
		time.Sleep(2 * time.Millisecond) // of the bubble's time: until the goroutines of the service wait
		select {
		case o := <-answered:
			if o.err != nil {
				g.t.Fatal(o.err)
			}
			return *o.answer, g.clock.Now().Sub(from)
		default:
		}
	}
	g.t.Fatal("no answer in 20 simulated seconds")
	panic("unreachable")
}

// A calibration takes the same simulated time at both levels, in which the robot ignores commands.
func TestLevelsAgreeOnCalibrations(t *testing.T) {
	for _, service := range []string{"calibrate_ir", "calibrate_imu"} {
		synctest.Test(t, func(t *testing.T) {
			var took []time.Duration
			for _, level := range []string{world.LevelFirmware, world.LevelFunctional} {
				g := newRig(t, "robots: [{name: r, yaw: 0}]", level)
				odom := hear[nav_msgs.Odometry](g, "/r/odom", ros2.DefaultQoS())
				c, err := ros2.NewClient(g.node, std_srvs.Trigger{}, "/r/"+service)
				if err != nil {
					t.Fatal(err)
				}
				g.run(bringUp)
				r, d := g.call(c)
				if !r.Success || odom.Twist.Twist.Linear.X != 0 {
					t.Errorf("%s: %+v, speed %g", level, r, odom.Twist.Twist.Linear.X)
				}
				took = append(took, d)
			}
			if d := (took[0] - took[1]).Abs(); d > 150*time.Millisecond || took[0] < time.Second {
				t.Errorf("%s takes %v at the firmware level, %v at the functional", service, took[0], took[1])
			}
		})
	}
}

// A battery that becomes critical stops the wheels at both levels at the same time, to a measurement a second and three
// that must agree; a charging station lets them turn again.
func TestLevelsAgreeOnACriticalBattery(t *testing.T) {
	var stopped []time.Duration
	for _, level := range []string{world.LevelFirmware, world.LevelFunctional} {
		g := newRig(t, "stations: [{name: s, position: [0.4, 0.4], radius: 0.05}]\nrobots: [{name: r, battery: {capacity: 300, charge: 0.12}}]", level)
		move := say[geometry_msgs.Twist](g, "/r/cmd_vel")
		odom := hear[nav_msgs.Odometry](g, "/r/odom", ros2.DefaultQoS())
		g.run(2 * time.Second)
		drive := func() float64 {
			move(&geometry_msgs.Twist{Angular: geometry_msgs.Vector3{Z: 1}})
			g.run(200 * time.Millisecond)
			return odom.Twist.Twist.Angular.Z
		}
		from, robot := g.clock.Now(), g.sim.Robots()[0]
		for drive(); odom.Twist.Twist.Angular.Z != 0 && g.clock.Now().Sub(from) < 2*time.Minute; {
			drive()
		}
		truth := robot.GroundTruth()
		t.Logf("%s: %v, %.3f V", level, g.clock.Now().Sub(from), truth.Voltage)
		if truth.Weak || truth.Dead || odom.Twist.Twist.Angular.Z != 0 {
			t.Errorf("%s: %+v", level, truth)
		}
		stopped = append(stopped, g.clock.Now().Sub(from))
		if err := robot.Place(sim.Pose{X: 0.4, Y: 0.4}); err != nil {
			t.Fatal(err)
		}
		g.run(3 * time.Second)
		if drive(); drive() < 0.5 {
			t.Errorf("%s: at the charging station it turns with %g rad/s", level, odom.Twist.Twist.Angular.Z)
		}
	}
	if d := (stopped[0] - stopped[1]).Abs(); d > 1200*time.Millisecond {
		t.Errorf("it stops after %v at the firmware level, %v at the functional", stopped[0], stopped[1])
	}
}
