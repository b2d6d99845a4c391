// SPDX-License-Identifier: Apache-2.0

package urdf_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// draws makes random parts of a robot.
type draws struct{ t *rapid.T }

func (d draws) number(from, to float64) float64 {
	return rapid.Float64Range(from, to).Draw(d.t, "number")
}

func (d draws) count(from, to int) int { return rapid.IntRange(from, to).Draw(d.t, "count") }

func (d draws) word() string {
	return rapid.StringMatching(`[a-z][a-z<>&"' äß/:_]{0,6}[a-z]`).Draw(d.t, "word")
}

func (d draws) yes() bool { return rapid.Bool().Draw(d.t, "yes") }

func (d draws) vector(from, to float64) r3.Vec {
	return r3.Vec{X: d.number(from, to), Y: d.number(from, to), Z: d.number(from, to)}
}

func (d draws) pose() description.Pose {
	right := rapid.SampledFrom([]float64{0, math.Pi / 2, -math.Pi / 2, math.Pi}).Draw(d.t, "right")
	pitch := rapid.SampledFrom([]float64{right, d.number(-3, 3)}).Draw(d.t, "pitch")
	return description.FromRPY(d.vector(-2, 2), d.number(-3, 3), pitch, d.number(-3, 3))
}

func (d draws) shapes() (all []description.Shape) {
	for range d.count(0, 2) {
		s := description.Shape{Pose: d.pose(), Kind: rapid.SampledFrom([]description.ShapeKind{
			description.Box, description.Cylinder, description.Capsule, description.Sphere, description.Mesh,
		}).Draw(d.t, "shape")}
		switch s.Kind {
		case description.Box:
			s.Size = d.vector(.01, 2)
		case description.Mesh:
			s.Size, s.URI = d.vector(-2, 2), "package://"+d.word()
		case description.Sphere:
			s.Radius = d.number(.01, 2)
		default:
			s.Radius, s.Length = d.number(.01, 2), d.number(.01, 2)
		}
		if d.yes() {
			s.Name = d.word()
		}
		all = append(all, s)
	}
	return all
}

func (d draws) link(i int) description.Link {
	l := description.Link{Name: fmt.Sprint(d.word(), i), Visuals: d.shapes(), Collisions: d.shapes()}
	for k := range l.Visuals {
		if d.yes() {
			l.Visuals[k].Color = &[4]float64{d.number(0, 1), d.number(0, 1), d.number(0, 1), d.number(0, 1)}
		}
	}
	if d.yes() {
		l.Inertial = &description.Inertial{Mass: d.number(0, 5), Pose: d.pose()}
		for k := range l.Inertial.Moments {
			l.Inertial.Moments[k] = d.number(-1, 1)
		}
	}
	return l
}

func (d draws) joint(i int, parent, child string, before []description.Joint) description.Joint {
	j := description.Joint{Name: fmt.Sprint(d.word(), i), Parent: parent, Child: child, Origin: d.pose(), Axis: r3.Vec{X: 1}}
	j.Kind = rapid.SampledFrom([]description.JointKind{
		description.Fixed, description.Continuous, description.Revolute, description.Prismatic, description.Floating, description.Planar,
	}).Draw(d.t, "kind")
	if axis := d.vector(-1, 1); r3.Norm(axis) > .1 {
		j.Axis = r3.Unit(axis)
	}
	if j.Kind == description.Revolute || j.Kind == description.Prismatic || d.yes() {
		j.Limit = &description.Limit{Lower: d.number(-3, 0), Upper: d.number(0, 3), Velocity: description.AtMost(d.number(0, 9)), Effort: description.AtMost(d.number(0, 9))}
	}
	if len(before) > 0 && d.yes() {
		j.Mimic = &description.Mimic{Joint: before[d.count(0, len(before)-1)].Name, Multiplier: d.number(-2, 2), Offset: d.number(-2, 2)}
	}
	if d.yes() {
		j.Damping, j.Friction = d.number(0, 1), d.number(0, 1)
	}
	return j
}

