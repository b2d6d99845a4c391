// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
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

// TestIMUIsLeftAloneWhileDriving: without subscribers a robot that drives needs no samples of the IMU, calibrated or not.
// It is calibrated when the robot has stopped.
func TestIMUIsLeftAloneWhileDriving(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, everything(6))
		polls := func() uint64 {
			now := r.driver.Status().Part(parts.IMU)
			return now.Polls
		}
		r.drive(0, 0.1, 2*time.Second)
		before := polls()
		r.drive(0, 0.1, 4*time.Second)
		if n := polls() - before; n > 6 {
			t.Errorf("%d polls in 4 s", n)
		}
		r.halt()
		time.Sleep(2 * time.Second)
		if n := r.log.count("IMU calibrated"); n != 1 {
			t.Errorf("calibrated %d times 2 s after the end of the drive\n%v", n, r.log)
		}
	})
}
