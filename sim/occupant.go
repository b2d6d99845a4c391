// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Occupant is a robot of any kind in a world: a [*Robot], an [*Agent] or a [*Visitor].
type Occupant interface {
	// Name returns the robot's name in the world file.
	Name() string
	// Level returns the robot's level, world.LevelDescribed for a visitor.
	Level() string
	// Truth lets the world catch up with the clock and returns what is so.
	Truth() Truth
	// Place puts the robot down somewhere.
	Place(pose Pose) error
}

var (
	_ Occupant = Member(nil)
	_ Occupant = (*Visitor)(nil)
)

// Occupants returns all robots: those of [Simulation.Members], then those of [Simulation.Visitors].
func (s *Simulation) Occupants() (all []Occupant) {
	for _, m := range s.Members() {
		all = append(all, m)
	}
	for _, v := range s.Visitors() {
		all = append(all, v)
	}
	return all
}

// Footprint returns the solids of a robot with a model around its frame, as it would stand in a world. The error is its
// maker's.
func (s *Simulation) Footprint(r world.Robot) ([]geom.Shape, error) {
	r.Position, r.Yaw = world.Point{}, 0
	v, err := s.newVisitor(&r)
	if err != nil {
		return nil, err
	}
	return v.guest.Outline(nil), nil
}
