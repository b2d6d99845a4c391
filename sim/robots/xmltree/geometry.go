// SPDX-License-Identifier: Apache-2.0

package xmltree

import (
	"fmt"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// Geometry names the elements and attributes of a language that move or resize something: what is not understood of
// them is an error, and no remark.
type Geometry struct {
	// Whole are elements of which every attribute and child must be understood, but for those that are listed.
	Whole map[string][]string
	// Words are names of attributes and elements that must be understood wherever they are, without a prefix.
	Words []string
}

// Moving returns names that place or size things in URDF, SDF or related languages.
func Moving() []string {
	return []string{
		"pose", "origin", "xyz", "rpy", "quat", "quat_xyzw", "quat_wxyz", "euler", "scale", "size", "offset", "translation", "translate",
		"rotation", "rotate", "orientation", "position", "transform", "frame", "relative_to", "expressed_in", "rotation_format",
		"degrees", "include", "model", "length_unit", "units",
	}
}

// RefuseUnread records a fault for each part of an element that was not read although it moves or resizes something.
func (e *Element) RefuseUnread(g Geometry) {
	except, whole := g.Whole[e.Name]
	moves := func(name string) bool {
		if slices.Contains(except, name) || strings.HasPrefix(name, "xmlns") {
			return false
		}
		_, local, prefixed := strings.Cut(name, ":")
		if !prefixed {
			local = name
		}
		return whole || slices.Contains(g.Words, strings.ToLower(local))
	}
	for _, a := range e.attributes {
		if !a.read && moves(a.name) {
			e.Failf("%s=%q is not understood, and it moves or resizes something", short(a.name), short(a.value))
		}
	}
	for _, c := range e.Children {
		switch {
		case c.read:
			c.RefuseUnread(g)
		case moves(c.Name):
			c.Failf("it is not understood in <%s>, and it moves or resizes something", e.Name)
		}
	}
}

// Values returns the values of the attributes.
func (e *Element) Values() []string {
	values := make([]string, len(e.attributes))
	for i, a := range e.attributes {
		values[i] = a.value
	}
	return values
}

// Remark lists something about an element that was read, see [Document.Unread].
func (e *Element) Remark(format string, args ...any) {
	e.doc.ignored = append(e.doc.ignored, description.Remark{Line: e.Line, Text: fmt.Sprintf(format, args...)})
}
