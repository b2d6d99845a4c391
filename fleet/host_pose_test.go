// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"math"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
)

// TestPlacesAreWholeOrRefused: a place in a flat world is upright and on the floor, for spawning and for states alike.
func TestPlacesAreWholeOrRefused(t *testing.T) {
	for _, c := range []struct {
		name  string
		z     float64
		q     geometry_msgs.Quaternion
		theta float64
		text  string // of the refusal
	}{
		{"unset", 0, geometry_msgs.Quaternion{}, 0, ""},
		{"turned", 0.02, geometry_msgs.Quaternion{Z: math.Sqrt2 / 2, W: math.Sqrt2 / 2}, math.Pi / 2, ""},
		{"in the air", 1, geometry_msgs.Quaternion{W: 1}, 0, "z is 1 m"},
		{"not finite", math.NaN(), geometry_msgs.Quaternion{W: 1}, 0, "not finite"},
		{"on its side", 0, geometry_msgs.Quaternion{X: math.Sqrt2 / 2, W: math.Sqrt2 / 2}, 0, "roll"},
		{"on its nose", 0, geometry_msgs.Quaternion{Y: math.Sqrt2 / 2, W: math.Sqrt2 / 2}, 0, "pitch"},
		{"upside down", 0, geometry_msgs.Quaternion{X: 1}, 0, "roll"},
		{"not a rotation", 0, geometry_msgs.Quaternion{Z: math.NaN(), W: 1}, 0, "length is NaN"},
	} {
		var m geometry_msgs.PoseStamped
		m.Pose.Position, m.Pose.Orientation = geometry_msgs.Point{X: 0.5, Y: -0.5, Z: c.z}, c.q
		pose, no := planarPose(&m)
		switch {
		case c.text == "" && (no != nil || pose.X != 0.5 || pose.Y != -0.5 || math.Abs(pose.Theta-c.theta) > 1e-9):
			t.Errorf("%s: %+v, %+v", c.name, pose, no)
		case c.text != "" && (no == nil || !strings.Contains(no.text, c.text)):
			t.Errorf("%s: %+v, %+v", c.name, pose, no)
		}
	}
}
