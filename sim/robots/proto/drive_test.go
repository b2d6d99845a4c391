// SPDX-License-Identifier: Apache-2.0

package proto_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// wheelAt is a wheel of a radius with a motor, and something in its joint's parameters or its Solid.
func wheelAt(motor string, x, y, radius float64, axis, more string) string {
	return fmt.Sprintf(`HingeJoint { jointParameters HingeJointParameters { axis %s anchor %g %g %g }
		device RotationalMotor { name "%s" maxVelocity 10 %s }
		endPoint Solid { translation %g %g %g name "%s's"
			boundingObject Pose { rotation 1 0 0 1.5707963267948966 children [ Cylinder { height 0.01 radius %g } ] } } }`,
		axis, x, y, radius, motor, more, x, y, radius, motor, radius)
}

func TestDriveOfTwoWheels(t *testing.T) {
	r := robot(t, wheelAt("motor.left", 0, .1, .05, "0 1 0", ""), wheelAt("motor.right", 0, -.1, .05, "0 2 0", "acceleration 3"))
	d := r.Drive
	if d == nil || d.Separation != .2 || d.Radius != .05 || d.Speed != .5 || d.Acceleration != 0 || d.Line != 4 {
		t.Errorf("%+v", d)
	}
}

func TestDriveOfFourWheels(t *testing.T) {
	r := robot(t, wheelAt("back Left", -.1, .1, .05, "0 1 0", ""), wheelAt("front LEFT", .1, .1, .05, "0 1 0", ""),
		wheelAt("front right", .1, -.1, .05, "0 1 0", ""), wheelAt("back right", -.1, -.1, .05, "0 1 0", ""))
	d := r.Drive
	if d == nil || !slices.Equal(d.Left, []string{"front LEFT", "back Left"}) || !slices.Equal(d.Right, []string{"front right", "back right"}) ||
		math.Abs(d.Separation-.2) > 1e-12 {
		t.Errorf("%+v", d)
	}
}

// Wheels that are no differential drive: the remark says why.
func TestNoDrive(t *testing.T) {
	left := wheelAt("left", 0, .1, .05, "0 1 0", "")
	for _, c := range []struct {
		children []string
		want     string // empty: not a word
	}{
		{[]string{left}, "the sides have not as many wheels"},
		{[]string{left, wheelAt("right", 0, -.1, .05, "0 -1 0", "")}, "the axis of right is not that of y, to the left"},
		{[]string{left, wheelAt("right", 0, -.1, .05, "0 0 1", "")}, "the axis of right is not that of y, to the left"},
		{[]string{left, wheelAt("right", 0, -.1, .04, "0 1 0", "")}, "the wheels are not of one radius"},
		{[]string{left, wheelAt("right", 0, -.12, .05, "0 1 0", "")}, "left and right are not opposite to each other"},
		{[]string{left, wheelAt("right", .02, -.1, .05, "0 1 0", "")}, "left and right are not opposite to each other"},
		{[]string{wheelAt("left", 0, -.1, .05, "0 1 0", ""), wheelAt("right", 0, .1, .05, "0 1 0", "")}, "left is not to the left of right"},
		{[]string{left, `HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 } device RotationalMotor { name "right" }
			endPoint Solid { boundingObject Box { } } }`}, "right turns nothing round"},
		{[]string{left, wheelAt("left right", 0, -.1, .05, "0 1 0", "")}, "the sides have not as many wheels"},
		{[]string{wheelAt("a", 0, .1, .05, "0 1 0", ""), wheelAt("b", 0, -.1, .05, "0 1 0", "")}, ""},
		{[]string{wheelAt("left arm", 0, .1, .05, "0 1 0", "minPosition -1 maxPosition 1")}, ""},
		{slices.Repeat([]string{left}, 40), "more than 32 wheels"},
	} {
		r := robot(t, c.children...)
		got := remarks(r)
		if r.Drive != nil || c.want == "" && strings.Contains(got, "drive") || c.want != "" && !strings.Contains(got, "4 no differential drive: "+c.want+"\n") {
			t.Errorf("want %q, got %+v\n%s", c.want, r.Drive, got)
		}
	}
}

// Without a bounding object the wheel is what is to be seen.
func TestRadiusOfWhatIsSeen(t *testing.T) {
	seen := func(side string, y float64) string {
		return fmt.Sprintf(`HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 anchor 0 0 0 } device RotationalMotor { name "%s" }
			endPoint Solid { translation 0 %g 0 children [ Shape { geometry Sphere { radius 0.03 } }
			Pose { translation 0.01 0 0 children [ Shape { geometry Sphere { radius 0.05 } } ] } ] } }`, side, y)
	}
	if d := robot(t, seen("left", .1), seen("right", -.1)).Drive; d == nil || d.Radius != .03 {
		t.Errorf("%+v", d)
	}
}
