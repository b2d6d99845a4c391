// SPDX-License-Identifier: Apache-2.0

package plant_test

import (
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/functional"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/kernel"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/plant"
	"github.com/epuck-ros2/epuck-driver/sim/scene"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// gripping is a level of its own: an e-puck2's body with a gripper ahead of it, which drives at a speed.
type gripping struct {
	functional.Body
	speed  float64 // half steps a cycle, of both wheels
	closed bool
}

func (g *gripping) EndCycle(cycle int64) {
	g.Chassis.Glide(g.World().Physics, g.Touching(), g.speed, g.speed)
	g.Moved(cycle, g.Chassis.Pose(), g.Chassis.ContactSinceLast())
}

func (g *gripping) Still() bool                        { return g.speed == 0 }
func (g *gripping) OverrideMotors(plant.MotorOverride) {}
func (g *gripping) CommandedLEDs() vmcu.LEDs           { return vmcu.LEDs{} }

func (g *gripping) Gripper() (at geom.Vec, reach float64, closed bool) {
	return g.Chassis.Pose().Transform(geom.Vec{X: physics.BodyRadius + 0.02}), 0.03, g.closed
}

// A gripper, and the environment in which it meets things, are those of any level.
func TestAnyLevelMayHaveAGripper(t *testing.T) {
	w, err := world.Parse([]byte(`
cylinders: [{name: puck, position: [0.06, 0], radius: 0.02, movable: true}, {name: post, position: [-0.3, 0], radius: 0.02}]
robots: [{name: r, level: functional}]`))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(0, 0)
	x := new(plant.World)
	x.Init(w, plant.Config{Now: func() time.Time { return now }})
	g := new(gripping)
	g.Init(x, &w.Robots[0], x.Source("r"), g)
	g.Set(plant.Traits{Disc: true, Gripper: true, Radius: physics.BodyRadius, MaxWay: scene.CycleWay, ContactReach: plant.ContactReach}, nil, g.Pose())
	x.Add(&g.Unit)
	run := func(cycles int) {
		now = now.Add(time.Duration(cycles) * kernel.CycleTime)
		x.Kernel.CatchUp()
	}
	puck := func() float64 { return x.Scene.MovableShape("puck").Center().X }
	g.speed, g.closed = 1, true
	run(1)
	if !g.Environment().Holding() {
		t.Fatal("the gripper holds nothing")
	}
	g.speed = -10
	run(100)
	if apart := puck() - g.Position().X; g.Position().X > -0.05 || math.Abs(apart-0.06) > 0.002 {
		t.Errorf("backwards to %g m, the puck is %g m ahead", g.Position().X, apart)
	}
	if !x.Scene.Named("puck") || !g.Environment().Free(geom.Vec{X: 2}, 0.1) || g.Environment().Free(geom.Vec{X: -0.3}, 0.1) {
		t.Error("the environment is not that of the robot")
	}
	if err := x.Scene.Move("puck", geom.Pose{X: 1}); err != nil || g.Environment().Holding() {
		t.Errorf("moved away: %v, held: %t", err, g.Environment().Holding())
	}
	run(10)
	if puck() != 1 {
		t.Errorf("the puck is at %g m", puck())
	}
}
