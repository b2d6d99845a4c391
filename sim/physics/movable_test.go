// SPDX-License-Identifier: Apache-2.0

package physics_test

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// TestMovableShapesKeepTheLostWay: a body stops at a movable shape as at any other, and knows what way that has cost;
// at a shape that does not move it loses nothing that it could get back.
func TestMovableShapesKeepTheLostWay(t *testing.T) {
	for _, movable := range []bool{true, false} {
		s := physics.NewScene([]geom.Shape{geom.NewBox(geom.Vec{X: 0.1}, geom.Vec{X: 0.04, Y: 0.04}, 0, 0.1)}, nil, 1)
		if movable {
			s.SetMovable(0)
		}
		if s.Movable(0) != movable {
			t.Error("the shape does not say what it is")
		}
		b := physics.NewBody(geom.Pose{}, 0.05685)
		for range 1000 {
			b.Move(s, nil, 1, 1)
		}
		at := 0.08 - physics.BodyRadius
		near(t, "x", b.Pose().X, at, 1e-9)
		near(t, "made", b.Made().X, at, 1e-9)
		lost := 0.0
		if movable {
			lost = 1000*physics.HalfStep - at
		}
		near(t, "lost", b.Pushing().X, lost, 1e-9)
	}
}

// TestYieldingGivesTheWayBack: a shape's yielding is part of the next cycle's movement, which sensors measure.
func TestYieldingGivesTheWayBack(t *testing.T) {
	box := geom.NewBox(geom.Vec{X: 0.1}, geom.Vec{X: 0.04, Y: 0.04}, 0, 0.1)
	s := physics.NewScene([]geom.Shape{box}, nil, 1)
	s.SetMovable(0)
	b := physics.NewBody(geom.Pose{X: 0.08 - physics.BodyRadius}, 0.05685)
	for cycle := range 3 {
		b.Glide(s, nil, 20, 20)
		want := 0.0
		if cycle > 0 {
			want = 0.5
		}
		near(t, "grip", b.Grip(), want, 1e-9)
		lost := b.Pushing().Scale(0.5)
		box = box.Moved(box.Center().Add(lost), 0)
		s.PlaceMovable(0, &box)
		b.Yield(b.Position().Add(lost), geom.Vec{X: 0.05})
		if b.Momentum(geom.Vec{}) != (geom.Vec{X: 0.05}) || b.Pushing() != (geom.Vec{}) {
			t.Error("the cycle has not ended")
		}
	}
	b.EndCycle()
	if b.Momentum(geom.Vec{X: 1}) != (geom.Vec{X: 1}) {
		t.Error("a body that does not push has a momentum of before")
	}
}

// TestBodiesNoticeWhatIsPushedTowardsThem: a shape that arrived from far away in small steps is met.
func TestBodiesNoticeWhatIsPushedTowardsThem(t *testing.T) {
	var shapes []geom.Shape
	for i := range 30 { // enough for a grid
		shapes = append(shapes, geom.NewDisc(geom.Vec{X: 1 + 0.1*float64(i), Y: 1}, 0.03, 0.1))
	}
	s := physics.NewScene(shapes, nil, 1)
	s.SetMovable(3)
	b := physics.NewBody(geom.Pose{}, 0.05685)
	b.Move(s, nil, 10, 10)
	puck := s.Shape(3)
	for puck.Center().Norm() > 0.1 {
		puck = puck.Moved(puck.Center().Scale(0.99), 0)
		s.PlaceMovable(3, &puck)
		if s.Free(b.Position(), nil) != (puck.Center().Sub(b.Position()).Norm() >= 0.03+physics.BodyRadius) {
			t.Fatalf("puck at %v", puck.Center())
		}
	}
	to := puck.Center()
	b.Place(geom.Pose{X: b.Pose().X, Y: b.Pose().Y, Theta: geom.Angle(to)})
	for range 2000 {
		b.Move(s, nil, 1, 1)
	}
	near(t, "distance", to.Sub(b.Position()).Norm(), 0.03+physics.BodyRadius, 1e-6)
}
