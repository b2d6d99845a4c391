// SPDX-License-Identifier: Apache-2.0

package proto

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// near is how far two lengths of wheels may be apart to be the same, m.
const near = 1e-4

// maxWheels bounds the wheels of both sides.
const maxWheels = 32

// rolling is a wheel where it is in the robot.
type rolling struct {
	wheel
	at     r3.Vec
	radius float64
}

// drive finds wheels to the left and to the right that turn the robot by their difference: those whose motors' names
// say the side, that turn about one direction to the side, have one radius, and are as far to both sides. Where names
// are of wheels and the rest is not so, a remark says what.
func (b *builder) drive() {
	var sides [2][]wheel
	for _, w := range b.wheels {
		name := lower(w.joint)
		left, right := strings.Contains(name, "left"), strings.Contains(name, "right")
		switch {
		case left && !right:
			sides[0] = append(sides[0], w)
		case right && !left:
			sides[1] = append(sides[1], w)
		}
	}
	if len(sides[0]) == 0 && len(sides[1]) == 0 {
		return
	}
	line := slices.Concat(sides[0], sides[1])[0].line
	poses, err := b.robot.Transforms(nil)
	if err != nil {
		b.remarkf(line, "no differential drive: %v", err)
		return
	}
	if len(sides[0])+len(sides[1]) > maxWheels {
		b.remarkf(line, "no differential drive: more than %d wheels", maxWheels)
		return
	}
	left, whyLeft := b.rolling(sides[0], poses)
	right, whyRight := b.rolling(sides[1], poses)
	why := cmp.Or(whyLeft, whyRight)
	if why == "" {
		why = pairs(left, right)
	}
	if why != "" {
		b.remarkf(line, "no differential drive: %s", why)
		return
	}
	first := left[0]
	d := &description.Drive{
		Separation: left[0].at.Y - right[0].at.Y, Radius: first.radius, Line: line,
		Speed: first.velocity * first.radius, Acceleration: first.acceleration * first.radius,
	}
	for i := range left {
		d.Left, d.Right = append(d.Left, left[i].joint), append(d.Right, right[i].joint)
	}
	b.robot.Drive = d
}

// rolling finds wheels in the robot, from front to back, or says why they are none.
func (b *builder) rolling(wheels []wheel, poses map[string]description.Pose) (out []rolling, why string) {
	for _, w := range wheels {
		i := slices.IndexFunc(b.robot.Joints, func(j description.Joint) bool { return j.Name == w.joint })
		j := &b.robot.Joints[i]
		pose := poses[j.Child]
		if axis := turned(pose, j.Axis); axis.Y < 1-1e-4 {
			return nil, "the axis of " + clip(w.joint) + " is not that of y, to the left"
		}
		r := rolling{wheel: w, at: pose.Position, radius: radius(b.robot.Link(j.Child), j.Axis)}
		if r.radius == 0 {
			return nil, clip(w.joint) + " turns nothing round"
		}
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b rolling) int { return cmp.Compare(b.at.X, a.at.X) })
	return out, ""
}

// pairs says why wheels are not those of a differential drive, empty if they are.
func pairs(left, right []rolling) string {
	if len(left) != len(right) || len(left) == 0 {
		return "the sides have not as many wheels"
	}
	differ := func(x, y float64) bool { return math.Abs(x-y) > near }
	for i, l := range left {
		r := right[i]
		switch {
		case l.at.Y <= r.at.Y:
			return clip(l.joint) + " is not to the left of " + clip(r.joint)
		case differ(l.at.Y, -r.at.Y) || differ(l.at.X, r.at.X) || differ(l.at.Y, left[0].at.Y):
			return clip(l.joint) + " and " + clip(r.joint) + " are not opposite to each other"
		case differ(l.radius, r.radius) || differ(l.radius, left[0].radius):
			return "the wheels are not of one radius"
		}
	}
	return ""
}

// radius is that of a wheel that turns about an axis of its link: of its bounding object, or else of what is seen.
// It is 0 if there is nothing round about the axis.
func radius(l *description.Link, axis r3.Vec) float64 {
	for _, shapes := range [][]description.Shape{l.Collisions, l.Visuals} {
		most := 0.0
		for i := range shapes {
			s := &shapes[i]
			off := r3.Norm(r3.Cross(s.Pose.Position, axis))
			along := math.Abs(r3.Dot(turned(s.Pose, r3.Vec{Z: 1}), axis))
			if off < near && (s.Kind == description.Sphere || s.Kind == description.Cylinder && along > 1-1e-4) {
				most = max(most, s.Radius)
			}
		}
		if most > 0 {
			return most
		}
	}
	return 0
}
