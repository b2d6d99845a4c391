// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// imuWorld is a robot with the IMU of either kind.
func imuWorld(model string) string {
	return "robots:\n  - {name: epuck, position: [0, 0], imu: " + model + "}\n"
}

var imuModels = []string{"mpu9250", "icm20948"}

// A turn measured by the gyroscope agrees with the odometry's; anticlockwise is positive.
func TestGyroAgreesWithTheOdometry(t *testing.T) {
	for _, model := range imuModels {
		for _, omega := range []float64{1, -0.5} {
			if !suite.Long && omega < 0 {
				continue
			}
			t.Run(model, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					r := newRig(t, rigOptions{world: imuWorld(model), parts: true, args: "-p imu_rate:=100.0",
						sim: sim.Options{Seed: 9, Now: time.Now, Sleep: pass}})
					imus := listenTo[sensor_msgs.Imu](r, "imu")
					time.Sleep(5 * time.Second)
					if n := r.log.count("IMU calibrated"); n != 1 {
						t.Fatalf("calibrated %d times at the start\n%v", n, r.log)
					}
					from, before := len(imus()), r.driver.Status()
					r.drive(0, omega, 5*time.Second)
					r.halt()
					turned, last := 0.0, time.Time{}
					for _, m := range imus()[from:] {
						at := m.Header.Stamp.Time()
						if !last.IsZero() {
							turned += m.AngularVelocity.Z * at.Sub(last).Seconds()
						}
						last = at
					}
					wheels := math.Remainder(r.driver.Status().Theta-before.Theta, 2*math.Pi)
					off := math.Abs(math.Remainder(turned-wheels, 2*math.Pi))
					if math.Abs(turned-5*omega) > 0.3 || off > 0.06 {
						t.Errorf("the gyroscope turned by %.3f rad, the wheels by %.3f", turned, wheels)
					}
				})
			})
		}
	}
}

// A robot at rest measures +g on z; nose up gives +x; the covariances are those measured.
func TestAccelerationHasGravity(t *testing.T) {
	for _, model := range imuModels {
		t.Run(model, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, rigOptions{world: imuWorld(model), parts: true, sim: sim.Options{Seed: 4, Now: time.Now, Sleep: pass}})
				imus := listenTo[sensor_msgs.Imu](r, "imu")
				mean := func() (x, y, z float64) {
					t.Helper()
					from := len(imus())
					time.Sleep(2 * time.Second)
					all := imus()[from:]
					for _, m := range all {
						x, y, z = x+m.LinearAcceleration.X, y+m.LinearAcceleration.Y, z+m.LinearAcceleration.Z
					}
					n := float64(len(all))
					if n < 35 {
						t.Fatalf("%v messages in 2 s", n)
					}
					return x / n, y / n, z / n
				}
				time.Sleep(4 * time.Second)
				if x, y, z := mean(); math.Abs(x) > 0.5 || math.Abs(y) > 0.5 || math.Abs(z-9.81) > 0.5 {
					t.Errorf("at rest %.2f, %.2f, %.2f m/s²", x, y, z)
				}
				r.must(r.robot.Tilt(0, -0.3)) // by REP 103 a negative pitch lifts the nose
				if x, _, z := mean(); math.Abs(x-9.81*math.Sin(0.3)) > 0.5 || math.Abs(z-9.81*math.Cos(0.3)) > 0.5 {
					t.Errorf("nose up: %.2f, %.2f m/s²", x, z)
				}
				m := last(r, imus)
				for i := range 3 {
					if a, w := m.LinearAccelerationCovariance[4*i], m.AngularVelocityCovariance[4*i]; a <= 0 || a > 0.05 || w <= 0 || w > 1e-3 {
						t.Errorf("variances %g, %g", a, w)
					}
				}
			})
		})
	}
}

// The IMU's magnetometer measures the field in the robot's axes.
func TestMagneticFieldTurnsWithTheRobot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{world: imuWorld("icm20948"), parts: true, sim: sim.Options{Seed: 4, Now: time.Now, Sleep: pass}})
		fields := listenTo[sensor_msgs.MagneticField](r, "mag")
		time.Sleep(4 * time.Second)
		n := len(fields())
		time.Sleep(4 * time.Second)
		if got := len(fields()) - n; got < 24 || got > 34 {
			t.Errorf("%d messages in 4 s, want 8 a second", got)
		}
		a := *last(r, fields)
		r.drive(0, 1, 2*time.Second)
		r.halt()
		time.Sleep(time.Second)
		b := *last(r, fields)
		if d := math.Hypot(a.MagneticField.X-b.MagneticField.X, a.MagneticField.Y-b.MagneticField.Y); d < 5e-6 || d > 2e-4 {
			t.Errorf("before %+v, after two radians %+v", a.MagneticField, b.MagneticField)
		}
	})
}
