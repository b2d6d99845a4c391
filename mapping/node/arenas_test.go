// SPDX-License-Identifier: Apache-2.0

package node

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/mapping"
	"github.com/epuck-ros2/epuck-driver/navigation"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// arena is a built-in world and the way a robot looks around in it.
type arena struct {
	world string
	path  []navigation.Goal
	left  float64 // of the picture, m
}

// path makes a way short to write down: to a place, turns on the spot there.
type path []navigation.Goal

func (p path) to(x, y float64) path {
	return append(p, navigation.Goal{X: x, Y: y, Theta: navigation.AnyHeading})
}

func (p path) face(headings ...float64) path {
	last := navigation.Goal{}
	if len(p) > 0 {
		last = p[len(p)-1]
	}
	for _, h := range headings {
		p = append(p, navigation.Goal{X: last.X, Y: last.Y, Theta: h})
	}
	return p
}

// around turns once on the spot.
func (p path) around() path { return p.face(0, 2*math.Pi/3, 4*math.Pi/3, 0) }

// arenas are the thesis' arena with the thesis' path (table A.1), on which the parameters of mapping were chosen, and
// two others, on which they were not.
func arenas() []arena {
	const pi = math.Pi
	thesis := path{}.face(0, -pi/2, 0).to(0.28, 0).face(0, pi/2).to(0.28, 0.2).face(0, -pi, -pi/2).
		to(0.23, -0.2).face(0, pi/3, -pi/2, -2.7*pi, pi/2).to(0.23, 0).face(pi/3, pi).
		to(-0.1, 0).face(pi/2, pi/4, 2*pi/3, -pi/2).to(-0.1, -0.2).face(0, pi/3, -pi/2, 3*pi/4)
	offices := path{}.around().to(-0.075, 0).around().to(-0.075, 0.19).around().to(-0.075, 0).to(-0.075, -0.19).around().
		to(-0.075, 0).to(0.275, 0).around().to(0.275, 0.19).around().to(0.275, 0).to(0.275, -0.19).around().to(0.275, 0)
	columns := path{}.around().to(-0.15, -0.05).around().to(-0.12, -0.25).around().to(0.15, -0.15).around().
		to(0.15, 0).to(0.35, 0.02).around().to(0.1, 0.05).to(0.08, 0.28).around().to(-0.05, 0.05).to(-0.3, 0.2).around()
	return []arena{{"rats_life", thesis, -0.5}, {"offices", offices, -0.45}, {"columns", columns, -0.55}}
}

// truthOf says what is solid in a world of boxes and cylinders.
func truthOf(w *world.World) mapping.Truth {
	return func(x, y float64) bool {
		for _, b := range w.Boxes {
			s, c := math.Sincos(b.Yaw)
			dx, dy := x-b.Position[0], y-b.Position[1]
			if math.Abs(c*dx+s*dy) <= b.Size[0]/2 && math.Abs(c*dy-s*dx) <= b.Size[1]/2 {
				return true
			}
		}
		for _, k := range w.Cylinders {
			if math.Hypot(x-k.Position[0], y-k.Position[1]) <= k.Radius {
				return true
			}
		}
		return false
	}
}
