// SPDX-License-Identifier: Apache-2.0

package rigid_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics/rigid"
)

// overlapping says which two of the bodies and fixed shapes overlap by more than rounding, "" for none.
func overlapping(bodies []*rigid.Body, fixed fixtures) string {
	for i, b := range bodies {
		for _, o := range shapes(b) {
			for k := range fixed {
				if v, hit := fixed[k].Apart(&o); hit && v.Norm() > 2e-9 {
					return fmt.Sprintf("body %d and wall %d by %g m", i, k, v.Norm())
				}
			}
			for j := range i {
				for _, other := range shapes(bodies[j]) {
					if v, hit := other.Apart(&o); hit && v.Norm() > 2e-9 {
						return fmt.Sprintf("bodies %d and %d by %g m", j, i, v.Norm())
					}
				}
			}
		}
	}
	return ""
}

// shapes returns all shapes of a body.
func shapes(b *rigid.Body) []geom.Shape { return append([]geom.Shape{b.Shape}, b.Parts...) }

// TestNothingEverOverlaps: in random worlds with walls, corners, thin plates, light and heavy bodies, robots of one and
// of several shapes, and robots and bodies that are up to a hundred times as fast as an e-puck.
func TestNothingEverOverlaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		num := func(name string, low, high float64) float64 { return rapid.Float64Range(low, high).Draw(t, name) }
		fixed := fixtures{
			geom.NewEnclosure(geom.Vec{}, geom.Vec{X: 1, Y: 1}, 0.1),
			geom.NewWall(geom.Vec{X: -0.3, Y: -0.2}, geom.Vec{X: 0.1, Y: 0.3}, 0.002, 0.1),
			geom.NewWall(geom.Vec{X: 0.1, Y: 0.3}, geom.Vec{X: 0.3, Y: -0.1}, 0.01, 0.1),
		}
		var bodies []*rigid.Body
		for i := range rapid.IntRange(1, 12).Draw(t, "bodies") {
			x, y := num("x", -0.45, 0.45), num("y", -0.45, 0.45)
			var b *rigid.Body
			switch i % 4 {
			case 0:
				b = robot(x, y, num("vx", -15, 15), num("vy", -15, 15))
			case 3: // of two boxes and a disc
				b = robot(x, y, num("vx", -15, 15), num("vy", -15, 15))
				b.Parts = append(b.Parts,
					geom.NewBox(geom.Vec{X: x + num("part x", -0.1, 0.1), Y: y}, geom.Vec{X: 0.04, Y: num("part length", 0.004, 0.2)}, num("part yaw", -3, 3), 0.05),
					geom.NewBox(geom.Vec{X: x, Y: y + num("part y", -0.1, 0.1)}, geom.Vec{X: 0.004, Y: 0.05}, 0, 0.05))
			case 1:
				b = disc(x, y, num("radius", 0.003, 0.06), num("mass", 0.001, 10), num("friction", 0, 1))
			default:
				b = box(x, y, num("length", 0.004, 0.2), num("width", 0.004, 0.2), num("yaw", -3, 3), num("mass", 0.001, 10), num("friction", 0, 1))
			}
			b.Velocity = geom.Vec{X: num("velocity x", -15, 15), Y: num("velocity y", -15, 15)}
			if !b.Wheels {
				b.Spin = num("spin", -100, 100)
			}
			if all := append(bodies, b); overlapping(all, fixed) == "" {
				bodies = all
			}
		}
		var s rigid.Solver
		for step := range 60 {
			s.Step(bodies, fixed, dt)
			if what := overlapping(bodies, fixed); what != "" {
				t.Fatalf("step %d: %s", step, what)
			}
			for i, b := range bodies {
				if p := b.Pose(); math.IsNaN(p.X + p.Y + p.Theta + b.Spin) {
					t.Fatalf("step %d: body %d at %v", step, i, p)
				}
			}
		}
	})
}
