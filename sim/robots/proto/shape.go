// SPDX-License-Identifier: Apache-2.0

package proto

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// visual adds what is to be seen of a Shape.
func (b *builder) visual(n *node, at place) {
	s, ok := b.shape(n, at)
	if color := b.single(n, "appearance"); color != nil && ok {
		s.Color = b.color(color)
	}
	if ok {
		l := &b.robot.Links[at.link]
		l.Visuals = append(l.Visuals, s)
	}
}

// visualMesh adds a CadShape.
func (b *builder) visualMesh(n *node, at place) {
	if s, ok := b.geometry(n, at); ok {
		l := &b.robot.Links[at.link]
		l.Visuals = append(l.Visuals, s)
	}
}

// shape is the geometry of a Shape.
func (b *builder) shape(n *node, at place) (description.Shape, bool) {
	g := b.single(n, "geometry")
	if g == nil {
		return description.Shape{}, false
	}
	return b.geometry(g, at)
}

// collision adds a bounding object.
func (b *builder) collision(n *node, at place) {
	if !b.enter(n) {
		return
	}
	defer b.leave()
	var s description.Shape
	var ok bool
	switch n.kind {
	case "Group", "Pose", "Transform":
		if n.kind != "Group" {
			at = b.moved(n, at)
		}
		for _, c := range b.nodes(n, "children") {
			b.collision(c.node, at)
		}
	case "Shape":
		s, ok = b.shape(n, at)
		b.single(n, "appearance") // nothing bumps into a color
	default:
		s, ok = b.geometry(n, at)
	}
	if ok {
		l := &b.robot.Links[at.link]
		l.Collisions = append(l.Collisions, s)
	}
}

// geometry reads a shape's form.
func (b *builder) geometry(n *node, at place) (description.Shape, bool) {
	s := description.Shape{Pose: at.pose}
	scale := at.size()
	n.seen = true
	switch n.kind {
	case "Box":
		s.Kind, s.Size = description.Box, at.lengths(b.vector(n, "size", r3.Vec{X: 2, Y: 2, Z: 2}))
		if !(s.Size.X > 0 && s.Size.Y > 0 && s.Size.Z > 0) {
			b.failf(n.line, "Box: its size %v is not above 0", s.Size)
		}
	case "Cylinder", "Capsule":
		s.Kind, s.Length = description.Cylinder, b.positive(n, "height", 2)*scale.Z
		if n.kind == "Capsule" {
			s.Kind = description.Capsule
		}
		s.Radius = b.round(n, scale.X, scale.Y)
	case "Sphere":
		s.Kind, s.Radius = description.Sphere, b.round(n, scale.X, scale.Y)
	case "Mesh", "CadShape":
		s.Kind, s.Size = description.Mesh, scale
		return s, b.address(n, &s)
	case "IndexedFaceSet", "ElevationGrid", "PointSet", "IndexedLineSet":
		b.drop(n, "a mesh within the file, of %d points: it has no address, so it is left out", points(n))
		return s, false
	default:
		b.drop(n, "a form that is not known")
		return s, false
	}
	return s, true
}

// round reads a radius.
func (b *builder) round(n *node, x, y float64) float64 {
	if x != y {
		b.remarkf(n.line, "%s: scaled by %g and %g: the mean is used", n.kind, x, y)
	}
	return b.positive(n, "radius", 1) * (x + y) / 2
}

// address reads where a mesh's file is.
func (b *builder) address(n *node, s *description.Shape) bool {
	f := n.ask("url")
	if f == nil || len(f.val.strings) == 0 || f.val.strings[0] == "" {
		b.drop(n, "without a url")
		return false
	}
	if more := len(f.val.strings) - 1; more > 0 {
		b.remarkf(f.line, "%s.url: %d more, the first is used", n.kind, more)
	}
	s.URI = f.val.strings[0]
	return true
}

// points is how many corners a mesh has.
func points(n *node) int {
	if f := n.field("coord"); f != nil && len(f.val.nodes) > 0 {
		if p := f.val.nodes[0].field("point"); p != nil {
			return len(p.val.numbers) / 3
		}
	}
	return 0
}

// color reads an appearance, whichever: what it is made of is in the field of the same name in all of them.
func (b *builder) color(n *node) *[4]float64 {
	name := "baseColor"
	switch n.kind {
	case "PBRAppearance":
	case "Appearance":
		if n = b.single(n, "material"); n == nil {
			return nil
		}
		name = "diffuseColor"
	default:
		b.remarkf(n.line, "%s: another file says how it looks", n.kind)
	}
	rgb := b.numbers(n, name, 3, false)
	if rgb == nil {
		return nil
	}
	c := &[4]float64{rgb[0], rgb[1], rgb[2], 1 - b.number(n, "transparency", 0)}
	for _, v := range c {
		if !(v >= 0 && v <= 1) {
			b.failf(n.ask(name).line, "%s: color or transparency of %g, from 0 to 1", n.kind, v)
		}
	}
	return c
}
