// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// The magnetometer of the board publishes; when it is removed, the IMU's takes over on the same topic.
func TestEitherMagnetometerPublishes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{world: "robots:\n  - {name: epuck, position: [0, 0], imu: icm20948, magnetometer: bmm150}\n",
			parts: true, board: true, sim: sim.Options{Seed: 2, Now: time.Now, Sleep: pass}})
		fields := listenTo[sensor_msgs.MagneticField](r, "mag")
		wantRate := func(when string) {
			t.Helper()
			n := len(fields())
			time.Sleep(10 * time.Second)
			if got := len(fields()) - n; got < 60 || got > 85 {
				t.Errorf("%s: %d messages in 10 s, want 80", when, got)
			}
			m := last(r, fields)
			b := math.Hypot(math.Hypot(m.MagneticField.X, m.MagneticField.Y), m.MagneticField.Z)
			if b < 1e-5 || b > 3e-4 || m.MagneticFieldCovariance[0] <= 0 || m.Header.FrameID != "imu_link" {
				t.Errorf("%s: %v T in %+v", when, b, m)
			}
		}
		time.Sleep(5 * time.Second)
		wantRate("with both")
		for _, p := range r.driver.Status().Parts {
			if p.State != device.Running {
				t.Errorf("%s is %v: %v", p.Name, p.State, p.LastErr)
			}
		}
		owner := r.driver.magnetometer.Load().name
		gone := map[parts.Name]world.Part{parts.Mag: world.Magnetometer, parts.IMUField: world.IMU}[owner]
		r.must(r.robot.RemovePart(gone))
		time.Sleep(6 * time.Second)
		if now := r.driver.magnetometer.Load(); now == nil || now.name == owner {
			t.Fatalf("no part took over from %s\n%v", owner, r.log)
		}
		wantRate("without " + string(owner))
	})
}
