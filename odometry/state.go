// SPDX-License-Identifier: Apache-2.0

package odometry

// Wheel is the state of one wheel joint.
type Wheel struct {
	Angle    float64 // rad since start, not wrapped; positive forwards
	Velocity float64 // rad/s, over the last interval
}

// State is the result of odometry after a reading. It is passed by value.
type State struct {
	X, Y  float64 // m, in the odom frame
	Theta float64 // rad, in (−π, π]
	V     float64 // m/s forwards, in the body frame, over the last interval
	Omega float64 // rad/s counterclockwise

	Left, Right Wheel

	// PoseCovariance of (X, Y, Theta), row-major: m², m·rad, rad².
	PoseCovariance [9]float64
	// TwistCovariance of (V, Omega), row-major: (m/s)², (m/s)(rad/s), (rad/s)².
	TwistCovariance [4]float64
	// Distance is the path length of the robot's middle since start or [Odometer.Reset], m; it does not shrink.
	Distance float64
}

// unknown is the variance of axes that a planar robot cannot measure: large, as consumers that invert the matrix expect
// and diff_drive_controller does, rather than 0, which would claim certainty.
const unknown = 1e6

// PutPoseCovariance writes the row-major 6×6 matrix of ROS (x, y, z, roll, pitch, yaw): the variances of z, roll and
// pitch are those of unknown axes.
func (s *State) PutPoseCovariance(dst *[36]float64) {
	*dst = [36]float64{14: unknown, 21: unknown, 28: unknown}
	axes := [3]int{0, 1, 5}
	for i, r := range axes {
		for j, c := range axes {
			dst[6*r+c] = s.PoseCovariance[3*i+j]
		}
	}
}

// PutTwistCovariance writes the row-major 6×6 matrix of ROS for the twist in the body frame (vx, vy, vz, wx, wy, wz).
// vz, wx and wy are unknown; vy has the variance of vx, since the wheels do not roll sideways.
func (s *State) PutTwistCovariance(dst *[36]float64) {
	*dst = [36]float64{7: s.TwistCovariance[0], 14: unknown, 21: unknown, 28: unknown}
	axes := [2]int{0, 5}
	for i, r := range axes {
		for j, c := range axes {
			dst[6*r+c] = s.TwistCovariance[2*i+j]
		}
	}
}
