// SPDX-License-Identifier: Apache-2.0

package description

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// tensor is a symmetric matrix: the moments of inertia about three axes.
type tensor [3][3]float64

// combine is the mass of two bodies that move together, about their common centre, along the link's axes.
func combine(a, b *Inertial) *Inertial {
	if a == nil {
		return b
	}
	mass, centre := a.Mass+b.Mass, a.Pose.Position
	if mass > 0 {
		p, q := scale(a.Mass, a.Pose.Position), scale(b.Mass, b.Pose.Position)
		centre = scale(1/mass, r3.Vec{X: p.X + q.X, Y: p.Y + q.Y, Z: p.Z + q.Z})
	}
	var sum tensor
	for _, body := range []*Inertial{a, b} {
		t := body.about(centre)
		for i := range sum {
			for k := range sum[i] {
				sum[i][k] += t[i][k]
			}
		}
	}
	return &Inertial{
		Mass: mass, Pose: Pose{Position: centre},
		Moments: [6]float64{sum[0][0], sum[0][1], sum[0][2], sum[1][1], sum[1][2], sum[2][2]},
	}
}

// about is the inertia about a point of the link, along the link's axes (the parallel axes of Steiner).
func (m *Inertial) about(point r3.Vec) tensor {
	own := tensor{
		{m.Moments[0], m.Moments[1], m.Moments[2]},
		{m.Moments[1], m.Moments[3], m.Moments[4]},
		{m.Moments[2], m.Moments[4], m.Moments[5]},
	}
	axes := columns(m.Pose.turn())
	d := r3.Vec{X: m.Pose.Position.X - point.X, Y: m.Pose.Position.Y - point.Y, Z: m.Pose.Position.Z - point.Z}
	away := [3]float64{d.X, d.Y, d.Z}
	var out tensor
	for i := range out {
		for k := range out[i] {
			for p := range own {
				for q := range own[p] {
					out[i][k] += float64(axes[i][p] * own[p][q] * axes[k][q])
				}
			}
			out[i][k] -= float64(m.Mass * away[i] * away[k])
			if i == k {
				n := norm(d)
				out[i][k] += float64(m.Mass * n * n)
			}
		}
	}
	return out
}

// columns is a rotation as a matrix.
func columns(q quat.Number) (m tensor) {
	for k, axis := range []r3.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
		v := rotate(q, axis)
		m[0][k], m[1][k], m[2][k] = v.X, v.Y, v.Z
	}
	return m
}
