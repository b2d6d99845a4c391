// SPDX-License-Identifier: Apache-2.0

package physics_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// ahead returns a scene with a wide wall whose near side is d before the
// range finder of a robot at a pose.
func ahead(pose geom.Pose, d float64) *physics.Scene {
	m := physics.RangeFinder()
	at := pose.Transform(m.Position.Add(geom.Vec{X: d + 0.5}))
	return physics.NewScene([]geom.Shape{geom.NewBox(at, geom.Vec{X: 1, Y: 4}, pose.Theta, 0.1)}, nil, 1)
}

// The table of the hardware facts.
func TestRangeReading(t *testing.T) {
	for _, c := range []struct{ distance, value, relative float64 }{
		{0, 0.0198, 0.126}, {0.05, 0.0585, 0.032}, {0.1, 0.111, 0.019}, {0.2, 0.2189, 0.009},
		{0.5, 0.5319, 0.007}, {1, 1.052, 0.010}, {1.7, 1.7805, 0.013}, {2, 2, 0.013},
		{0.15, (0.111 + 0.2189) / 2, 0.014},
	} {
		value, sigma := physics.RangeReading(c.distance)
		near(t, "reading", value, c.value, 1e-12)
		near(t, "noise", sigma, c.value*c.relative, 1e-12)
	}
}

// A wall straight ahead is measured within the noise of its distance, wherever
// the robot stands and looks.
func TestRangerMeasuresAWall(t *testing.T) {
	for _, pose := range []geom.Pose{{}, {X: 3, Y: -2, Theta: 2}, {X: -1, Y: 1, Theta: -0.5}} {
		for _, d := range []float64{0.01, 0.05, 0.1, 0.3, 0.5, 1, 1.5, 1.9} {
			r, s := physics.NewRanger(noise.New(4), false), ahead(pose, d)
			want, sigma := physics.RangeReading(d)
			sum, squares := 0.0, 0.0
			const n = 400
			for i := range uint64(n) {
				e := r.Measure(s, pose, nil, false, i)
				if !e.Seen {
					t.Fatalf("a wall at %v m is not seen", d)
				}
				near(t, "one reading", e.Distance, want, 6*sigma+0.01*d)
				sum += e.Distance
				squares += (e.Distance - want) * (e.Distance - want)
			}
			near(t, "mean of readings", sum/n, want, 4*sigma/math.Sqrt(n)+0.01*d)
			near(t, "deviation", math.Sqrt(squares/n), sigma, 0.2*sigma+0.01*d)
		}
	}
}

func TestQuietRanger(t *testing.T) {
	r := physics.NewRanger(noise.New(4), true)
	s := ahead(geom.Pose{}, 0.4)
	if a, b := r.Measure(s, geom.Pose{}, nil, false, 1), r.Measure(s, geom.Pose{}, nil, false, 2); a != b {
		t.Errorf("%+v and %+v", a, b)
	}
}

// The signal falls with the square of the distance; the two limits of the real
// sensor's profiles are reached where its data sheet says.
func TestSignal(t *testing.T) {
	for _, c := range []struct{ distance, signal float64 }{{0.5, 1.6}, {1, 0.4}, {1.26, 0.25}, {1.9, 0.111}} {
		e := physics.NewRanger(noise.New(1), true).Measure(ahead(geom.Pose{}, c.distance), geom.Pose{}, nil, false, 0)
		near(t, "signal", e.Signal, c.signal, 0.03*c.signal)
		near(t, "background", e.Ambient, 0.5, 1e-12)
	}
}

// Nothing within 2 m, things too low, and a robot in the air give no echo.
func TestNoEcho(t *testing.T) {
	low := geom.NewBox(geom.Vec{X: 0.3}, geom.Vec{X: 0.1, Y: 4}, 0, 0.03)
	for name, s := range map[string]*physics.Scene{
		"open floor":  physics.NewScene(nil, nil, 1),
		"far wall":    ahead(geom.Pose{}, 2.05),
		"low wall":    physics.NewScene([]geom.Shape{low}, nil, 1),
		"behind it":   physics.NewScene([]geom.Shape{geom.NewDisc(geom.Vec{X: -0.3}, 0.1, 0.1)}, nil, 1),
		"beside cone": physics.NewScene([]geom.Shape{geom.NewDisc(geom.Vec{X: 1, Y: 0.5}, 0.2, 0.1)}, nil, 1),
	} {
		r := physics.NewRanger(noise.New(1), false)
		if e := r.Measure(s, geom.Pose{}, nil, false, 0); e.Seen || e.Distance != 0 || e.Signal != 0 {
			t.Errorf("%s: %+v", name, e)
		}
	}
	r := physics.NewRanger(noise.New(1), false)
	if e := r.Measure(ahead(geom.Pose{}, 0.2), geom.Pose{}, nil, true, 0); e.Seen {
		t.Errorf("in the air: %+v", e)
	}
}

