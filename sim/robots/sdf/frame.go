// SPDX-License-Identifier: Apache-2.0

package sdf

import (
	"math"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

// modelFrame is the model's own frame.
const modelFrame = "__model__"

// frame is something whose pose others may refer to: a link, a joint or a frame.
type frame struct {
	e    *xmltree.Element
	base string // the frame its pose is in
	raw  description.Pose
	pose description.Pose // in the model, once it is done
	busy bool             // it is being worked out: who asks goes in a circle
	done bool
}

// add takes a frame whose pose is in the one of a name, if it does not name another itself.
func (m *model) add(e *xmltree.Element, base string) {
	name := e.Needed("name")
	if name == "world" || strings.HasPrefix(name, "__") || strings.Contains(name, "::") || m.frames[name] != nil {
		e.Failf("its name %q is kept for others, or another's", name)
		return
	}
	f := &frame{e: e, base: base}
	p := e.Child("pose")
	if to, ok := p.Attribute("relative_to"); ok && to != "" {
		f.base = to
	}
	f.raw = readPose(p)
	m.frames[name] = f
}

// in is the pose of a frame in the model. Who refers to one that is not there is at fault.
func (m *model) in(name string, who *xmltree.Element) description.Pose {
	if name == modelFrame {
		return description.Pose{}
	}
	f := m.frames[name]
	switch {
	case f == nil:
		who.Failf("there is no frame %q", name)
		return description.Pose{}
	case f.busy:
		who.Failf("its pose goes in a circle, by %q", name)
		return description.Pose{}
	case !f.done:
		f.busy = true
		f.pose = m.in(f.base, f.e).Then(f.raw)
		f.busy, f.done = false, true
	}
	return f.pose
}

// readPose reads x y z roll pitch yaw, in degrees if it says so, or x y z and a quaternion.
func readPose(p *xmltree.Element) description.Pose {
	if p == nil || p.Text == "" {
		return description.Pose{}
	}
	format, _ := p.Attribute("rotation_format")
	degrees, _ := p.Attribute("degrees")
	switch {
	case format != "" && format != "euler_rpy" && format != "quat_xyzw":
		p.Failf("rotation_format %q: want euler_rpy or quat_xyzw", format)
		return description.Pose{}
	case format == "quat_xyzw" && (degrees == "true" || degrees == "1"):
		p.Failf("a quaternion has no degrees")
		return description.Pose{}
	case format == "quat_xyzw":
		v, ok := p.Numbers("the pose", p.Text, 7)
		if !ok {
			return description.Pose{}
		}
		return fromQuaternion(p, v)
	}
	v, ok := p.Numbers("the pose", p.Text, 6)
	if !ok {
		return description.Pose{}
	}
	unit := 1.0
	if degrees == "true" || degrees == "1" {
		unit = math.Pi / 180
	}
	return description.FromRPY(r3.Vec{X: v[0], Y: v[1], Z: v[2]}, v[3]*unit, v[4]*unit, v[5]*unit)
}

// fromQuaternion makes a pose of x y z and a quaternion x y z w.
func fromQuaternion(p *xmltree.Element, v []float64) description.Pose {
	turn, err := description.FromQuaternion(v[3], v[4], v[5], v[6])
	if err != nil {
		p.Failf("%w", err)
	}
	turn.Position = r3.Vec{X: v[0], Y: v[1], Z: v[2]}
	return turn
}

// relative is the pose of a child <pose> in the link it is in, or in a frame that it names.
func (m *model) relative(e *xmltree.Element, link string) description.Pose {
	p := e.Child("pose")
	pose := readPose(p)
	if to, ok := p.Attribute("relative_to"); ok && to != "" && to != link {
		return m.in(link, e).Inverse().Then(m.in(to, p)).Then(pose)
	}
	return pose
}
