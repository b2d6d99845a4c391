// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// TestPlacesOutsideOfTheArenaAreNamed: whatever comes or is moved there; a place that something occupies is named as
// that.
func TestPlacesOutsideOfTheArenaAreNamed(t *testing.T) {
	w, err := sim.ParseWorld([]byte("arena: {center: [1, 0], size: [2, 1]}\nrobots: [{name: r, position: [1, 0]}, {name: f, level: functional, position: [1.5, 0]}]\n" +
		"boxes: [{name: crate, position: [0.3, 0], size: [0.1, 0.1], movable: true, mass: 0.1}]"))
	if err != nil {
		t.Fatal(err)
	}
	s, _ := start(t, w, sim.Options{})
	w.Robots[0].WheelDistance = 0.05685
	puck := func(at geom.Vec) error {
		return s.Put(sim.Thing{Name: "puck", Shape: geom.NewDisc(at, 0.02, 0.02)}, world.Load{Mass: 0.1})
	}
	for _, c := range []struct {
		at   sim.Pose
		want string
	}{
		{sim.Pose{X: -1}, "outside of the arena, which is 0 ≤ x ≤ 2 m, -0.5 ≤ y ≤ 0.5 m"},
		{sim.Pose{X: 1, Y: 7}, "outside of"},
		{sim.Pose{X: 1.99}, "nearer than its radius to the wall"},
		{sim.Pose{X: 0.3}, "is occupied"},
	} {
		for name, put := range map[string]func() error{
			"a robot of the firmware level": func() error {
				r := w.Robots[0]
				r.Name, r.Position = "n", world.Point{c.at.X, c.at.Y}
				_, err := s.Spawn(r)
				return err
			},
			"placing a robot":            func() error { return s.Robots()[0].Place(c.at) },
			"placing a functional robot": func() error { return s.Robots()[1].Place(c.at) },
			"a person":                   func() error { return s.Admit(sim.Person{Name: "p", Pose: c.at, Radius: 0.1, Height: 1}) },
			"a puck":                     func() error { return puck(c.at.Position()) },
		} {
			err := put()
			outside := !strings.Contains(c.want, "occupied")
			if !errors.Is(err, sim.ErrOccupied) || errors.Is(err, sim.ErrOutside) != outside || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s at %v: %v, want %q", name, c.at, err, c.want)
			}
		}
	}
	if err := s.Move("crate", sim.Pose{X: 5}); !errors.Is(err, sim.ErrOutside) {
		t.Errorf("the crate: %v", err)
	}
}
