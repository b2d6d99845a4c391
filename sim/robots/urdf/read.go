// SPDX-License-Identifier: Apache-2.0

package urdf

import (
	"cmp"
	"errors"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/sdf"
	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

// Parse reads a description, whose name is for errors only. Those name file, line and element, and match
// [xmltree.ErrSyntax], [xmltree.ErrContent], [description.ErrTree] or [description.ErrValue].
func Parse(name string, text []byte) (*description.Robot, error) {
	doc, err := xmltree.Parse(name, text)
	if err != nil {
		return nil, err
	}
	return FromTree(doc)
}

// FromTree reads a description that is parsed already.
func FromTree(doc *xmltree.Document) (*description.Robot, error) {
	r := reader{robot: &description.Robot{}, colors: map[string]*[4]float64{}}
	if doc.Root.Name != "robot" {
		doc.Root.Failf("a robot of URDF begins with <robot>")
		return nil, doc.Err()
	}
	r.read(doc.Root)
	doc.Root.RefuseUnread(geometry())
	if err := errors.Join(doc.Err(), doc.In(r.robot.Check())); err != nil {
		return nil, err
	}
	r.robot.Ignored = doc.Unread()
	return r.robot, nil
}

// reader makes a robot of a tree.
type reader struct {
	robot  *description.Robot
	colors map[string]*[4]float64 // of materials by name
}

func (r *reader) read(root *xmltree.Element) {
	r.robot.Name = root.Needed("name")
	version, _ := root.Attribute("version")
	if !slices.Contains([]string{"", "1", "1.0", "1.1", "1.2"}, version) {
		root.Failf("version %q: 1.0 to 1.2 are read", version)
		return
	}
	if c := expandable(root); c != nil {
		c.Failf("this is a file of xacro: make URDF of it first (xacro FILE > robot.urdf)")
		return
	}
	for _, m := range root.All("material") {
		if color := readColor(m); color != nil {
			r.colors[m.Needed("name")] = color
		}
	}
	for _, l := range root.All("link") {
		r.robot.Links = append(r.robot.Links, r.link(l))
	}
	for _, j := range root.All("joint") {
		r.robot.Joints = append(r.robot.Joints, readJoint(j))
	}
	for _, g := range root.All("gazebo") {
		r.gazebo(g)
	}
}

// gazebo reads what is said to a simulator: sensors of a link, and the plug-ins of the robot.
func (r *reader) gazebo(g *xmltree.Element) {
	link, on := g.Attribute("reference")
	if p := g.Child("pose"); p != nil && !on {
		p.Ignore("a pose in the world: a robot is placed where it is added")
	}
	root, _ := r.robot.Root() // that there is one is checked later
	for _, s := range g.All("sensor") {
		if d, ok := sdf.ReadSensor(s, link); ok {
			r.robot.Devices = append(r.robot.Devices, d)
		}
	}
	for _, p := range g.All("plugin") {
		sdf.ReadPlugin(r.robot, p, cmp.Or(link, root))
	}
}

// readOrigin is the pose of a child <origin>, whose rotation is rpy or, from URDF 1.1 on, quat_xyzw.
func readOrigin(e *xmltree.Element) description.Pose {
	o := e.Child("origin")
	position, rpy := o.Vector("xyz", r3.Vec{}), o.Vector("rpy", r3.Vec{})
	text, quaternion := o.Attribute("quat_xyzw")
	if !quaternion {
		return description.FromRPY(position, rpy.X, rpy.Y, rpy.Z)
	}
	if _, twice := o.Attribute("rpy"); twice {
		o.Failf("it has both rpy and quat_xyzw")
	}
	v, ok := o.Numbers("quat_xyzw", text, 4)
	if !ok {
		return description.Pose{}
	}
	pose, err := description.FromQuaternion(v[0], v[1], v[2], v[3])
	if err != nil {
		o.Failf("quat_xyzw: %w", err)
	}
	pose.Position = position
	return pose
}

// readColor is the color of a material, nil if it has none.
func readColor(m *xmltree.Element) *[4]float64 {
	c := m.Child("color")
	if c == nil {
		return nil
	}
	v, ok := c.Numbers("rgba", c.Needed("rgba"), 4)
	if !ok {
		return nil
	}
	return (*[4]float64)(v)
}
