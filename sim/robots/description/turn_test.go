// SPDX-License-Identifier: Apache-2.0

package description_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// Poses turn as gonum's rotations do, up to rounding.
func TestTurnsAsGonum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(what string) float64 { return rapid.Float64Range(-4, 4).Draw(t, what) }
		axis := r3.Vec{X: draw("x"), Y: draw("y"), Z: draw("z")}
		if r3.Norm(axis) < 1e-3 {
			t.Skip()
		}
		by, point := draw("by"), r3.Vec{X: draw("px"), Y: draw("py"), Z: draw("pz")}
		want := r3.NewRotation(by, r3.Unit(axis))
		p := description.FromAxis(r3.Vec{}, axis, by)
		if got := p.Apply(point); r3.Norm(r3.Sub(got, want.Rotate(point))) > 1e-12 {
			t.Fatalf("%v about %v by %g is %v", point, axis, by, got)
		}
		other := r3.NewRotation(draw("again"), r3.Vec{Z: 1})
		both := quat.Mul(quat.Number(want), quat.Number(other))
		got := p.Then(description.Pose{Rotation: quat.Number(other)}).Rotation
		if quat.Abs(quat.Sub(got, both)) > 1e-12 && quat.Abs(quat.Add(got, both)) > 1e-12 {
			t.Fatalf("%v, not %v", got, both)
		}
		if back := p.Inverse().Apply(p.Apply(point)); r3.Norm(r3.Sub(back, point)) > 1e-12 {
			t.Fatalf("there and back: %v", back)
		}
	})
}

func TestUnit(t *testing.T) {
	if v, n := description.Unit(r3.Vec{X: 3, Z: -4}); n != 5 || v != (r3.Vec{X: 0.6, Z: -0.8}) {
		t.Error(v, n)
	}
	if v, n := description.Unit(r3.Vec{}); n != 0 || v != (r3.Vec{}) {
		t.Error(v, n)
	}
	if v, n := description.Unit(r3.Vec{Y: 1e-300}); math.IsNaN(v.Y) || n < 0 {
		t.Error(v, n)
	}
}
