// SPDX-License-Identifier: Apache-2.0

package epuck2

import (
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/odometry"
	"github.com/epuck-ros2/epuck-driver/robot"
)

// Mount is the fixed transform from frame Parent to Frame. Axes are REP 103's: x forward, y left, z up.
type Mount struct {
	// Parent is the parent frame without the frame prefix; empty means the parameter base_frame.
	Parent string
	// Frame is the child's name, without the frame prefix.
	Frame string
	// X, Y and Z are the position in metres.
	X, Y, Z float64
	// Roll, Pitch and Yaw are the rotation about the fixed x, y and z axes in radians.
	Roll, Pitch, Yaw float64
}

// Mounts lists all fixed frames of the robot, parents before children. base_link is on the floor between the wheels, so
// base_footprint coincides with it. The ground sensors face down (their x axis points to the floor), the camera's
// optical frame has z forward, x right and y down.
//
// The positions are those of package robot. It has none for imu_link, which is placed at the origin: rotations do not
// depend on the position, and the robot's accelerations are small.
func Mounts() []Mount {
	mounts := []Mount{{Frame: "base_footprint"}, {Frame: ScanFrame, Z: robot.SensorHeight}}
	for _, kind := range []string{"ps", "ls"} {
		for i, m := range robot.Infrared() {
			mounts = append(mounts, Mount{
				Frame: fmt.Sprintf("%s%d", kind, i), X: m.X, Y: m.Y, Z: m.Z, Yaw: m.Heading,
			})
		}
	}
	tof := robot.ToF()
	mounts = append(mounts, Mount{Frame: "tof", X: tof.X, Y: tof.Y, Z: tof.Z})
	for i, m := range robot.Ground() {
		mounts = append(mounts, Mount{Frame: fmt.Sprintf("gs%d", i), X: m.X, Y: m.Y, Pitch: math.Pi / 2})
	}
	camera := robot.Camera()
	return append(mounts,
		Mount{Frame: "imu_link"},
		Mount{Frame: "camera_link", X: camera.X, Z: camera.Z},
		Mount{Parent: "camera_link", Frame: "camera_optical_frame", Roll: -math.Pi / 2, Yaw: -math.Pi / 2},
	)
}

// Quaternion returns the rotation of the mount as a unit quaternion x, y, z, w.
func (m Mount) Quaternion() (x, y, z, w float64) {
	sr, cr := odometry.Sincos(m.Roll / 2)
	sp, cp := odometry.Sincos(m.Pitch / 2)
	sy, cy := odometry.Sincos(m.Yaw / 2)
	return float64(sr*cp*cy) - float64(cr*sp*sy), float64(cr*sp*cy) + float64(sr*cp*sy),
		float64(cr*cp*sy) - float64(sr*sp*cy), float64(cr*cp*cy) + float64(sr*sp*sy)
}
