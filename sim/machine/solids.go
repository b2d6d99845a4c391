// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

const (
	// maxSolids is the maximum number of solids of a body; more are replaced by a box around all.
	maxSolids = 24
	// defaultRadius is the radius of a body without shapes, m.
	defaultRadius = 0.05
	// slim is how far a solid may extend beyond another one that replaces both, m.
	slim = 1e-3
)

// solidsOf returns the solids of a body, seen from above with all joints at rest, in the root's frame, and their lowest
// point: those of the links' collision shapes, or, if no link has one, of the visual shapes.
func solidsOf(desc *description.Robot, k *skeleton) (solids []geom.Shape, lowest float64) {
	lowest = math.Inf(1)
	for _, of := range []func(*description.Link) []description.Shape{
		func(l *description.Link) []description.Shape { return l.Collisions },
		func(l *description.Link) []description.Shape { return l.Visuals },
	} {
		for i := range desc.Links {
			shapes := of(&desc.Links[i])
			for s := range shapes {
				if solid, low, ok := flat(&shapes[s], k.poses[i]); ok {
					solids, lowest = add(solids, solid), min(lowest, low)
				}
			}
		}
		if len(solids) > 0 {
			break
		}
	}
	if len(solids) == 0 {
		return []geom.Shape{geom.NewDisc(geom.Vec{}, defaultRadius, defaultRadius)}, 0
	}
	if disc, ok := roundest(solids); ok {
		return []geom.Shape{disc}, lowest
	}
	if len(solids) > maxSolids {
		solids = []geom.Shape{around(solids)}
	}
	return solids, lowest
}

// checkSolids returns an error that matches [ErrModel] for a body of which all shapes are meshes: their files are not
// opened, so its size is not known.
func checkSolids(desc *description.Robot) error {
	mesh := ""
	for i := range desc.Links {
		l := &desc.Links[i]
		for _, shapes := range [][]description.Shape{l.Collisions, l.Visuals} {
			for s := range shapes {
				if shapes[s].Kind != description.Mesh {
					return nil
				}
				mesh = fmt.Sprintf("link %q, mesh %q", l.Name, shapes[s].URI)
			}
		}
	}
	if mesh == "" {
		return nil
	}
	return fmt.Errorf("%w: robot %q has no shape but meshes (%s), which are not opened: add a <collision> with a box, cylinder, capsule or sphere", ErrModel, desc.Name, mesh)
}

// discGrowth is the maximum factor by which a disc may be enlarged to contain the whole body.
const discGrowth = 1.06

// roundest returns a disc of the body, slightly enlarged, that contains all solids.
func roundest(solids []geom.Shape) (geom.Shape, bool) {
	for i := range solids {
		s := &solids[i]
		if s.Kind() != geom.Disc {
			continue
		}
		top, least, holds := s.Height(), s.Reach(), true
		for k := range solids {
			o := &solids[k]
			top = max(top, o.Height())
			if far := s.Around(o); far > least {
				least, holds = far, holds && far <= float64(s.Reach()*discGrowth)
			}
		}
		if holds {
			return geom.NewDisc(s.Center(), least, top), true
		}
	}
	return geom.Shape{}, false
}

// add adds a solid unless another one contains it; it replaces those that it contains. The larger height is kept.
func add(solids []geom.Shape, o geom.Shape) []geom.Shape {
	for i := range solids {
		s := &solids[i]
		switch {
		case s.Holds(&o, slim):
			*s = s.Raised(max(0, o.Height()-s.Height()))
			return solids
		case o.Holds(s, slim):
			o = o.Raised(max(0, s.Height()-o.Height()))
			solids[i] = solids[len(solids)-1]
			return add(solids[:len(solids)-1], o)
		}
	}
	return append(solids, o)
}

// around returns a box that contains all solids.
func around(solids []geom.Shape) geom.Shape {
	low, high, height := geom.Vec{X: math.Inf(1), Y: math.Inf(1)}, geom.Vec{X: math.Inf(-1), Y: math.Inf(-1)}, math.Inf(-1)
	for i := range solids {
		for _, p := range solids[i].Outline(12) {
			low = geom.Vec{X: min(low.X, p.X), Y: min(low.Y, p.Y)}
			high = geom.Vec{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
		}
		height = max(height, solids[i].Height())
	}
	return geom.NewBox(low.Add(high).Scale(0.5), high.Sub(low), 0, height)
}

// flat returns a shape of a link seen from above, and its lowest point. The solid's height is that of the top in the
// root's frame. ok is false for a mesh.
func flat(s *description.Shape, link description.Pose) (solid geom.Shape, low float64, ok bool) {
	at := link.Then(s.Pose)
	axes := [3]r3.Vec{turned(at, r3.Vec{X: 1}), turned(at, r3.Vec{Y: 1}), turned(at, r3.Vec{Z: 1})}
	middle := geom.Vec{X: at.Position.X, Y: at.Position.Y}
	round := s.Kind == description.Sphere || (s.Kind == description.Cylinder || s.Kind == description.Capsule) && math.Abs(axes[2].Z) > 0.99
	up := extent(s, axes, r3.Vec{Z: 1})
	switch {
	case s.Kind == description.Mesh:
		return solid, 0, false
	case round:
		solid = geom.NewDisc(middle, s.Radius, at.Position.Z+up)
	default:
		ahead := longest(axes)
		side := r3.Vec{X: -ahead.Y, Y: ahead.X}
		size := geom.Vec{X: float64(2 * extent(s, axes, ahead)), Y: float64(2 * extent(s, axes, side))}
		solid = geom.NewBox(middle, size, geom.Angle(geom.Vec{X: ahead.X, Y: ahead.Y}), at.Position.Z+up)
	}
	return solid, at.Position.Z - up, true
}

// turned transforms a direction out of a frame.
func turned(p description.Pose, v r3.Vec) r3.Vec {
	p.Position = r3.Vec{}
	return p.Apply(v)
}

// longest returns the most horizontal axis of a frame, of length 1 in the plane.
func longest(axes [3]r3.Vec) r3.Vec {
	best, level := geom.Vec{X: 1}, 0.0
	for _, a := range axes {
		if v := (geom.Vec{X: a.X, Y: a.Y}); v.Norm() > level {
			level, best = v.Norm(), v
		}
	}
	best = best.Scale(1 / best.Norm())
	return r3.Vec{X: best.X, Y: best.Y}
}

// extent returns a shape's extent from its centre in a direction of length 1.
func extent(s *description.Shape, axes [3]r3.Vec, to r3.Vec) float64 {
	along := func(i int) float64 {
		a := axes[i]
		return math.Abs(float64(a.X*to.X) + float64(a.Y*to.Y) + float64(a.Z*to.Z))
	}
	switch s.Kind {
	case description.Box:
		return float64(s.Size.X*along(0)/2) + float64(s.Size.Y*along(1)/2) + float64(s.Size.Z*along(2)/2)
	case description.Cylinder:
		c := min(1, along(2))
		return float64(s.Length*c/2) + float64(s.Radius*math.Sqrt(1-float64(c*c)))
	case description.Capsule:
		return float64(s.Length*along(2)/2) + s.Radius
	}
	return s.Radius
}
