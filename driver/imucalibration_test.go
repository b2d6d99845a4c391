// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/imu"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// meanRate returns the mean of the vertical angular velocity over a time in which the robot is at rest.
func (r *rig) meanRate(imus func() []*sensor_msgs.Imu, d time.Duration) float64 {
	r.Helper()
	n, sum := len(imus()), 0.0
	time.Sleep(d)
	all := imus()[n:]
	for _, m := range all {
		sum += m.AngularVelocity.Z
	}
	if len(all) == 0 {
		r.Fatal("no message was received")
	}
	return sum / float64(len(all))
}

// The gyroscope alone would take a turn of 0.1 rad/s for its bias. The calibration waits until the wheels are at rest
// still.
func TestSlowTurnIsNoBias(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, everything(6))
		imus := listenTo[sensor_msgs.Imu](r, "imu")
		r.drive(0, 0.1, 10*time.Second)
		if n := r.log.count("IMU calibrated"); n != 0 {
			t.Errorf("calibrated %d times while the robot turned", n)
		}
		r.halt()
		time.Sleep(4 * time.Second)
		if n := r.log.count("IMU calibrated"); n != 1 {
			t.Errorf("calibrated %d times in the end\n%v", n, r.log)
		}
		if rate := r.meanRate(imus, 4*time.Second); math.Abs(rate) > 0.004 {
			t.Errorf("the robot at rest turns by %v rad/s", rate)
		}
	})
}

// A turn that begins during a calibration cancels it: the previous bias stays in use, and the next standstill yields
// another.
func TestTurnCancelsCalibration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, everything(6))
		imus := listenTo[sensor_msgs.Imu](r, "imu")
		for !r.calibrationRuns() {
			time.Sleep(10 * time.Millisecond)
		}
		rest := r.meanRate(imus, 500*time.Millisecond)
		r.drive(0, 0.03, 2*time.Second) // so slow that the samples alone do not show it
		from := len(imus())
		r.drive(0, 0.03, 2*time.Second)
		turn, n := 0.0, 0.0
		for _, m := range imus()[from:] {
			turn, n = turn+m.AngularVelocity.Z, n+1
		}
		if turn /= n; math.Abs(turn-rest-0.03) > 0.008 {
			t.Errorf("turning measures %.4f rad/s, resting %.4f: the turn was taken for bias", turn, rest)
		}
		if n := r.log.count("IMU calibrated"); n != 0 {
			t.Error("a spoiled calibration counts")
		}
		r.halt()
		time.Sleep(8 * time.Second)
		if n := r.log.count("IMU calibrated"); n != 1 {
			t.Errorf("calibrated %d times in the end\n%v", n, r.log)
		}
		if rate := r.meanRate(imus, 4*time.Second); math.Abs(rate) > 0.004 {
			t.Errorf("the robot at rest turns by %v rad/s", rate)
		}
		r.drive(0, 0.1, 3*time.Second) // later turns do not matter
		r.halt()
		if rate := r.meanRate(imus, 4*time.Second); math.Abs(rate) > 0.004 {
			t.Errorf("after another turn the robot at rest turns by %v rad/s", rate)
		}
	})
}

// calibrationRuns asks the bus goroutine.
func (r *rig) calibrationRuns() (runs bool) {
	r.Helper()
	r.must(r.driver.mailbox.Do(context.Background(), func() error {
		_, err := r.driver.bus.imu.Calibration()
		runs = errors.Is(err, imu.ErrCalibrating)
		return nil
	}))
	return runs
}

// The failure of the IMU during a calibration is reported to the caller, and the IMU is calibrated when it is back.
func TestIMUFailsDuringItsCalibration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, everything(6))
		time.Sleep(5 * time.Second)
		outcome := make(chan error)
		go func() { outcome <- r.driver.CalibrateIMU(context.Background()) }()
		time.Sleep(time.Second)
		for _, addr := range []uint16{imu.Addr, imu.AddrAlt} {
			r.must(r.robot.Bus().FaultsAt(addr).Hold(vbus.Fault{Kind: vbus.NAK}))
		}
		if err := <-outcome; !errors.Is(err, ErrFailed) && !errors.Is(err, imu.ErrNotCalibrated) {
			t.Errorf("got %v", err)
		}
		for _, addr := range []uint16{imu.Addr, imu.AddrAlt} {
			r.must(r.robot.Bus().FaultsAt(addr).Hold(vbus.Fault{}))
		}
		time.Sleep(5 * time.Second)
		r.must(r.driver.CalibrateIMU(context.Background()))
	})
}
