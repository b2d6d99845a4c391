// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Robots with a model are distributed where their own solids fit, by all methods; the resulting world can be loaded.
func TestDistributeByFootprint(t *testing.T) {
	long := func(string) (*description.Robot, error) { return library.Parse("cart", []byte(cart(""))) }
	for _, model := range append(library.Names(), "cart") {
		load := library.Load
		if model == "cart" {
			load = long
		}
		mechanisms := machine.Maker(library.Parse, load)
		for _, how := range sim.Distributions() {
			for _, space := range []string{"arena: {size: [3, 3]}\nboxes: [{position: [0.6, 0.2], size: [0.3, 0.5]}]\n", ""} {
				w, err := sim.ParseWorld([]byte(space + "robots: [{name: r, model: " + model + ", position: [0, 0], yaw: 0.3}]"))
				if err != nil {
					t.Fatal(err)
				}
				if err := sim.DistributeMechanisms(w, 8, how, 5, mechanisms); err != nil {
					t.Errorf("%s, %s: %v", model, how, err)
					continue
				}
				if _, err := sim.New(w, sim.Options{Mechanisms: mechanisms}); err != nil {
					t.Errorf("%s, %s: %v", model, how, err)
				}
				if w.Robots[7].Name != "r8" || w.Robots[7].Model != model {
					t.Errorf("%s: %+v", model, w.Robots[7])
				}
			}
		}
	}
}

// If they do not fit, or the program lacks their model, nothing changes.
func TestDistributeByFootprintErrors(t *testing.T) {
	mechanisms := machine.Maker(library.Parse, library.Load)
	for name, c := range map[string]struct {
		model      string
		mechanisms sim.MechanismMaker
		want       error
	}{
		"space for e-pucks only": {"turtlebot3_burger", mechanisms, sim.ErrOccupied},
		"another program":        {"turtlebot3_burger", nil, sim.ErrModel},
		"no such robot":          {"unicycle", mechanisms, library.ErrNoRobot},
	} {
		w, err := sim.ParseWorld([]byte("arena: {size: [0.4, 0.4]}\nrobots: [{name: r, model: " + c.model + ", position: [0, 0]}]"))
		if err != nil {
			t.Fatal(err)
		}
		before := slices.Clone(w.Robots)
		for _, how := range sim.Distributions() {
			if err := sim.DistributeMechanisms(w, 9, how, 1, c.mechanisms); !errors.Is(err, c.want) {
				t.Errorf("%s, %s: %v", name, how, err)
			}
		}
		if len(w.Robots) != 1 || w.Robots[0].Name != before[0].Name {
			t.Errorf("%s: the world has changed", name)
		}
	}
	w, err := sim.ParseWorld([]byte("arena: {size: [0.4, 0.4]}\nrobots: [{name: r, position: [0, 0]}]"))
	if err != nil {
		t.Fatal(err)
	}
	if err := sim.Distribute(w, 9, sim.Grid, 1); err != nil {
		t.Errorf("nine e-pucks: %v", err)
	}
}

// The outline of an articulated robot does not depend on where it is, and its ground truth is its pose, twist and
// contacts; robots of all kinds are in the order of the world file.
func TestArticulatedAsRobot(t *testing.T) {
	r := newRig(t, arena(robotAt("b", "turtlebot3_burger", 0.2, -0.1, 1), "  - {name: e, level: functional, position: [-0.5, 0]}\n"))
	all := r.sim.Robots()
	if len(all) != 2 || all[0].Name() != "b" || all[1].Name() != "e" || all[0].Level() != world.LevelDescribed {
		t.Fatalf("%v", all)
	}
	v := sim.RobotsOf[*sim.Articulated](r.sim)[0]
	if v.Model() != "turtlebot3_burger" {
		t.Error(v.Model())
	}
	home, err := r.sim.Footprint(world.Robot{Name: "x", Model: "turtlebot3_burger", Position: world.Point{9, 9}, Yaw: 2})
	if err != nil {
		t.Fatal(err)
	}
	r.drive(0, 2, 3)
	r.pass(700e6)
	solids, frame := v.Outline()
	if frame != "base_footprint" || len(solids) != len(home) {
		t.Fatalf("frame %q, %d solids, not %d", frame, len(solids), len(home))
	}
	for i := range solids {
		if d := solids[i].Center().Sub(home[i].Center()).Norm(); d > 1e-12 || math.Abs(geom.WrapAngle(solids[i].Yaw()-home[i].Yaw())) > 1e-12 {
			t.Errorf("solid %d is %g m away", i, d)
		}
	}
	truth := v.GroundTruth()
	if truth.Pose != v.Pose() || math.Abs(truth.V-2.5*0.033) > 1e-9 || math.Abs(truth.Omega-0.033/0.16) > 1e-9 || truth.Time != 700e6 {
		t.Errorf("%+v", truth)
	}
	if err := all[0].Place(sim.Pose{X: -0.5}); !errors.Is(err, sim.ErrOccupied) {
		t.Errorf("placed on another one: %v", err)
	}
	if _, err := r.sim.Footprint(world.Robot{Name: "x", Model: "unicycle"}); !errors.Is(err, library.ErrNoRobot) {
		t.Error(err)
	}
}
