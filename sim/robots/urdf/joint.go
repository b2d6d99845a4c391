// SPDX-License-Identifier: Apache-2.0

package urdf

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots"
	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

func readJoint(e *xmltree.Element) robots.Joint {
	j := robots.Joint{
		Name: e.Needed("name"), Kind: robots.JointKind(e.Needed("type")), Origin: readOrigin(e), Axis: r3.Vec{X: 1},
	}
	for _, end := range []struct {
		name string
		link *string
	}{{"parent", &j.Parent}, {"child", &j.Child}} {
		c := e.Child(end.name)
		if c == nil {
			e.Failf("it has no <%s>", end.name)
			continue
		}
		*end.link = c.Needed("link")
	}
	if a := e.Child("axis"); a != nil {
		axis := a.Vector("xyz", j.Axis)
		if unit, n := robots.Unit(axis); n > 0 {
			j.Axis = unit
		} else if j.Moves() {
			a.Failf("an axis of length 0")
		}
	}
	j.Limit = readLimit(e, j.Kind)
	if m := e.Child("mimic"); m != nil {
		j.Mimic = &robots.Mimic{Joint: m.Needed("joint"), Multiplier: m.Number("multiplier", 1), Offset: m.Number("offset", 0)}
	}
	if d := e.Child("dynamics"); d != nil {
		j.Damping, j.Friction = d.Number("damping", 0), d.Number("friction", 0)
	}
	e.Child("safety_controller").Know() // of ROS' old controllers
	e.Child("calibration").Know()
	return j
}

// readLimit reads a joint's limits, which one that turns or slides between two must have.
func readLimit(e *xmltree.Element, kind robots.JointKind) *robots.Limit {
	l := e.Child("limit")
	if l == nil {
		if kind == robots.Revolute || kind == robots.Prismatic {
			e.Failf("a %s joint needs a <limit>", kind)
		}
		return nil
	}
	return &robots.Limit{
		Lower: l.Number("lower", 0), Upper: l.Number("upper", 0), Velocity: l.Number("velocity", 0), Effort: l.Number("effort", 0),
	}
}