// device has of the kind's fields what a file can say.
func (d draws) device(kind description.DeviceKind, link string) description.Device {
	out := description.Device{Name: d.word(), Kind: kind, Link: link, Pose: d.pose(), Rate: d.number(0, 100), Unasked: d.yes()}
	if d.yes() {
		out.Topic = d.word()
	}
	least := d.number(0, 1)
	switch kind {
	case description.Lidar:
		out.Range = &description.Range{Min: least, Max: least + d.number(.1, 9), Resolution: d.number(0, 1), Rays: 1}
		out.Fan = &description.Fan{Samples: d.count(2, description.MaxRays), MinAngle: d.number(-3, 0), MaxAngle: d.number(0, 3)}
	case description.Camera, description.Depth:
		out.Image = &description.Image{Width: d.count(1, 4096), Height: d.count(1, 4096), FieldOfView: d.number(.1, 3),
			Near: least, Far: least + d.number(.1, 9), Format: d.word()}
		if kind == description.Depth {
			out.Range = &description.Range{Min: out.Image.Near, Max: out.Image.Far, Rays: 1}
		}
	case description.Sonar:
		out.Range = &description.Range{Min: least, Max: least + d.number(.1, 9), Aperture: d.number(0, 3), Rays: 1}
		return out
	case description.Infrared, description.Light, description.Ground:
		if d.yes() {
			out.Range = &description.Range{Min: least, Max: least + d.number(.1, 9), Aperture: d.number(0, 3), Rays: d.count(1, 9)}
		}
		for i := range d.count(0, 4) {
			out.Table = append(out.Table, description.Row{Quantity: float64(i) + d.number(0, .9), Value: d.number(-9, 9), Noise: d.number(0, 1)})
		}
		if d.yes() {
			out.Saturation = description.Table{{Value: d.number(-9, 9)}, {Quantity: d.number(1, 2), Value: d.number(-9, 9), Noise: d.number(0, 1)}}
		}
	case description.IMU, description.Compass:
		for range map[description.DeviceKind]int{description.IMU: 6, description.Compass: 3}[kind] {
			out.Axes = append(out.Axes, d.noise())
		}
		return out
	case description.Battery:
		if d.yes() {
			out.Energy = &description.Energy{Now: d.number(0, 9), Most: d.number(9, 99)}
			if d.yes() {
				out.Energy.Load, out.Energy.Charging, out.Energy.Voltage = d.number(0, 9), d.number(0, 9), d.number(0, 20)
				out.Energy.Rise, out.Energy.Resistance = d.number(-4, 0), d.number(0, 1)
			}
		}
		return out
	default:
		return out
	}
	out.Noise = d.noise()
	return out
}

func (d draws) noise() description.Noise {
	n := description.Noise{Mean: d.number(-1, 1), Deviation: d.number(.001, 1)}
	if d.yes() {
		n.Relative, n.BiasMean, n.BiasDeviation = d.number(0, 1), d.number(-1, 1), d.number(0, 1)
	}
	if d.yes() {
		n.Step, n.Least, n.Most = d.number(0, 1), d.number(-9, 0), d.number(1, 9)
	}
	return n
}

func (d draws) robot() *description.Robot {
	r := &description.Robot{Name: d.word(), Links: []description.Link{d.link(0)}}
	for i := range d.count(0, 5) {
		parent := r.Links[d.count(0, len(r.Links)-1)].Name
		r.Links = append(r.Links, d.link(i+1))
		r.Joints = append(r.Joints, d.joint(i, parent, r.Links[i+1].Name, r.Joints))
	}
	for _, kind := range []description.DeviceKind{
		description.Infrared, description.Sonar, description.Lidar, description.Camera, description.Depth, description.IMU, description.GPS, description.Compass,
		description.Contact, description.Light, description.Ground, description.LED, description.Battery,
	} {
		if d.yes() {
			r.Devices = append(r.Devices, d.device(kind, r.Links[d.count(0, len(r.Links)-1)].Name))
		}
	}
	return r
}
