// SPDX-License-Identifier: Apache-2.0

package physics_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// ahead returns a scene with a wide wall whose near side is d before the
// range finder of a robot at a pose.
func ahead(pose geom.Pose, d float64) *physics.Scene {
	m := physics.RangeFinder()
	at := pose.Transform(m.Position.Add(geom.Vec{X: d + 0.5}))
	return physics.NewScene([]geom.Shape{geom.NewBox(at, geom.Vec{X: 1, Y: 4}, pose.Theta, 0.1)}, nil, 1)
}

// A wall straight ahead is as far as it is, but for the slant of the outer
// rays, for any pose of the robot, and fills the cone.
func TestRangerSeesAWall(t *testing.T) {
	for _, pose := range []geom.Pose{{}, {X: 3, Y: -2, Theta: 2}, {X: -1, Y: 1, Theta: -0.5}} {
		for _, d := range []float64{0.01, 0.05, 0.1, 0.3, 0.5, 1, 1.5, 2.4} {
			e := physics.NewRanger().Look(ahead(pose, d), pose, nil, false)
			near(t, "distance", e.Distance, d*1.004, 0.006*d)
			near(t, "share", e.Share, 1, 0.02)
		}
	}
}

// Nothing within reach, things too low, and a robot in the air give no echo.
func TestNoEcho(t *testing.T) {
	low := geom.NewBox(geom.Vec{X: 0.3}, geom.Vec{X: 0.1, Y: 4}, 0, 0.03)
	for name, s := range map[string]*physics.Scene{
		"open floor":   physics.NewScene(nil, nil, 1),
		"far wall":     ahead(geom.Pose{}, 2.55),
		"low wall":     physics.NewScene([]geom.Shape{low}, nil, 1),
		"behind it":    physics.NewScene([]geom.Shape{geom.NewDisc(geom.Vec{X: -0.3}, 0.1, 0.1)}, nil, 1),
		"outside cone": physics.NewScene([]geom.Shape{geom.NewDisc(geom.Vec{X: 1, Y: 0.5}, 0.2, 0.1)}, nil, 1),
	} {
		if e := physics.NewRanger().Look(s, geom.Pose{}, nil, false); !math.IsInf(e.Distance, 1) || e.Share != 0 {
			t.Errorf("%s: %+v", name, e)
		}
	}
	if e := physics.NewRanger().Look(ahead(geom.Pose{}, 0.2), geom.Pose{}, nil, true); e.Share != 0 {
		t.Errorf("in the air: %+v", e)
	}
}

// The cone is 25° wide: a post is seen while any of it is in there.
func TestConeOfTheRanger(t *testing.T) {
	m := physics.RangeFinder().Position
	for degrees := -40.0; degrees <= 40; degrees++ {
		at := m.Add(geom.Direction(degrees * math.Pi / 180).Scale(0.5))
		s := physics.NewScene([]geom.Shape{geom.NewDisc(at, 0.03, 0.1)}, nil, 1) // ±3.4°
		seen := physics.NewRanger().Look(s, geom.Pose{}, nil, false).Share > 0
		if want := math.Abs(degrees) < 12.5+3.4; seen != want {
			t.Errorf("post at %v°: seen %v", degrees, seen)
		}
	}
}

// A post before a wall pulls the reading towards itself by more than its share
// of the cone.
func TestNearestDominates(t *testing.T) {
	r := physics.NewRanger()
	wall := geom.NewBox(geom.Vec{X: 1.5}, geom.Vec{X: 1, Y: 4}, 0, 0.1) // at 0.966 m
	post := geom.NewDisc(geom.Vec{X: 0.3}, 0.025, 0.1)
	s := physics.NewScene([]geom.Shape{wall, post}, nil, 1)
	e := r.Look(s, geom.Pose{}, nil, false)
	if e.Distance < 0.25 || e.Distance > 0.5 {
		t.Errorf("a post at 0.24 m before a wall at 0.97 m reads %v", e.Distance)
	}
}

// Other robots are things to see, and shapes are added and removed under a robot at rest.
func TestRangerSeesChanges(t *testing.T) {
	r := physics.NewRanger()
	s := ahead(geom.Pose{}, 5)
	far := s.Shape(0)
	other := &physics.Others{Discs: []geom.Vec{{X: 0.034 + 0.3 + physics.BodyRadius}}}
	e := r.Look(s, geom.Pose{}, other, false)
	near(t, "another robot", e.Distance, 0.31, 0.01)
	s.SetShape(0, far.Moved(geom.Vec{X: 0.5 + 0.034 + 0.7}, 0))
	e = r.Look(s, geom.Pose{}, nil, false)
	near(t, "the wall moved near", e.Distance, 0.7, 0.01)
}

// In any surroundings readings are finite, not negative, and within reach.
func TestReadingsStayInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.Float64Range(-3, 3)
		shapes := make([]geom.Shape, rapid.IntRange(0, 6).Draw(t, "shapes"))
		for i := range shapes {
			at := geom.Vec{X: coordinate.Draw(t, "x"), Y: coordinate.Draw(t, "y")}
			shapes[i] = geom.NewBox(at, geom.Vec{X: 0.3, Y: 0.2}, coordinate.Draw(t, "yaw"), 0.1)
		}
		pose := geom.Pose{X: coordinate.Draw(t, "px"), Y: coordinate.Draw(t, "py"), Theta: coordinate.Draw(t, "theta")}
		e := physics.NewRanger().Look(physics.NewScene(shapes, nil, 1), pose, nil, false)
		none := e == physics.Echo{Distance: math.Inf(1), Light: 1}
		if !none && !(e.Distance >= 0 && e.Distance < 2.5 && e.Share > 0 && e.Share <= 1) {
			t.Fatalf("%+v", e)
		}
	})
}

func TestRangerDoesNotAllocate(t *testing.T) {
	r, s := physics.NewRanger(), ahead(geom.Pose{}, 1)
	r.Look(s, geom.Pose{}, nil, false)
	if n := testing.AllocsPerRun(100, func() { r.Look(s, geom.Pose{}, nil, false) }); n != 0 {
		t.Errorf("%v allocations per look", n)
	}
}
