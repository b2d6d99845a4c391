// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Added is what a snapshot says of a thing that was put into the running world, for it to be there again.
type Added struct {
	Name          string
	Disc          bool
	X, Y, Yaw     float64
	Length, Width float64 // of a disc its radius
	Height        float64
	Load          world.Load
}

// Added describes what was put into the running world.
func (s *Scene) Added() (all []Added) {
	for _, m := range s.movables {
		if !m.added {
			continue
		}
		b := &m.body
		p, size := b.Pose(), b.Shape.Size()
		a := Added{
			Name: m.name, Disc: b.Shape.Kind() == geom.Disc, X: p.X, Y: p.Y, Yaw: p.Theta, Length: size.X, Width: size.Y,
			Height: b.Shape.Height(), Load: world.Load{Movable: true, Mass: b.Mass, Friction: b.Floor},
		}
		if a.Disc {
			a.Length = b.Shape.Reach()
		}
		all = append(all, a)
	}
	return all
}

// Restore puts things back that are in a snapshot; what else is to be known of them is in its state.
func (s *Scene) Restore(all []Added) {
	for _, a := range all {
		at := geom.Vec{X: a.X, Y: a.Y}
		shape := geom.NewBox(at, geom.Vec{X: a.Length, Y: a.Width}, a.Yaw, a.Height)
		if a.Disc {
			shape = geom.NewDisc(at, a.Length, a.Height)
		}
		s.addMovable(&Thing{Name: a.Name, Shape: shape}, a.Load)
	}
}
