// SPDX-License-Identifier: Apache-2.0

package urdf

import (
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

func readJoint(e *xmltree.Element) description.Joint {
	j := description.Joint{
		Name: e.Needed("name"), Kind: description.JointKind(e.Needed("type")), Origin: readOrigin(e), Axis: r3.Vec{X: 1},
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
		if unit, n := description.Unit(axis); n > 0 {
			j.Axis = unit
		} else if j.Moves() {
			a.Failf("an axis of length 0")
		}
	}
	j.Limit = readLimit(e, j.Kind)
	if m := e.Child("mimic"); m != nil {
		j.Mimic = &description.Mimic{Joint: m.Needed("joint"), Multiplier: m.Number("multiplier", 1), Offset: m.Number("offset", 0)}
	}
	if d := e.Child("dynamics"); d != nil {
		j.Damping, j.Friction = d.Number("damping", 0), d.Number("friction", 0)
	}
	for _, of := range []string{"safety_controller", "calibration"} { // of ROS' old controllers
		if c := e.Child(of); c != nil {
			c.Ignore("<%s> of joint %q", of, j.Name)
		}
	}
	if j.Kind == description.Floating || j.Kind == description.Planar {
		e.Remark("joint %q is %s: it does not move here", j.Name, j.Kind)
	}
	return j
}

// readLimit reads a joint's limits, which one that turns or slides between two must have.
func readLimit(e *xmltree.Element, kind description.JointKind) *description.Limit {
	l := e.Child("limit")
	if l == nil {
		if kind == description.Revolute || kind == description.Prismatic {
			e.Failf("a %s joint needs a <limit>", kind)
		}
		return nil
	}
	return &description.Limit{
		Lower: l.Number("lower", 0), Upper: l.Number("upper", 0), Velocity: readBound(l, "velocity"), Effort: readBound(l, "effort"),
	}
}

// endless is written for no limit, and read as none: URDF has no word for it, and libsdformat has this number.
const endless = 1e16

// readBound reads a bound; without the attribute nothing is said.
func readBound(l *xmltree.Element, name string) description.Bound {
	text, ok := l.Attribute(name)
	switch v := strings.ToLower(strings.TrimPrefix(text, "+")); {
	case !ok:
		return description.Bound{}
	case v == "inf" || v == "infinity":
		return description.Unlimited()
	}
	if v := l.Number(name, 0); v < endless {
		return description.AtMost(v)
	}
	return description.Unlimited()
}
