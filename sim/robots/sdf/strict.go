// SPDX-License-Identifier: Apache-2.0

package sdf

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

// geometry names what is an error if it is not understood. Submeshes are of files that are not opened.
func geometry() xmltree.Geometry {
	return xmltree.Geometry{
		Whole: map[string][]string{
			"pose": nil, "xyz": nil, "parent": nil, "child": nil, "frame": nil, "inertia": nil, "mass": nil,
			"axis": {"initial_position"}, "limit": {"stiffness", "dissipation"},
			"box": nil, "cylinder": nil, "capsule": nil, "sphere": nil, "mesh": {"submesh"}, "size": nil, "scale": nil, "radius": nil, "length": nil,
		},
		Words: xmltree.Moving(),
	}
}

// place reads the model's pose in a world. A robot is placed where it is added, so its place has no effect, but
// one that leans is another robot.
func (m *model) place(p *xmltree.Element) {
	if p == nil {
		return
	}
	pose := readPose(p)
	p.Know()
	if roll, pitch, _ := pose.RPY(); math.Abs(roll) > maxLean || math.Abs(pitch) > maxLean {
		p.Failf("the model leans, roll %g, pitch %g rad: a robot is placed upright; turn its links instead", roll, pitch)
	}
}

// maxLean is how much a model may lean in its world, rad: what rounding leaves.
const maxLean = 1e-3
