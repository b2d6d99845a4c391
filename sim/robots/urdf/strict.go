// SPDX-License-Identifier: Apache-2.0

package urdf

import (
	"strings"

	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

// geometry names what is an error if it is not understood.
func geometry() xmltree.Geometry {
	return xmltree.Geometry{
		Whole: map[string][]string{
			"origin": nil, "axis": nil, "mimic": nil, "parent": nil, "child": nil, "geometry": nil,
			"box": nil, "cylinder": nil, "capsule": nil, "sphere": nil, "mesh": nil, "mass": nil, "inertia": nil, "inertial": nil,
			"limit": {"acceleration", "deceleration", "jerk"}, // of URDF 1.2, of which no joint here has any
			"pose":  nil,
		},
		Words: xmltree.Moving(),
	}
}

// expandable returns the first element that xacro would expand, nil if there is none: one of its own, or one with an
// expression in an attribute.
func expandable(e *xmltree.Element) *xmltree.Element {
	if strings.HasPrefix(e.Name, "xacro:") {
		return e
	}
	for _, v := range e.Values() {
		if strings.Contains(v, "${") || strings.Contains(v, "$(") {
			return e
		}
	}
	for _, c := range e.Children {
		if x := expandable(c); x != nil {
			return x
		}
	}
	return nil
}