// The cone is 25° wide: a post is seen while any of it is in there.
func TestConeOfTheRanger(t *testing.T) {
	m := physics.RangeFinder().Position
	for degrees := -40.0; degrees <= 40; degrees++ {
		at := m.Add(geom.Direction(degrees * math.Pi / 180).Scale(0.5))
		s := physics.NewScene([]geom.Shape{geom.NewDisc(at, 0.03, 0.1)}, nil, 1) // ±3.4°
		seen := physics.NewRanger(noise.New(1), true).Measure(s, geom.Pose{}, nil, false, 0).Seen
		if want := math.Abs(degrees) < 12.5+3.4; seen != want {
			t.Errorf("post at %v°: seen %v", degrees, seen)
		}
	}
}

// A post before a wall pulls the reading towards itself by more than its share
// of the cone.
func TestNearestDominates(t *testing.T) {
	r := physics.NewRanger(noise.New(1), true)
	wall := geom.NewBox(geom.Vec{X: 1.5}, geom.Vec{X: 1, Y: 4}, 0, 0.1) // at 0.966 m
	post := geom.NewDisc(geom.Vec{X: 0.3}, 0.025, 0.1)
	s := physics.NewScene([]geom.Shape{wall, post}, nil, 1)
	e := r.Measure(s, geom.Pose{}, nil, false, 0)
	if e.Distance < 0.25 || e.Distance > 0.5 {
		t.Errorf("a post at 0.24 m before a wall at 0.97 m reads %v", e.Distance)
	}
}

// Other robots are things to see, and shapes come and go under a standing robot.
func TestRangerSeesChanges(t *testing.T) {
	r := physics.NewRanger(noise.New(1), true)
	s := ahead(geom.Pose{}, 5)
	far := s.Shape(0)
	other := []geom.Vec{{X: 0.034 + 0.3 + physics.BodyRadius}}
	e := r.Measure(s, geom.Pose{}, other, false, 0)
	want, _ := physics.RangeReading(0.3)
	near(t, "another robot", e.Distance, want, 0.02)
	s.SetShape(0, far.Moved(geom.Vec{X: 0.5 + 0.034 + 0.7}, 0))
	e = r.Measure(s, geom.Pose{}, nil, false, 0)
	want, _ = physics.RangeReading(0.7)
	near(t, "the wall moved near", e.Distance, want, 0.01)
}

// Whatever stands around: readings are finite, not negative, and within reach.
func TestReadingsStayInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.Float64Range(-3, 3)
		shapes := make([]geom.Shape, rapid.IntRange(0, 6).Draw(t, "shapes"))
		for i := range shapes {
			at := geom.Vec{X: coordinate.Draw(t, "x"), Y: coordinate.Draw(t, "y")}
			shapes[i] = geom.NewBox(at, geom.Vec{X: 0.3, Y: 0.2}, coordinate.Draw(t, "yaw"), 0.1)
		}
		r := physics.NewRanger(noise.New(rapid.Uint64().Draw(t, "seed")), false)
		pose := geom.Pose{X: coordinate.Draw(t, "px"), Y: coordinate.Draw(t, "py"), Theta: coordinate.Draw(t, "theta")}
		e := r.Measure(physics.NewScene(shapes, nil, 1), pose, nil, false, rapid.Uint64().Draw(t, "n"))
		if !(e.Distance >= 0 && e.Distance < 2.3 && e.Signal >= 0 && e.Signal <= 1000) || e.Seen != (e.Signal > 0) {
			t.Fatalf("%+v", e)
		}
	})
}

func TestRangerDoesNotAllocate(t *testing.T) {
	r, s := physics.NewRanger(noise.New(1), false), ahead(geom.Pose{}, 1)
	r.Measure(s, geom.Pose{}, nil, false, 0)
	if n := testing.AllocsPerRun(100, func() { r.Measure(s, geom.Pose{}, nil, false, 0) }); n != 0 {
		t.Errorf("%v allocations per measurement", n)
	}
}
