// SPDX-License-Identifier: Apache-2.0

package proto

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// place is where a node's children are.
type place struct {
	link  int
	pose  description.Pose // in the link
	scale r3.Vec           // of lengths; 0 is 1
}

// size is the scale.
func (p place) size() r3.Vec {
	if p.scale == (r3.Vec{}) {
		return r3.Vec{X: 1, Y: 1, Z: 1}
	}
	return p.scale
}

// lengths scales a vector.
func (p place) lengths(v r3.Vec) r3.Vec {
	s := p.size()
	return r3.Vec{X: s.X * v.X, Y: s.Y * v.Y, Z: s.Z * v.Z}
}

// moved is where the children of a Pose, Transform or Solid are.
func (b *builder) moved(n *node, at place) place {
	own := b.pose(n)
	own.Position = at.lengths(own.Position)
	scale := at.size()
	turned := own.Rotation != (quat.Number{}) && math.Abs(own.Rotation.Real) < 1-1e-12
	if uneven := scale.X != scale.Y || scale.Y != scale.Z; uneven && turned {
		b.remarkf(n.line, "%s: turned within a scale of %v: the mean is used", n.kind, scale)
		mean := math.Cbrt(scale.X * scale.Y * scale.Z)
		scale = r3.Vec{X: mean, Y: mean, Z: mean}
	}
	if s := b.numbers(n, "scale", 3, false); s != nil {
		scale = r3.Vec{X: scale.X * s[0], Y: scale.Y * s[1], Z: scale.Z * s[2]}
		for _, v := range [...]float64{scale.X, scale.Y, scale.Z} {
			if !(v >= minScale) || v > 1/minScale {
				b.failf(n.ask("scale").line, "%s.scale: %g in all, from %g to %g", n.kind, v, minScale, 1/minScale)
				scale = r3.Vec{X: 1, Y: 1, Z: 1}
			}
		}
	}
	return place{link: at.link, pose: at.pose.Then(own), scale: scale}
}

// minScale is the smallest scale, and its inverse the largest.
const minScale = 1e-6

// children visits what is in a node.
func (b *builder) children(n *node, field string, at place) {
	for _, c := range b.nodes(n, field) {
		if b.full {
			return
		}
		b.child(c.node, at)
	}
}

// child visits a node that is in another.
func (b *builder) child(n *node, at place) {
	if !b.enter(n) {
		return
	}
	defer b.leave()
	switch n.kind {
	case "Group":
		b.children(n, "children", at)
	case "Pose", "Transform":
		b.children(n, "children", b.moved(n, at))
	case "Slot":
		b.children(n, "endPoint", at)
	case "Shape":
		b.visual(n, at)
	case "CadShape":
		b.visualMesh(n, at)
	case "Solid", "Robot":
		b.fix(n, at)
	case "HingeJoint", "Hinge2Joint", "SliderJoint", "BallJoint":
		b.joint(n, at)
	default:
		b.other(n, at)
	}
}

// other visits a device, or says that there is no meaning in the node.
func (b *builder) other(n *node, at place) {
	switch {
	case deviceKind(n.kind) == "":
		b.drop(n, "it has no meaning here")
	case n.field("physics") != nil && !n.field("physics").val.empty():
		b.fix(n, at)
	default:
		b.inside(n, b.moved(n, at))
	}
}

// fix makes a link of a node and holds it where it is.
func (b *builder) fix(n *node, at place) {
	to := b.moved(n, at)
	j := description.Joint{Kind: description.Fixed, Origin: to.pose}
	b.hang(n, at.link, j, place{scale: to.scale})
}

// hang makes a link of a node and holds it by a joint. The node's frame is somewhere in the link.
func (b *builder) hang(n *node, parent int, j description.Joint, frame place) {
	name := b.text(n, "name", defaultName(n.kind))
	frame.link = b.addLink(n.line, name)
	if b.full {
		return
	}
	j.Parent, j.Child = b.robot.Links[parent].Name, b.robot.Links[frame.link].Name
	if j.Name == "" {
		j.Name = unused(b.joints, j.Child+"_joint")
	}
	b.robot.Joints = append(b.robot.Joints, j)
	b.inside(n, frame)
}

// inside visits what is in a Solid or a device whose frame is at a place.
func (b *builder) inside(n *node, at place) {
	b.children(n, "children", at)
	first := len(b.robot.Links[at.link].Collisions)
	if o := b.single(n, "boundingObject"); o != nil {
		b.collision(o, at)
	}
	if p := b.single(n, "physics"); p != nil {
		b.physics(p, at, first)
	}
	if deviceKind(n.kind) != "" {
		b.device(n, at)
	}
}
