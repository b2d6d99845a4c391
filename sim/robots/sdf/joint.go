// SPDX-License-Identifier: Apache-2.0

package sdf

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

// joint reads a joint. SDF has links where they please and the joint somewhere in its child; here a child is where its
// joint is. Where these differ and the joint moves, a link of the joint's name is inserted.
func (m *model) joint(e *xmltree.Element) {
	name, _ := e.Attribute("name")
	kind := description.JointKind(e.Needed("type"))
	switch kind {
	case "ball", "universal", "revolute2", "gearbox", "screw":
		e.Ignore("that joint %q, a %s, moves", name, kind) // casters, as a rule
		kind = description.Fixed
	default:
	}
	j := description.Joint{Name: name, Kind: kind, Parent: m.attached(e, "parent"), Child: m.attached(e, "child"), Axis: r3.Vec{Z: 1}}
	if j.Parent == "world" {
		e.Child("axis").Know()
		return // the robot is held where it is
	}
	if m.robot.Link(j.Parent) == nil || m.robot.Link(j.Child) == nil {
		m.robot.Joints = append(m.robot.Joints, j) // Check names what is not there
		return
	}
	if axis := e.Child("axis"); axis != nil {
		m.axis(axis, name, &j)
	} else if j.Moves() {
		e.Failf("a %s joint needs an <axis>", kind)
	}
	parent, child, here := m.in(j.Parent, e), m.in(j.Child, e), m.in(name, e)
	offset := here.Inverse().Then(child)
	if !j.Moves() || offset.Near(description.Pose{}, 1e-12, 1e-12) {
		j.Origin = parent.Inverse().Then(child)
		m.robot.Joints = append(m.robot.Joints, j)
		return
	}
	between, last := name, j.Child
	j.Child, j.Origin = between, parent.Inverse().Then(here)
	m.robot.Links = append(m.robot.Links, description.Link{Name: between})
	m.robot.Joints = append(m.robot.Joints, j,
		description.Joint{Name: name + "_offset", Kind: description.Fixed, Parent: between, Child: last, Origin: offset, Axis: r3.Vec{X: 1}})
}

// attached is the link that a joint's end names, be it by a frame on it.
func (m *model) attached(e *xmltree.Element, end string) string {
	name := e.Content(end, "")
	if name == "" {
		e.Failf("it has no <%s>", end)
	}
	for range len(m.frames) {
		f := m.frames[name]
		if f == nil || f.e.Name != "frame" {
			break
		}
		if name, _ = f.e.Attribute("attached_to"); name == "" {
			name = modelFrame
		}
	}
	if name == modelFrame {
		return m.canonical
	}
	return name
}

// axis reads what a joint turns about or slides along, and how far.
func (m *model) axis(e *xmltree.Element, name string, j *description.Joint) {
	xyz := e.ContentVector("xyz", j.Axis)
	in, ok := e.Child("xyz").Attribute("expressed_in")
	if e.ContentTruth("use_parent_model_frame", false) && in == "" { // of SDF up to 1.6
		in, ok = modelFrame, true
	}
	if ok && in != "" {
		turn := m.in(name, e).Inverse().Then(m.in(in, e))
		turn.Position = r3.Vec{}
		xyz = turn.Apply(xyz)
	}
	if unit, n := description.Unit(xyz); n > 0 {
		j.Axis = unit
	} else {
		e.Failf("an axis of length 0")
	}
	if d := e.Child("dynamics"); d != nil {
		j.Damping, j.Friction = d.ContentNumber("damping", 0), d.ContentNumber("friction", 0)
	}
	l := e.Child("limit")
	if l == nil {
		if j.Kind == description.Revolute {
			j.Kind = description.Continuous // SDF's old way of wheels
		}
		return
	}
	lower, upper := limitOf(l, "lower", -endless), limitOf(l, "upper", endless)
	if lower <= -endless && upper >= endless && j.Kind == description.Revolute {
		j.Kind = description.Continuous
	}
	j.Limit = &description.Limit{
		Lower: lower, Upper: upper,
		Velocity: readBound(l, "velocity"), Effort: readBound(l, "effort"),
	}
}

// endless is libsdformat's number for no limit.
const endless = 1e16

// readBound reads a bound, which is none if it is absent, below 0, or endless.
func readBound(l *xmltree.Element, name string) description.Bound {
	c := l.Child(name)
	if c == nil || isInfinite(c.Text) {
		return description.Unlimited()
	}
	if v := l.ContentNumber(name, -1); v >= 0 && v < endless {
		return description.AtMost(v)
	}
	return description.Unlimited()
}

// isInfinite reports whether a text is SDF's word for infinity.
func isInfinite(text string) bool { return text == "inf" || text == "+inf" || text == "-inf" }

// limitOf reads the end of a range; SDF's word for none is an infinite number.
func limitOf(l *xmltree.Element, name string, none float64) float64 {
	if c := l.Child(name); c != nil && isInfinite(c.Text) {
		return none
	}
	return l.ContentNumber(name, none)
}
