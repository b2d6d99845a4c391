// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"bytes"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// grabber is the cart "c" with a gripper at its front, which the joint "turn" closes at its lower limit.
func grabber() func(*sim.Options) {
	pose := description.Pose{}
	pose.Position.X = 0.11
	pose = description.FromRPY(pose.Position, 0, 0, 0)
	return carrying(description.Device{
		Name: "gripper", Kind: description.Gripper, Link: "base", Pose: pose, Joint: "turn", Range: &description.Range{Max: 0.03, Rays: 1},
	})
}

const grabberWorld = "cylinders: [{name: puck, position: [0.13, 0], radius: 0.02, movable: true, mass: 0.02}]\n" +
	"walls: [{from: [-1, -1], to: [-1, 1]}]\nrobots:\n"

// grip closes the gripper, or opens it.
func grip(r *rig, closed bool) {
	r.do(0, func(m *machine.Machine) {
		to := 2.0
		if closed {
			to = -2
		}
		m.SetPosition(jointOf(m, "turn"), to, 0)
	})
	r.pass(5 * time.Second)
}

// puckIn returns where the puck is in the robot's frame.
func puckIn(r *rig) (x, y float64) {
	p, c := r.pose(0), r.sim.Things()[0].Shape.Center()
	sin, cos := math.Sincos(p.Theta)
	return (c.X-p.X)*cos + (c.Y-p.Y)*sin, (c.Y-p.Y)*cos - (c.X-p.X)*sin
}

// TestGripperHoldsAThingUntilItOpens: the thing moves with the robot, and remains where the gripper opens.
func TestGripperHoldsAThingUntilItOpens(t *testing.T) {
	r := newRig(t, grabberWorld+robotAt("c", "c", 0, 0, 0), grabber())
	grip(r, false)
	near(t, "open", r.read(0, "gripper")[0], 0, 0)
	grip(r, true)
	near(t, "closed", r.read(0, "gripper")[0], 1, 0)
	for _, speeds := range [][2]float64{{-4, -4}, {3, -3}, {4, 2}} {
		r.drive(0, speeds[0], speeds[1])
		for range 20 {
			r.pass(100 * time.Millisecond)
			x, y := puckIn(r)
			near(t, "ahead of the robot", x, 0.13, 1e-9)
			near(t, "to its left", y, 0, 1e-9)
		}
	}
	r.drive(0, 0, 0)
	grip(r, false)
	near(t, "open again", r.read(0, "gripper")[0], 0, 0)
	was := r.sim.Things()[0].Shape
	r.drive(0, -4, -4)
	r.pass(2 * time.Second)
	if now := r.sim.Things()[0].Shape; now != was {
		t.Errorf("it moves from %v to %v", was, now)
	}
}

// TestRobotStopsWhoseHeldThingWouldHitAWall: the held thing and the wall do not overlap.
func TestRobotStopsWhoseHeldThingWouldHitAWall(t *testing.T) {
	r := newRig(t, grabberWorld+robotAt("c", "c", 0, 0, 0), grabber())
	grip(r, false)
	grip(r, true)
	r.drive(0, 5, -5)
	r.pass(1570 * time.Millisecond) // half a turn at 2 rad/s
	r.drive(0, 5, 5)
	r.pass(20 * time.Second)
	c := r.sim.Things()[0].Shape.Center()
	if gap := c.X + 1 - 0.005 - 0.02; gap < 0 || gap > 0.01 {
		t.Errorf("the puck at %v is %g m before the wall", c, gap)
	}
	x, _ := puckIn(r)
	near(t, "ahead of the robot", x, 0.13, 1e-9)
}

// puck is a movable thing before the gripper.
func puck() sim.Thing {
	return sim.Thing{Name: "added", Shape: geom.NewDisc(geom.Vec{X: 0.13}, 0.02, 0.05)}
}

