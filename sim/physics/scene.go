// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// Light is a point source.
type Light struct {
	Position  geom.Vec // m
	Height    float64  // m
	Intensity float64  // W/sr
}

// Scene is everything around the robots. It is not safe for concurrent use
// while it is changed.
type Scene struct {
	shapes   []geom.Shape
	fixed    int // shapes in the lattice; those behind them are loose
	lights   []Light
	sounds   []Sound
	ambient  float64
	friction float64 // coefficient between robots, and of robots and shapes
	floor    *Floor  // nil: white
	lattice  lattice
	version  uint64 // counts changes, so that bodies notice

	solids  []geom.Shape // of articulated robots
	tallest float64      // height of the highest body, m

	moves   []bool     // which shapes are movable; nil: none
	anchors []geom.Vec // where movable shapes were when bodies noticed last

	// What all infrared sensors have in common; here, for a robot's own would not be in the processor's cache.
	optics *optics    `checkpoint:"-"`
	curve  *[10]point `checkpoint:"-"`
}

// NewScene returns a scene of shapes and lights with an irradiance everywhere
// (W/m²). It keeps both slices.
func NewScene(shapes []geom.Shape, lights []Light, ambient float64) *Scene {
	return &Scene{
		shapes: shapes, fixed: len(shapes), lights: lights, ambient: ambient, lattice: newLattice(shapes, len(shapes), nil, nil), version: 1,
		tallest: BodyHeight,
		optics:  newOptics(), curve: curve(),
	}
}

// Shape returns shape i.
func (s *Scene) Shape(i int) geom.Shape { return s.shapes[i] }

// SetShape replaces shape i.
func (s *Scene) SetShape(i int, shape geom.Shape) {
	s.shapes[i] = shape
	if s.moves != nil {
		s.anchors[i] = shape.Center()
	}
	s.rebuild()
}

// Light returns light i.
func (s *Scene) Light(i int) Light { return s.lights[i] }

// SetLight replaces light i.
func (s *Scene) SetLight(i int, l Light) {
	s.lights[i] = l
	s.version++
}

// SetFriction sets the coefficient of friction between robots, and of robots and shapes; it is 0 in a new scene.
func (s *Scene) SetFriction(coefficient float64) { s.friction = coefficient }

// Friction returns the coefficient of friction between robots, and of robots and shapes.
func (s *Scene) Friction() float64 { return s.friction }

// SetFloor lays the floor.
func (s *Scene) SetFloor(f *Floor) { s.floor = f }

// Floor returns the floor; nil is white.
func (s *Scene) Floor() *Floor { return s.floor }

// Shapes returns the number of shapes.
func (s *Scene) Shapes() int { return len(s.shapes) }

// Lights returns the number of lights.
func (s *Scene) Lights() int { return len(s.lights) }

// Ambient returns the irradiance everywhere, W/m².
func (s *Scene) Ambient() float64 { return s.ambient }

// touch is the overlap (m) under which rounding, not contact, is at work.
const touch = 1e-9

// Free reports whether a robot's body fits at p among the shapes and the other
// robots.
func (s *Scene) Free(p geom.Vec, others *Others) bool {
	if !s.clear(p) {
		return false
	}
	if others == nil {
		return true
	}
	for _, i := range others.Solids {
		if v, hit := s.solids[i].Push(p, BodyRadius); hit && v.Norm() > touch {
			return false
		}
	}
	for _, q := range others.Discs {
		if v, hit := geom.PushDiscs(p, q, 2*BodyRadius); hit && v.Norm() > touch {
			return false
		}
	}
	return true
}

// clear reports whether a robot's body at p touches no shape.
func (s *Scene) clear(p geom.Vec) bool {
	hits := func(i int32) bool {
		v, hit := s.shapes[i].Push(p, BodyRadius)
		return hit && v.Norm() > touch
	}
	if s.lattice.flat() {
		return !s.lattice.any(p, p, hits)
	}
	return !slices.ContainsFunc(s.lattice.around(s.shapes, p, BodyRadius, nil), hits)
}

const (
	// senseReach is how far from the robot's centre a sensor can notice a shape.
	senseReach = rim + maxDistance
	// SenseReach is how far from the robot's centre the centre of another robot can be for a sensor to notice it, m.
	SenseReach = senseReach + BodyRadius
	// slack is how far a robot drives before it looks for shapes near it again.
	slack = 0.1
)

// vicinity remembers which shapes are within a reach (m) of a robot.
type vicinity struct {
	reach   float64
	anchor  geom.Vec
	version uint64
	list    []int32
}

// near returns the indices of all shapes within reach of p, and of some more.
func (v *vicinity) near(s *Scene, p geom.Vec) []int32 {
	moved := p.Sub(v.anchor)
	if v.version == s.version && moved.Dot(moved) <= slack*slack {
		return v.list
	}
	v.anchor, v.version = p, s.version
	reach := v.reach + slack
	if s.moves != nil {
		reach += 2 * movableSlack
	}
	v.list = s.lattice.around(s.shapes, p, reach, v.list[:0])
	return v.list
}
