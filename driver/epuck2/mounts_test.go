// SPDX-License-Identifier: Apache-2.0

package epuck2

import (
	"fmt"
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/robot"
)

// rotate turns a vector by a unit quaternion.
func rotate(m Mount, x, y, z float64) [3]float64 {
	qx, qy, qz, qw := m.Quaternion()
	tx, ty, tz := 2*(qy*z-qz*y), 2*(qz*x-qx*z), 2*(qx*y-qy*x)
	return [3]float64{x + qw*tx + qy*tz - qz*ty, y + qw*ty + qz*tx - qx*tz, z + qw*tz + qx*ty - qy*tx}
}

func near(a, b [3]float64) bool {
	return math.Abs(a[0]-b[0])+math.Abs(a[1]-b[1])+math.Abs(a[2]-b[2]) < 1e-9
}

func mountOf(t *testing.T, frame string) Mount {
	t.Helper()
	for _, m := range Mounts() {
		if m.Frame == frame {
			return m
		}
	}
	t.Fatalf("no frame %q", frame)
	return Mount{}
}

func TestMountsAreComplete(t *testing.T) {
	want := map[string]bool{
		"base_footprint": true, "laser_scanner": true, "tof": true, "imu_link": true,
		"camera_link": true, "camera_optical_frame": true, "gs0": true, "gs1": true, "gs2": true,
	}
	for i := range 8 {
		want[fmt.Sprintf("ps%d", i)], want[fmt.Sprintf("ls%d", i)] = true, true
	}
	known := map[string]bool{"": true}
	for _, m := range Mounts() {
		if !want[m.Frame] {
			t.Errorf("frame %q is unexpected or there twice", m.Frame)
		}
		if !known[m.Parent] {
			t.Errorf("frame %q comes before its parent %q", m.Frame, m.Parent)
		}
		delete(want, m.Frame)
		known[m.Frame] = true
		x, y, z, w := m.Quaternion()
		if n := x*x + y*y + z*z + w*w; math.Abs(n-1) > 1e-12 {
			t.Errorf("frame %q: quaternion of length² %v", m.Frame, n)
		}
	}
	for frame := range want {
		t.Errorf("frame %q is missing", frame)
	}
}

func TestInfraredSensorsLookOutwards(t *testing.T) {
	for i, im := range robot.Infrared() {
		for _, kind := range []string{"ps", "ls"} {
			m := mountOf(t, fmt.Sprintf("%s%d", kind, i))
			axis := rotate(m, 1, 0, 0)
			h := im.Heading
			if !near(axis, [3]float64{math.Cos(h), math.Sin(h), 0}) {
				t.Errorf("%s looks along %v, want heading %v rad", m.Frame, axis, im.Heading)
			}
			if out := axis[0]*m.X + axis[1]*m.Y; out < 0.9*math.Hypot(m.X, m.Y) {
				t.Errorf("%s does not look outwards: %v at %v, %v", m.Frame, axis, m.X, m.Y)
			}
		}
	}
}

// The old driver yawed the ground sensors by the angles of the infrared sensors.
func TestOldDriverDefectGroundSensorsLookDown(t *testing.T) {
	for i := range 3 {
		m := mountOf(t, fmt.Sprintf("gs%d", i))
		if axis := rotate(m, 1, 0, 0); !near(axis, [3]float64{0, 0, -1}) {
			t.Errorf("gs%d looks along %v", i, axis)
		}
	}
	if mountOf(t, "gs0").Y <= 0 || mountOf(t, "gs2").Y >= 0 {
		t.Error("gs0 is not the left one")
	}
}

func TestOpticalFrameIsREP103(t *testing.T) {
	m := mountOf(t, "camera_optical_frame")
	for _, c := range []struct {
		axis string
		got  [3]float64
		want [3]float64
	}{
		{"z forward", rotate(m, 0, 0, 1), [3]float64{1, 0, 0}},
		{"x right", rotate(m, 1, 0, 0), [3]float64{0, -1, 0}},
		{"y down", rotate(m, 0, 1, 0), [3]float64{0, 0, -1}},
	} {
		if !near(c.got, c.want) {
			t.Errorf("%s: %v, want %v", c.axis, c.got, c.want)
		}
	}
}
