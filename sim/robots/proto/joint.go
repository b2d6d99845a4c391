// SPDX-License-Identifier: Apache-2.0

package proto

import (
	"strings"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// movement is what the parameters of a joint say of one of its axes.
type movement struct {
	axis       r3.Vec  // of length 1, in the frame of the joint's node
	position   float64 // at which the end point is where the file has it, rad or m
	lower      float64
	upper      float64 // both 0: no stops
	damping    float64
	friction   float64
	parameters int // the line they are in
}

// movement reads parameters, of which there may be none.
func (b *builder) movement(n *node, line int, axis r3.Vec) movement {
	if n == nil {
		return movement{axis: axis, parameters: line}
	}
	if !strings.HasSuffix(n.kind, "JointParameters") {
		b.drop(n, "parameters of a joint that are not known")
	}
	m := movement{
		axis: b.direction(n, "axis", axis), position: b.number(n, "position", 0), parameters: n.line,
		lower: b.number(n, "minStop", 0), upper: b.number(n, "maxStop", 0),
		damping: b.number(n, "dampingConstant", 0), friction: b.number(n, "staticFriction", 0),
	}
	if m.lower > m.upper {
		b.failf(n.line, "%s: minStop %g is above maxStop %g", n.kind, m.lower, m.upper)
	}
	return m
}

// joint makes joints and links of a node that holds another one.
func (b *builder) joint(n *node, at place) {
	end := b.single(n, "endPoint")
	for range maxDepth { // a Slot is a place for a node
		if end == nil || end.kind != "Slot" {
			break
		}
		end = b.single(end, "endPoint")
	}
	switch {
	case end == nil:
		b.drop(n, "nothing hangs on it")
		return
	case end.kind != "Solid" && end.kind != "Robot" && deviceKind(end.kind) == "":
		b.drop(end, "what hangs on the %s of line %d is not known", n.kind, n.line)
		return
	case !b.enter(end):
		return
	}
	defer b.leave()
	to := b.moved(end, at) // where it is in the link above
	switch n.kind {
	case "HingeJoint":
		b.hinge(n, end, at, to)
	case "Hinge2Joint":
		b.hinge2(n, end, at, to)
	case "SliderJoint":
		b.slider(n, end, at, to)
	default:
		b.remarkf(n.line, "%s: it does not turn here", n.kind)
		b.hang(end, at.link, description.Joint{Kind: description.Fixed, Origin: to.pose}, place{scale: to.scale})
	}
}

// hinge makes a joint that turns. The child's frame is on the axis, as near to the end point's as can be.
func (b *builder) hinge(n, end *node, at, to place) {
	p := b.single(n, "jointParameters")
	m := b.movement(p, n.line, r3.Vec{X: 1})
	anchor := b.anchor(p, at)
	axis := turned(at.pose, m.axis)
	zero := back(to.pose, anchor, axis, m.position)
	away := r3.Sub(zero.Position, anchor)
	onAxis := r3.Add(anchor, r3.Scale(r3.Dot(away, axis), axis))
	j := description.Joint{Kind: description.Revolute, Origin: description.Pose{Position: onAxis, Rotation: zero.Rotation}}
	j.Axis = turned(j.Origin.Inverse(), axis)
	b.motors(&j, b.nodes(n, "device"), at.link, b.defaultJoint(end), m)
	b.hang(end, at.link, j, place{pose: j.Origin.Inverse().Then(zero), scale: to.scale})
}

// hinge2 makes two joints that turn about axes through one point, and a link between: the second axis turns with the
// first.
func (b *builder) hinge2(n, end *node, at, to place) {
	p := b.single(n, "jointParameters")
	first := b.movement(p, n.line, r3.Vec{X: 1})
	second := b.movement(b.single(n, "jointParameters2"), n.line, r3.Vec{Z: 1})
	anchor := b.anchor(p, at)
	axis1, axis2 := turned(at.pose, first.axis), turned(at.pose, second.axis)
	zero := back(back(to.pose, anchor, axis1, first.position), anchor, axis2, second.position)

	j1 := description.Joint{Kind: description.Revolute, Origin: description.Pose{Position: anchor}, Axis: axis1}
	b.motors(&j1, b.nodes(n, "device"), at.link, b.defaultJoint(end)+"_1", first)
	between := b.addLink(n.line, b.text(end, "name", defaultName(end.kind))+"_between")
	if b.full {
		return
	}
	j1.Parent, j1.Child = b.robot.Links[at.link].Name, b.robot.Links[between].Name
	b.robot.Joints = append(b.robot.Joints, j1)

	j2 := description.Joint{Kind: description.Revolute, Origin: description.Pose{Rotation: zero.Rotation}}
	j2.Axis = turned(j2.Origin.Inverse(), axis2)
	b.motors(&j2, b.nodes(n, "device2"), between, b.defaultJoint(end)+"_2", second)
	frame := description.Pose{Position: r3.Sub(zero.Position, anchor), Rotation: zero.Rotation}
	b.hang(end, between, j2, place{pose: j2.Origin.Inverse().Then(frame), scale: to.scale})
}

// slider makes a joint that slides.
func (b *builder) slider(n, end *node, at, to place) {
	m := b.movement(b.single(n, "jointParameters"), n.line, r3.Vec{Z: 1})
	axis := turned(at.pose, m.axis)
	j := description.Joint{Kind: description.Prismatic, Origin: to.pose}
	j.Origin.Position = r3.Sub(to.pose.Position, r3.Scale(m.position, axis))
	j.Axis = turned(j.Origin.Inverse(), axis)
	b.motors(&j, b.nodes(n, "device"), at.link, b.defaultJoint(end), m)
	b.hang(end, at.link, j, place{scale: to.scale})
}

// defaultJoint names a joint without motor and sensor.
func (b *builder) defaultJoint(end *node) string {
	return b.text(end, "name", defaultName(end.kind)) + "_joint"
}

// anchor is the point that the axes of a joint go through, in the link above.
func (b *builder) anchor(parameters *node, at place) r3.Vec {
	var p r3.Vec
	if parameters != nil {
		p = b.vector(parameters, "anchor", p)
	}
	return at.pose.Apply(at.lengths(p))
}

// turned is a direction of a frame in the other one, of length 1.
func turned(p description.Pose, v r3.Vec) r3.Vec {
	p.Position = r3.Vec{}
	return r3.Unit(p.Apply(v))
}

// back is where a frame was before it was turned about a line.
func back(p description.Pose, anchor, axis r3.Vec, angle float64) description.Pose {
	p.Position = r3.Sub(p.Position, anchor)
	p = description.Pose{Rotation: quat.Number(r3.NewRotation(-angle, axis))}.Then(p)
	p.Position = r3.Add(p.Position, anchor)
	return p
}
