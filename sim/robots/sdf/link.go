// SPDX-License-Identifier: Apache-2.0

package sdf

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

func (m *model) link(e *xmltree.Element) {
	name, _ := e.Attribute("name")
	l := description.Link{Name: name, Inertial: m.inertial(e.Child("inertial"), name)}
	for _, v := range e.All("visual") {
		if s, ok := m.shape(v, name); ok {
			l.Visuals = append(l.Visuals, s)
		}
	}
	for _, c := range e.All("collision") {
		if s, ok := m.shape(c, name); ok {
			l.Collisions = append(l.Collisions, s)
		}
	}
	for _, s := range e.All("sensor") {
		if d, ok := ReadSensor(s, name); ok {
			d.Pose = m.relative(s, name)
			m.robot.Devices = append(m.robot.Devices, d)
		}
	}
	m.robot.Links = append(m.robot.Links, l)
}

func (m *model) inertial(e *xmltree.Element, link string) *description.Inertial {
	if e == nil {
		return nil
	}
	i := e.Child("inertia")
	out := &description.Inertial{Mass: e.ContentNumber("mass", 1), Pose: m.relative(e, link)}
	for k, name := range [6]string{"ixx", "ixy", "ixz", "iyy", "iyz", "izz"} {
		otherwise := 0.0
		if k == 0 || k == 3 || k == 5 {
			otherwise = 1
		}
		out.Moments[k] = i.ContentNumber(name, otherwise)
	}
	return out
}

// shape reads a visual or a collision.
func (m *model) shape(e *xmltree.Element, link string) (s description.Shape, ok bool) {
	s.Name = e.Needed("name")
	s.Pose = m.relative(e, link)
	if material := e.Child("material"); material != nil {
		if c := material.Child("diffuse"); c != nil {
			if v, ok := c.Numbers("it", c.Text, 4); ok {
				s.Color = (*[4]float64)(v)
			}
		}
	}
	g := e.Child("geometry")
	if g == nil {
		e.Failf("it has no <geometry>")
		return s, false
	}
	if box := g.Child("box"); box != nil {
		s.Kind, s.Size = description.Box, box.ContentVector("size", r3.Vec{X: 1, Y: 1, Z: 1})
	} else if c := g.Child("cylinder"); c != nil {
		s.Kind, s.Radius, s.Length = description.Cylinder, c.ContentNumber("radius", 1), c.ContentNumber("length", 1)
	} else if c := g.Child("capsule"); c != nil {
		s.Kind, s.Radius, s.Length = description.Capsule, c.ContentNumber("radius", 0.5), c.ContentNumber("length", 1)
	} else if c := g.Child("sphere"); c != nil {
		s.Kind, s.Radius = description.Sphere, c.ContentNumber("radius", 1)
	} else if mesh := g.Child("mesh"); mesh != nil {
		s.Kind, s.URI, s.Size = description.Mesh, mesh.Content("uri", ""), mesh.ContentVector("scale", r3.Vec{X: 1, Y: 1, Z: 1})
	} else {
		if e.Name == "collision" && len(g.Children) > 0 && g.Children[0].Name != "plane" && g.Children[0].Name != "empty" {
			g.Failf("a <%s> is not understood, and it is a part of the body: want a box, cylinder, capsule, sphere or mesh", g.Children[0].Name)
		}
		return s, false // what only is to be seen, and planes, are listed as not read
	}
	return s, true
}
