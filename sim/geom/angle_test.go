// SPDX-License-Identifier: Apache-2.0

package geom_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

func TestDirectionIsCosineAndSine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		theta := rapid.Float64Range(-20, 20).Draw(t, "theta")
		d := geom.Direction(theta)
		if math.Abs(d.X-math.Cos(theta)) > 5e-15 || math.Abs(d.Y-math.Sin(theta)) > 5e-15 {
			t.Fatalf("Direction(%v) = %v, want (%v, %v)", theta, d, math.Cos(theta), math.Sin(theta))
		}
	})
}

func TestDirectionAtTheQuarters(t *testing.T) {
	for _, c := range []struct {
		theta float64
		want  geom.Vec
	}{
		{0, geom.Vec{X: 1}},
		{math.Pi / 2, geom.Vec{Y: 1}},
		{-math.Pi / 2, geom.Vec{Y: -1}},
		{math.Pi, geom.Vec{X: -1}},
		{-math.Pi, geom.Vec{X: -1}},
		{5 * math.Pi / 2, geom.Vec{Y: 1}},
		{math.Pi / 4, geom.Vec{X: math.Sqrt2 / 2, Y: math.Sqrt2 / 2}},
		{-3 * math.Pi / 4, geom.Vec{X: -math.Sqrt2 / 2, Y: -math.Sqrt2 / 2}},
	} {
		if got := geom.Direction(c.theta); got.Sub(c.want).Norm() > 1e-15 {
			t.Errorf("Direction(%v) = %v, want %v", c.theta, got, c.want)
		}
	}
}

// The bits themselves: another compiler or processor must find the same.
func TestDirectionBits(t *testing.T) {
	sum := uint64(0)
	for i := range 10000 {
		d := geom.Direction(float64(i-5000) * 0.001)
		sum = sum*31 + math.Float64bits(d.X)
		sum = sum*31 + math.Float64bits(d.Y)
	}
	const want uint64 = 0xb7bcd152fb32de20
	if sum != want {
		t.Errorf("bits of 10000 directions hash to %#x, want %#x", sum, want)
	}
}

func TestWrapAngle(t *testing.T) {
	for _, c := range []struct{ in, want float64 }{
		{0, 0}, {1, 1}, {-1, -1},
		{math.Pi, math.Pi}, {-math.Pi, math.Pi},
		{3 * math.Pi, math.Pi}, {-3 * math.Pi, math.Pi},
		{4, 4 - 2*math.Pi}, {-4, 2*math.Pi - 4},
		{2 * math.Pi, 0}, {100 * math.Pi, 0},
	} {
		if got := geom.WrapAngle(c.in); math.Abs(got-c.want) > 1e-13 {
			t.Errorf("WrapAngle(%v) = %v, want %v", c.in, got, c.want)
		}
	}
	for _, in := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := geom.WrapAngle(in); !math.IsNaN(got) {
			t.Errorf("WrapAngle(%v) = %v, want NaN", in, got)
		}
	}
}

func TestWrapAngleStaysInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		theta := rapid.Float64Range(-1e6, 1e6).Draw(t, "theta")
		got := geom.WrapAngle(theta)
		if got <= -math.Pi || got > math.Pi {
			t.Fatalf("WrapAngle(%v) = %v", theta, got)
		}
		if turns := (theta - got) / (2 * math.Pi); math.Abs(turns-math.Round(turns)) > 1e-8 {
			t.Fatalf("WrapAngle(%v) = %v is off by %v turns", theta, got, turns)
		}
	})
}
