// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
)

// TestJointCommands: ros2_control's wheel speeds reach the wheels, in any order of the joints, with cmd_vel's time-out.
func TestJointCommands(t *testing.T) {
	const left, right = "left_wheel_joint", "right_wheel_joint"
	nan := math.NaN()
	for _, c := range []struct {
		name        string
		joints      []string
		velocity    []float64
		left, right float64 // rad/s, roughly
	}{
		{"both", []string{left, right}, []float64{2, 3}, 2, 3},
		{"the other way round, with a third", []string{"arm", right, left}, []float64{nan, 3, -2}, -2, 3},
		{"too fast: the same curve", []string{left, right}, []float64{13.82, 6.91}, 6.91, 3.455},
		{"huge", []string{left, right}, []float64{1e308, -1e308}, 6.91, -6.91},
		{"one wheel", []string{left}, []float64{2}, 0, 0},
		{"velocities missing", []string{left, right}, []float64{2}, 0, 0},
		{"no number", []string{left, right}, []float64{2, nan}, 0, 0},
		{"infinite", []string{left, right}, []float64{math.Inf(1), 1}, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, rigOptions{})
				publish(r, "joint_commands", &sensor_msgs.JointState{Name: c.joints, Velocity: c.velocity})
				time.Sleep(100 * time.Millisecond)
				truth := r.robot.GroundTruth()
				if math.Abs(truth.LeftSpeed-c.left) > 0.08 || math.Abs(truth.RightSpeed-c.right) > 0.08 {
					t.Errorf("the wheels turn with %.3f and %.3f rad/s, want %v and %v", truth.LeftSpeed, truth.RightSpeed, c.left, c.right)
				}
				time.Sleep(600 * time.Millisecond) // cmd_vel_timeout
				r.wantAtRest()
			})
		})
	}
}