// holding returns a world with a robot whose gripper holds the only movable thing.
func holding(t *testing.T) *rig {
	t.Helper()
	r := newRig(t, arena(robotAt("c", "c", 0, 0, 0)), grabber())
	grip(r, false)
	if err := r.sim.Put(puck(), world.Load{Movable: true, Mass: 0.02, Friction: 0.3}); err != nil {
		t.Fatal(err)
	}
	grip(r, true)
	near(t, "held", r.read(0, "gripper")[0], 1, 0)
	return r
}

// TestGripperDoesNotHoldWhatIsTakenOutOfTheWorld: a later thing of the same name does not move with the robot.
func TestGripperDoesNotHoldWhatIsTakenOutOfTheWorld(t *testing.T) {
	r := holding(t)
	if err := r.sim.Take("added"); err != nil {
		t.Fatal(err)
	}
	near(t, "taken", r.read(0, "gripper")[0], 0, 0)
	r.pass(time.Second)
	if err := r.sim.Put(puck(), world.Load{Movable: true, Mass: 0.02, Friction: 0.3}); err != nil {
		t.Fatal(err)
	}
	r.drive(0, -4, -4)
	r.pass(100 * time.Millisecond)
	near(t, "put before it again", r.read(0, "gripper")[0], 0, 0)
}

// TestClosedGripperDoesNotTakeWhatIsPutBeforeIt: a gripper only grasps while it closes.
func TestClosedGripperDoesNotTakeWhatIsPutBeforeIt(t *testing.T) {
	r := newRig(t, arena(robotAt("c", "c", 0, 0, 0)), grabber())
	grip(r, true)
	if err := r.sim.Put(puck(), world.Load{Movable: true, Mass: 0.02, Friction: 0.3}); err != nil {
		t.Fatal(err)
	}
	r.drive(0, -4, -4)
	r.pass(100 * time.Millisecond)
	near(t, "closed before", r.read(0, "gripper")[0], 0, 0)
}

// TestMovedThingLeavesItsGripper: a thing that is moved away remains there while the robot drives; one that can't be
// moved there remains in the gripper.
func TestMovedThingLeavesItsGripper(t *testing.T) {
	r := holding(t)
	for _, onto := range []sim.Pose{{}, {X: 1}} { // the robot itself, and the box of the arena
		if err := r.sim.Move("added", onto); !errors.Is(err, sim.ErrOccupied) {
			t.Fatalf("onto %v: %v", onto, err)
		}
		near(t, "held", r.read(0, "gripper")[0], 1, 0)
	}
	if err := r.sim.Move("added", sim.Pose{X: 0.13, Y: 0.4}); err != nil {
		t.Fatal(err)
	}
	near(t, "moved", r.read(0, "gripper")[0], 0, 0)
	r.drive(0, -4, -4)
	r.pass(time.Second)
	things := r.sim.Things()
	if c := things[len(things)-1].Shape.Center(); c != (geom.Vec{X: 0.13, Y: 0.4}) {
		t.Errorf("it is at %v", c)
	}
}

// TestCheckpointHasWhatAGripperHolds: a restored run equals the uninterrupted one.
func TestCheckpointHasWhatAGripperHolds(t *testing.T) {
	run := func(interrupted bool) [32]byte {
		r := newRig(t, grabberWorld+robotAt("c", "c", 0, 0, 0), grabber())
		grip(r, false)
		grip(r, true)
		r.drive(0, -4, -3)
		r.pass(time.Second)
		if interrupted {
			var file bytes.Buffer
			if err := r.sim.Snapshot(&file); err != nil {
				t.Fatal(err)
			}
			r.clock = sim.NewClock()
			s, err := sim.Restore(&file, sim.Options{Now: r.clock.Now, Mechanisms: r.opts.Mechanisms}, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.sim = s
		}
		r.pass(time.Second)
		grip(r, false)
		return r.sim.TraceHash()
	}
	if run(true) != run(false) {
		t.Error("the restored run differs")
	}
}
