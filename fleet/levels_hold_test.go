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

// A calibration of the infrared sensors takes the same simulated time at both levels; that of the IMU is the driver's, of
// samples of both.
func TestLevelsAgreeOnCalibrations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		took := map[string][]time.Duration{}
		for _, level := range []string{world.LevelFirmware, world.LevelFunctional} {
			g := newRig(t, "robots: [{name: r, yaw: 0}]", level)
			g.run(bringUp)
			for _, service := range []string{"calibrate_ir", "calibrate_imu"} {
				c, err := ros2.NewClient(g.node, std_srvs.Trigger{}, "/r/"+service)
				if err != nil {
					t.Fatal(err)
				}
				r, d := g.call(c)
				if !r.Success {
					t.Errorf("%s: %+v", level, r)
				}
				took[service] = append(took[service], d)
			}
		}
		for service, of := range took {
			if d := (of[0] - of[1]).Abs(); d > 150*time.Millisecond || of[0] < time.Second {
				t.Errorf("%s takes %v at the firmware level, %v at the functional", service, of[0], of[1])
			}
		}
	})
}

// The battery of a functional robot that becomes critical stops its wheels; when it is charged they turn again.
func TestFunctionalBatteryStopsTheWheels(t *testing.T) {
	g := newRig(t, "stations: [{name: s, position: [0.4, 0.4], radius: 0.05}]\nrobots: [{name: r, battery: {capacity: 300, charge: 0.12}}]",
		world.LevelFunctional)
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
	if truth := robot.GroundTruth(); truth.Weak || truth.Dead || odom.Twist.Twist.Angular.Z != 0 {
		t.Errorf("%+v", truth)
	}
	if err := robot.Place(sim.Pose{X: 0.4, Y: 0.4}); err != nil {
		t.Fatal(err)
	}
	g.run(3 * time.Second)
	if drive(); drive() < 0.5 {
		t.Errorf("at the charging station it turns with %g rad/s", odom.Twist.Twist.Angular.Z)
	}
}
