// SPDX-License-Identifier: Apache-2.0

package epuck2

import (
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/odometry"
)

// Mount is where a frame sits on the robot: a fixed transform from Parent to Frame. Axes are REP 103's: x forward,
// y left, z up.
type Mount struct {
	// Parent is the frame it is measured in, without the frame prefix; empty means the parameter base_frame.
	Parent string
	// Frame is the child's name, without the frame prefix.
	Frame string
	// X, Y and Z are the position in metres.
	X, Y, Z float64
	// Roll, Pitch and Yaw are the rotation about the fixed x, y and z axes in radians.
	Roll, Pitch, Yaw float64
}

// sensorHeight is the height of the infrared and light sensors above the floor in metres (Webots model).
const sensorHeight = 0.033

// infraredMounts holds the infrared (and light) sensors, clockwise from the front right: position in metres and
// heading in degrees (Webots model), and the angle in degrees of the ray in the scan, as in the old driver.
var infraredMounts = [8]struct{ x, y, heading, ray float64 }{
	{0.030, -0.010, -17.2, -15},
	{0.022, -0.025, -45.9, -45},
	{0.000, -0.031, -90.0, -90},
	{-0.030, -0.015, -151.5, -150},
	{-0.030, 0.015, 151.2, 150},
	{0.000, 0.031, 90.0, 90},
	{0.022, 0.025, 45.8, 45},
	{0.030, 0.010, 17.1, 15},
}

// Mounts lists every fixed frame of the robot, each parent before its children. base_link lies on the floor between
// the wheels, so base_footprint coincides with it. The ground sensors look down (their x axis points to the floor), the
// camera's optical frame has z forward, x right and y down.
//
// The positions are those of the Webots model. It has none for imu_link, which is placed at the origin: rotations do
// not depend on the position, and the robot's accelerations are small.
func Mounts() []Mount {
	mounts := []Mount{{Frame: "base_footprint"}, {Frame: ScanFrame, Z: sensorHeight}}
	for _, kind := range []string{"ps", "ls"} {
		for i, m := range infraredMounts {
			mounts = append(mounts, Mount{
				Frame: fmt.Sprintf("%s%d", kind, i), X: m.x, Y: m.y, Z: sensorHeight, Yaw: radians(m.heading),
			})
		}
	}
	mounts = append(mounts, Mount{Frame: "tof", X: tofMount.x, Y: tofMount.y, Z: sensorHeight})
	for i, y := range []float64{0.010, 0, -0.010} {
		mounts = append(mounts, Mount{Frame: fmt.Sprintf("gs%d", i), X: 0.033, Y: y, Pitch: math.Pi / 2})
	}
	return append(mounts,
		Mount{Frame: "imu_link"},
		Mount{Frame: "camera_link", X: 0.030, Z: 0.028},
		Mount{Parent: "camera_link", Frame: "camera_optical_frame", Roll: -math.Pi / 2, Yaw: -math.Pi / 2},
	)
}

// Quaternion gives the rotation of the mount as a unit quaternion x, y, z, w.
func (m Mount) Quaternion() (x, y, z, w float64) {
	sr, cr := odometry.Sincos(m.Roll / 2)
	sp, cp := odometry.Sincos(m.Pitch / 2)
	sy, cy := odometry.Sincos(m.Yaw / 2)
	return float64(sr*cp*cy) - float64(cr*sp*sy), float64(cr*sp*cy) + float64(sr*cp*sy),
		float64(cr*cp*sy) - float64(sr*sp*cy), float64(cr*cp*cy) + float64(sr*sp*sy)
}

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }
