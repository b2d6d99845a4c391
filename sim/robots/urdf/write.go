// SPDX-License-Identifier: Apache-2.0

package urdf

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// Write gives a robot as URDF: what robot_state_publisher and RViz read, with its devices and its drive in blocks for
// Gazebo. Read again it is the same robot, up to the last bits of its angles.
func Write(r *description.Robot) []byte {
	w := &printer{}
	w.text("<?xml version=\"1.0\"?>\n")
	w.open("robot", "name", r.Name)
	for i := range r.Links {
		w.link(&r.Links[i])
	}
	for i := range r.Joints {
		w.joint(&r.Joints[i])
	}
	for i := range r.Devices {
		d := &r.Devices[i]
		w.open("gazebo", "reference", d.Link)
		w.device(d)
		w.end("gazebo")
	}
	if r.Drive != nil {
		w.open("gazebo")
		w.drive(r.Drive)
		w.end("gazebo")
	}
	w.end("robot")
	return w.bytes()
}

func (w *printer) link(l *description.Link) {
	w.open("link", "name", l.Name)
	if m := l.Inertial; m != nil {
		w.open("inertial")
		w.origin(m.Pose)
		w.empty("mass", "value", number(m.Mass))
		i := m.Moments
		w.empty("inertia", "ixx", number(i[0]), "ixy", number(i[1]), "ixz", number(i[2]), "iyy", number(i[3]), "iyz", number(i[4]), "izz", number(i[5]))
		w.end("inertial")
	}
	for i := range l.Visuals {
		w.shape("visual", &l.Visuals[i])
	}
	for i := range l.Collisions {
		w.shape("collision", &l.Collisions[i])
	}
	w.end("link")
}

func (w *printer) shape(element string, s *description.Shape) {
	if s.Name == "" {
		w.open(element)
	} else {
		w.open(element, "name", s.Name)
	}
	w.origin(s.Pose)
	w.open("geometry")
	switch s.Kind {
	case description.Box:
		w.empty("box", "size", vector(s.Size))
	case description.Sphere:
		w.empty("sphere", "radius", number(s.Radius))
	case description.Mesh:
		w.empty("mesh", "filename", s.URI, "scale", vector(s.Size))
	case description.Cylinder, description.Capsule:
		w.empty(string(s.Kind), "radius", number(s.Radius), "length", number(s.Length))
	}
	w.end("geometry")
	if c := s.Color; c != nil {
		w.open("material", "name", "")
		w.empty("color", "rgba", numbers(c[:]...))
		w.end("material")
	}
	w.end(element)
}

func (w *printer) joint(j *description.Joint) {
	w.open("joint", "name", j.Name, "type", string(j.Kind))
	w.empty("parent", "link", j.Parent)
	w.empty("child", "link", j.Child)
	w.origin(j.Origin)
	if j.Axis != (r3.Vec{}) {
		w.empty("axis", "xyz", vector(j.Axis))
	}
	if l := j.Limit; l != nil {
		attributes := []string{"lower", number(l.Lower), "upper", number(l.Upper)}
		attributes = append(attributes, bound("effort", l.Effort)...)
		w.empty("limit", append(attributes, bound("velocity", l.Velocity)...)...)
	}
	if m := j.Mimic; m != nil {
		w.empty("mimic", "joint", m.Joint, "multiplier", number(m.Multiplier), "offset", number(m.Offset))
	}
	if j.Damping != 0 || j.Friction != 0 {
		w.empty("dynamics", "damping", number(j.Damping), "friction", number(j.Friction))
	}
	w.end("joint")
}

// bound returns the attribute of a bound, none if nothing is said.
func bound(name string, b description.Bound) []string {
	if !b.Given {
		return nil
	}
	return []string{name, number(min(b.Value, endless))}
}

// origin writes a pose: rotations about fixed axes, roll first.
func (w *printer) origin(p description.Pose) {
	roll, pitch, yaw := p.RPY()
	w.empty("origin", "xyz", vector(p.Position), "rpy", numbers(roll, pitch, yaw))
}
