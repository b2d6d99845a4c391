// SPDX-License-Identifier: Apache-2.0

package physics_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

const wheelDistance = 0.05685

// open is a scene with nothing in it.
func open() *physics.Scene { return physics.NewScene(nil, nil, 1) }

func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.9g, want %.9g ± %g", what, got, want, tolerance)
	}
}

// roll makes n moves of so many half steps.
func roll(b *physics.Body, s *physics.Scene, n int, left, right int64) {
	for range n {
		b.Move(s, nil, left, right)
	}
}

// Any constant pair of speeds follows the circle it should, anticlockwise when
// the right wheel is faster.
func TestArcIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := rapid.Int64Range(-3, 3).Draw(t, "left")
		r := rapid.Int64Range(-3, 3).Draw(t, "right")
		n := rapid.IntRange(1, 3000).Draw(t, "moves")
		start := geom.Pose{
			X: rapid.Float64Range(-1, 1).Draw(t, "x"), Y: rapid.Float64Range(-1, 1).Draw(t, "y"),
			Theta: rapid.Float64Range(-3, 3).Draw(t, "theta"),
		}
		b := physics.NewBody(start, wheelDistance)
		roll(b, open(), n, l, r)

		way := float64(int64(n)*(l+r)) * physics.HalfStep / 2
		turn := float64(int64(n)*(r-l)) * physics.HalfStep / wheelDistance
		chord := way
		if turn != 0 {
			chord = way * math.Sin(turn/2) / (turn / 2)
		}
		want := geom.Pose{
			X: start.X + chord*math.Cos(start.Theta+turn/2), Y: start.Y + chord*math.Sin(start.Theta+turn/2),
			Theta: geom.WrapAngle(start.Theta + turn),
		}
		got := b.Pose()
		if math.Hypot(got.X-want.X, got.Y-want.Y) > 1e-9 || math.Abs(geom.WrapAngle(got.Theta-want.Theta)) > 1e-9 {
			t.Fatalf("%d moves of %d, %d from %v: %v, want %v", n, l, r, start, got, want)
		}
	})
}

// Long turning on the spot loses nothing by rounding.
func TestHeadingDoesNotDrift(t *testing.T) {
	b := physics.NewBody(geom.Pose{Theta: 0.5}, wheelDistance)
	s := open()
	roll(b, s, 100000, -2, 2)
	roll(b, s, 100000, 2, -2)
	if got := b.Pose().Theta; got != 0.5 {
		t.Errorf("heading %v after 100000 moves there and back, want 0.5", got)
	}
}

// arena is a scene of a square arena with side length 2 m and more shapes.
func arena(more ...geom.Shape) *physics.Scene {
	return physics.NewScene(append(more, geom.NewEnclosure(geom.Vec{}, geom.Vec{X: 2, Y: 2}, 0.1)), nil, 1)
}

func TestHeadOnAgainstAWall(t *testing.T) {
	s := arena()
	b := physics.NewBody(geom.Pose{X: 0.9}, wheelDistance)
	roll(b, s, 1000, 2, 2)
	near(t, "x", b.Pose().X, 1-physics.BodyRadius, 1e-9)
	near(t, "y", b.Pose().Y, 0, 1e-12)
	near(t, "grip", b.Grip(), 0, 1e-9)
	if !b.Contact() || !b.ContactSinceLast() {
		t.Errorf("contact %v", b.Contact())
	}
	roll(b, s, 10, -2, -2)
	if b.Contact() || b.Grip() != 1 {
		t.Errorf("backing off: contact %v, grip %v", b.Contact(), b.Grip())
	}
	if b.ContactSinceLast() {
		t.Error("it has met something")
	}
	roll(b, s, 20, 2, 2)
	roll(b, s, 10, -2, -2)
	if !b.ContactSinceLast() || b.ContactSinceLast() {
		t.Error("it has met the wall once and left it")
	}
}

