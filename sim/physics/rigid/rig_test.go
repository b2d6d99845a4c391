// SPDX-License-Identifier: Apache-2.0

package rigid_test

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics/rigid"
)

const dt = 0.01 // s

// The e-puck2 of the tests.
const (
	robotMass   = 0.13 // kg
	robotRadius = 0.035
	grip        = 0.6
)

// fixtures are shapes that do not move.
type fixtures []geom.Shape

func (f fixtures) Around(p geom.Vec, reach float64, dst []int32) []int32 {
	for i := range f {
		if f[i].Near(p, reach) {
			dst = append(dst, int32(i))
		}
	}
	return dst
}

func (f fixtures) Ref(i int32) *geom.Shape { return &f[i] }

func disc(x, y, radius, mass, friction float64) *rigid.Body {
	return &rigid.Body{Shape: geom.NewDisc(geom.Vec{X: x, Y: y}, radius, 0.05), Mass: mass, Floor: friction, Surface: 0.3}
}

func box(x, y, sx, sy, yaw, mass, friction float64) *rigid.Body {
	return &rigid.Body{Shape: geom.NewBox(geom.Vec{X: x, Y: y}, geom.Vec{X: sx, Y: sy}, yaw, 0.05), Yaw: yaw, Mass: mass, Floor: friction, Surface: 0.3}
}

// robot is one that drives at a velocity.
func robot(x, y, vx, vy float64) *rigid.Body {
	b := disc(x, y, robotRadius, robotMass, grip)
	b.Wheels, b.Drive = true, geom.Vec{X: vx, Y: vy}
	b.Velocity = b.Drive
	return b
}

// pass lets seconds pass.
func pass(bodies []*rigid.Body, fixed fixtures, seconds float64) {
	var s rigid.Solver
	for range int(math.Round(seconds / dt)) {
		s.Step(bodies, fixed, dt)
	}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %g, want %g ± %g", what, got, want, tolerance)
	}
}

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }
