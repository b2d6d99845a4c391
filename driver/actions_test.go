// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/imu"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// ask calls a service of the driver as a user does.
func (r *rig) ask(name string) *std_srvs.TriggerResponse {
	r.Helper()
	c, err := ros2.NewClient(r.user, std_srvs.Trigger{}, name)
	r.must(err)
	defer func() { r.must(c.Close()) }()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	answer, err := c.Call(ctx, &std_srvs.TriggerRequest{})
	r.must(err)
	return answer
}

func everything(seed uint64) rigOptions {
	return rigOptions{parts: true, sim: sim.Options{Seed: seed, Now: time.Now, Sleep: pass}}
}

func TestResetOdometry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		odom := listenTo[nav_msgs.Odometry](r, "odom")
		r.drive(0.1, 0.5, 3*time.Second)
		before := *last(r, odom)
		if answer := r.ask("reset_odometry"); !answer.Success {
			t.Fatal(answer.Message)
		}
		n := len(odom())
		time.Sleep(60 * time.Millisecond)
		m := odom()[n]
		if p := m.Pose.Pose.Position; p.X < 0 || p.X > 0.02 || p.Y < -0.01 || p.Y > 0.01 {
			t.Errorf("the first pose after the reset is %+v", p)
		}
		if v, was := m.Twist.Twist.Linear.X, before.Twist.Twist.Linear.X; v < was-0.02 || v > was+0.02 {
			t.Errorf("the speed jumped from %v to %v m/s", was, v)
		}
		r.drive(0.1, 0, time.Second)
		if s := r.driver.Status(); s.X < 0.08 {
			t.Errorf("odometry does not continue: %v m", s.X)
		}
	})
}

func TestCalibrateIR(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, everything(1))
		r.drive(0.1, 0, time.Second)
		began := time.Now()
		done := make(chan *std_srvs.TriggerResponse)
		go func() { done <- r.ask("calibrate_ir") }()
		time.Sleep(500 * time.Millisecond)
		r.command(0.1, 0) // is ignored
		time.Sleep(100 * time.Millisecond)
		r.wantAtRest()
		if err := r.driver.CalibrateIMU(context.Background()); !errors.Is(err, ErrBusy) {
			t.Errorf("a second calibration: %v", err)
		}
		if answer := <-done; !answer.Success || time.Since(began) < time.Second {
			t.Errorf("%+v after %v", answer, time.Since(began))
		}
		for i := range 8 {
			if r.robot.InfraredOffset(i) == 0 {
				t.Errorf("sensor %d was not calibrated", i)
			}
		}
		r.drive(0.1, 0, time.Second)
		if r.robot.GroundTruth().LeftSpeed == 0 {
			t.Error("commands are ignored after the calibration")
		}
	})
}

// A robot that does not answer can't calibrate: the service reports it in time, and the wheels accept commands
// afterwards.
func TestCalibrateIRFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		time.Sleep(time.Second)
		r.must(r.robot.Faults().Hold(vbus.Fault{Kind: vbus.NAK}))
		if answer := r.ask("calibrate_ir"); answer.Success || !strings.Contains(answer.Message, "request failed") {
			t.Errorf("%+v", answer)
		}
		r.must(r.robot.Faults().Hold(vbus.Fault{}))
		time.Sleep(2 * lastRetry)
		r.drive(0.1, 0, time.Second)
		if r.robot.GroundTruth().LeftSpeed == 0 {
			t.Error("commands are ignored after the failure")
		}
	})
}

func TestCalibrateIMU(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, everything(2))
		r.drive(0, 1, 5*time.Second)
		if n := r.log.count("IMU calibrated"); n != 0 {
			t.Error("calibrated while the robot turned")
		}
		began := time.Now()
		done := make(chan *std_srvs.TriggerResponse)
		go func() { done <- r.ask("calibrate_imu") }()
		r.drive(0, 1, 1500*time.Millisecond) // is ignored
		r.wantAtRest()
		if answer := <-done; !answer.Success || time.Since(began) > 5*time.Second {
			t.Errorf("%+v after %v\n%v", answer, time.Since(began), r.log)
		}
		r.wantAtRest()
		if n := r.log.count("IMU calibrated"); n != 1 {
			t.Errorf("calibrated %d times\n%v", n, r.log)
		}
		r.drive(0.1, 0, time.Second)
		if r.robot.GroundTruth().LeftSpeed == 0 {
			t.Error("commands are ignored after the calibration")
		}
	})
}

// A robot that is being carried is not at rest although its wheels are.
func TestCalibrateIMURefusesAMovedRobot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, everything(2))
		time.Sleep(5 * time.Second)
		outcome := make(chan error)
		go func() { outcome <- r.driver.CalibrateIMU(context.Background()) }()
		for i := range 60 {
			r.must(r.robot.Tilt(0.3*float64(i%2), 0))
			time.Sleep(50 * time.Millisecond)
		}
		if err := <-outcome; !errors.Is(err, imu.ErrMoving) {
			t.Errorf("got %v", err)
		}
		if n := r.log.count("IMU calibrated"); n != 1 { // the one at the start
			t.Errorf("calibrated %d times\n%v", n, r.log)
		}
	})
}

func TestCalibrateIMUWithoutAnIMU(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, everything(2))
		r.must(r.robot.RemovePart(world.IMU))
		time.Sleep(5 * time.Second)
		if err := r.driver.CalibrateIMU(context.Background()); !errors.Is(err, ErrAbsent) {
			t.Errorf("got %v", err)
		}
	})
}

// A caller that waits for the bus goroutine gets an answer however that ends.
func TestActionsEndWithTheDriver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{noStart: true})
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if err := r.driver.ResetOdometry(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("without an answer: %v", err)
		}
		outcome := make(chan error)
		go func() { outcome <- r.driver.CalibrateIR(context.Background()) }()
		time.Sleep(time.Second)
		r.must(r.driver.Close())
		if err := <-outcome; !errors.Is(err, errClosed) {
			t.Errorf("closed meanwhile: %v", err)
		}
		for range 5 { // more than wait in the queue
			if err := r.driver.ResetOdometry(context.Background()); !errors.Is(err, errClosed) {
				t.Errorf("closed before: %v", err)
			}
		}
	})
}

func TestServicesAreThoseOfTheTable(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range table.Services() {
		if s.Meaning == "" || (s.Type != (std_srvs.Trigger{}).ROSType()) != (s.Name == table.ServiceCameraInfo || s.Name == table.ServiceCalibrator) || seen[s.Name] {
			t.Errorf("%+v", s)
		}
		seen[s.Name] = true
	}
	if !seen["reset_odometry"] || !seen["calibrate_ir"] || !seen["calibrate_imu"] || !seen[table.ServiceCameraInfo] || len(seen) != 5 {
		t.Errorf("%v", seen)
	}
}
