// SPDX-License-Identifier: Apache-2.0

package proto

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// physics gives a link its mass. The bounding object is the link's collisions from the first on: what is not said is
// computed of it, as Webots does.
func (b *builder) physics(n *node, at place, first int) {
	l := &b.robot.Links[at.link]
	if n.kind != "Physics" {
		b.drop(n, "it has no meaning here")
		return
	}
	volume, centre, moments := solids(l.Collisions[first:])
	mass, density := b.number(n, "mass", -1), b.number(n, "density", 1000)
	if mass < 0 && density >= 0 {
		mass = density * volume
	}
	if mass < 0 {
		b.failf(n.line, "Physics: neither mass nor density")
		return
	}
	m := &description.Inertial{Mass: mass, Pose: description.Pose{Position: centre}}
	for i := range m.Moments {
		if volume > 0 {
			m.Moments[i] = moments[i] * mass / volume
		}
	}
	given := b.numbers(n, "centerOfMass", 3, true)
	if given != nil {
		m.Pose.Position = at.pose.Apply(r3.Vec{X: given[0], Y: given[1], Z: given[2]})
	}
	if matrix := b.numbers(n, "inertiaMatrix", 6, true); matrix != nil {
		m.Pose.Rotation = at.pose.Rotation // the matrix is along the Solid's axes
		if given == nil {
			m.Pose.Position = at.pose.Position
		}
		m.Moments = [6]float64{matrix[0], matrix[3], matrix[4], matrix[1], matrix[5], matrix[2]}
		for _, v := range matrix[:3] {
			if v < 0 {
				b.failf(n.ask("inertiaMatrix").line, "Physics.inertiaMatrix: a moment of %g", v)
			}
		}
	} else if volume == 0 {
		b.remarkf(n.line, "Physics: no bounding object with a volume: %g kg in a point", mass)
	}
	l.Inertial = m
}

// solids is the volume of shapes, m³, its centre, and the moments about that for a density of 1 kg/m³, along the link's
// axes: xx, xy, xz, yy, yz, zz. What two shapes have in common counts twice, as in Webots.
func solids(shapes []description.Shape) (volume float64, centre r3.Vec, moments [6]float64) {
	for i := range shapes {
		v, _ := solid(&shapes[i])
		volume += v
		centre = r3.Add(centre, r3.Scale(v, shapes[i].Pose.Position))
	}
	if volume == 0 {
		return 0, r3.Vec{}, moments
	}
	centre = r3.Scale(1/volume, centre)
	for i := range shapes {
		v, own := solid(&shapes[i])
		d := r3.Sub(shapes[i].Pose.Position, centre)
		away := [3]float64{d.X, d.Y, d.Z}
		x, y, z := turned(shapes[i].Pose, r3.Vec{X: 1}), turned(shapes[i].Pose, r3.Vec{Y: 1}), turned(shapes[i].Pose, r3.Vec{Z: 1})
		rows := [3][3]float64{{x.X, y.X, z.X}, {x.Y, y.Y, z.Y}, {x.Z, y.Z, z.Z}}
		at := 0
		for p := range 3 {
			for q := p; q < 3; q++ {
				sum := -v * away[p] * away[q]
				if p == q {
					sum += v * r3.Norm2(d)
				}
				for k := range 3 {
					sum += rows[p][k] * own[k] * rows[q][k]
				}
				moments[at] += sum
				at++
			}
		}
	}
	return volume, centre, moments
}

// solid is the volume of a shape, and its moments about its own axes for a density of 1.
func solid(s *description.Shape) (volume float64, moments [3]float64) {
	r2, h := s.Radius*s.Radius, s.Length
	switch s.Kind {
	case description.Box:
		x, y, z := s.Size.X*s.Size.X, s.Size.Y*s.Size.Y, s.Size.Z*s.Size.Z
		v := s.Size.X * s.Size.Y * s.Size.Z
		return v, [3]float64{v * (y + z) / 12, v * (x + z) / 12, v * (x + y) / 12}
	case description.Cylinder:
		v := math.Pi * r2 * h
		across := v * (3*r2 + h*h) / 12
		return v, [3]float64{across, across, v * r2 / 2}
	case description.Sphere:
		v := 4. / 3 * math.Pi * r2 * s.Radius
		return v, [3]float64{.4 * v * r2, .4 * v * r2, .4 * v * r2}
	case description.Capsule:
		pipe, ball := math.Pi*r2*h, 4./3*math.Pi*r2*s.Radius
		across := pipe*(3*r2+h*h)/12 + ball*(.4*r2+h*h/4+3*h*s.Radius/8)
		return pipe + ball, [3]float64{across, across, pipe*r2/2 + ball*.4*r2}
	default:
		return 0, moments
	}
}
