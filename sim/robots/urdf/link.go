// SPDX-License-Identifier: Apache-2.0

package urdf

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

func (r *reader) link(e *xmltree.Element) description.Link {
	l := description.Link{Name: e.Needed("name"), Inertial: readInertial(e.Child("inertial"))}
	for _, v := range e.All("visual") {
		if s, ok := readShape(v); ok {
			s.Color = r.color(v.Child("material"))
			l.Visuals = append(l.Visuals, s)
		}
	}
	for _, c := range e.All("collision") {
		if s, ok := readShape(c); ok {
			l.Collisions = append(l.Collisions, s)
		}
	}
	return l
}

// color is that of a material, which may be elsewhere under its name.
func (r *reader) color(m *xmltree.Element) *[4]float64 {
	if m == nil {
		return nil
	}
	name, _ := m.Attribute("name")
	if c := readColor(m); c != nil {
		if name != "" && r.colors[name] == nil {
			r.colors[name] = c
		}
		return c
	}
	return r.colors[name]
}

func readInertial(e *xmltree.Element) *description.Inertial {
	if e == nil {
		return nil
	}
	i := e.Child("inertia")
	m := &description.Inertial{Mass: e.Child("mass").Number("value", 0), Pose: readOrigin(e)}
	for k, name := range [6]string{"ixx", "ixy", "ixz", "iyy", "iyz", "izz"} {
		m.Moments[k] = i.Number(name, 0)
	}
	return m
}

// readShape reads a visual or a collision.
func readShape(e *xmltree.Element) (s description.Shape, ok bool) {
	s.Name, _ = e.Attribute("name")
	s.Pose = readOrigin(e)
	g := e.Child("geometry")
	if g == nil {
		e.Failf("it has no <geometry>")
		return s, false
	}
	if box := g.Child("box"); box != nil {
		s.Kind, s.Size = description.Box, box.Vector("size", r3.Vec{})
	} else if c := g.Child("cylinder"); c != nil {
		s.Kind, s.Radius, s.Length = description.Cylinder, c.Number("radius", 0), c.Number("length", 0)
	} else if c := g.Child("capsule"); c != nil {
		s.Kind, s.Radius, s.Length = description.Capsule, c.Number("radius", 0), c.Number("length", 0)
	} else if c := g.Child("sphere"); c != nil {
		s.Kind, s.Radius = description.Sphere, c.Number("radius", 0)
	} else if m := g.Child("mesh"); m != nil {
		s.Kind, s.URI, s.Size = description.Mesh, m.Needed("filename"), m.Vector("scale", r3.Vec{X: 1, Y: 1, Z: 1})
	} else {
		g.Failf("there is no box, cylinder, capsule, sphere or mesh in it")
		return s, false
	}
	return s, true
}