// At an angle the robot slides along the wall with the part of its speed that
// the wall leaves.
func TestSlideAlongAWall(t *testing.T) {
	s := arena()
	b := physics.NewBody(geom.Pose{X: 1 - physics.BodyRadius, Theta: math.Pi / 3}, wheelDistance)
	roll(b, s, 1000, 2, 2)
	near(t, "x", b.Pose().X, 1-physics.BodyRadius, 1e-9)
	near(t, "y", b.Pose().Y, 2*math.Pi*0.02*math.Sin(math.Pi/3), 1e-9)
	near(t, "grip", b.Grip(), 0.75, 1e-6) // sin² 60°
}

func TestTurnWhileTouching(t *testing.T) {
	s := arena()
	b := physics.NewBody(geom.Pose{X: 0.95}, wheelDistance)
	roll(b, s, 1000, 2, 2)
	roll(b, s, 500, -1, 1)
	near(t, "theta", b.Pose().Theta, 1000*physics.HalfStep/wheelDistance, 1e-12)
}

// A wedge narrower than the robot stops it: pushing out of one side is into
// the other.
func TestInAWedge(t *testing.T) {
	s := physics.NewScene([]geom.Shape{
		geom.NewWall(geom.Vec{X: 0, Y: 0.2}, geom.Vec{X: 1, Y: 0}, 0.01, 0.1),
		geom.NewWall(geom.Vec{X: 0, Y: -0.2}, geom.Vec{X: 1, Y: 0}, 0.01, 0.1),
	}, nil, 1)
	b := physics.NewBody(geom.Pose{X: 0.3}, wheelDistance)
	roll(b, s, 20000, 2, 2)
	if x := b.Pose().X; x < 0.5 || x > 0.9 {
		t.Errorf("stopped at x = %v", x)
	}
	if !s.Free(b.Position(), nil) {
		t.Error("stopped in a wall")
	}
}

func TestAgainstAnotherRobot(t *testing.T) {
	other := &physics.Others{Discs: []geom.Vec{{X: 0.3}}}
	b := physics.NewBody(geom.Pose{}, wheelDistance)
	for range 3000 {
		b.Move(open(), other, 2, 2)
	}
	near(t, "x", b.Pose().X, 0.3-2*physics.BodyRadius, 1e-9)
	b.Place(geom.Pose{Y: 0.03})
	for range 6000 {
		b.Move(open(), other, 2, 2)
	}
	if p := b.Pose(); p.X < 0.5 || p.Y < 0.07 {
		t.Errorf("did not slide around the other robot: %v", p)
	}
}

func TestPlaceForgetsContact(t *testing.T) {
	s := arena()
	b := physics.NewBody(geom.Pose{X: 0.95}, wheelDistance)
	roll(b, s, 1000, 2, 2)
	b.Place(geom.Pose{X: -0.5, Theta: 4})
	if b.Contact() || b.Grip() != 1 || b.Pose() != (geom.Pose{X: -0.5, Theta: geom.WrapAngle(4)}) {
		t.Errorf("contact %v, grip %v, pose %v", b.Contact(), b.Grip(), b.Pose())
	}
}

func TestMoveDoesNotAllocate(t *testing.T) {
	s := arena(geom.NewDisc(geom.Vec{X: 0.5}, 0.1, 0.1))
	b := physics.NewBody(geom.Pose{}, wheelDistance)
	b.Move(s, nil, 2, 2) // the first move makes the list of near shapes
	others := &physics.Others{Discs: []geom.Vec{{X: 1, Y: 1}}}
	if n := testing.AllocsPerRun(2000, func() { b.Move(s, others, 2, 3) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func ExampleBody() {
	b := physics.NewBody(geom.Pose{}, 0.05685)
	scene := physics.NewScene(nil, nil, 1)
	for range 1000 { // a second at 1000 steps/s
		b.Move(scene, nil, 2, 2)
	}
	fmt.Printf("%.4f m\n", b.Pose().X)
	// Output: 0.1257 m
}
