// SPDX-License-Identifier: Apache-2.0

package odometry

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// arc is the closed form: the pose after path m and turn rad at a constant rate.
func arc(x, y, theta, path, turn float64) (float64, float64, float64) {
	if math.Abs(turn) < 1e-9 {
		s, c := math.Sincos(theta + turn/2)
		return x + path*c, y + path*s, theta + turn
	}
	r := path / turn
	return x + r*(math.Sin(theta+turn)-math.Sin(theta)), y - r*(math.Cos(theta+turn)-math.Cos(theta)), theta + turn
}

// angleBetween is the distance of two angles on the circle.
func angleBetween(a, b float64) float64 { return math.Abs(math.Remainder(a-b, 2*math.Pi)) }

func TestIntegrateAgainstArc(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.Float64Range(-10, 10).Draw(t, "x"), rapid.Float64Range(-10, 10).Draw(t, "y")
		theta := rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "theta")
		path, turn := rapid.Float64Range(-1, 1).Draw(t, "path"), rapid.Float64Range(-20, 20).Draw(t, "turn")
		gx, gy, gt := integrate(x, y, theta, path, turn)
		wx, wy, wt := arc(x, y, theta, path, turn)
		if off := math.Hypot(gx-wx, gy-wy); off > 2e-6*math.Abs(path)+1e-12 {
			t.Fatalf("off by %g m after %g m", off, path)
		}
		if angleBetween(gt, wt) > 1e-12 || gt > math.Pi || gt <= -math.Pi {
			t.Fatalf("heading %v, want %v", gt, wt)
		}
	})
}

// TestOrder: halving the step divides the error of a Runge-Kutta method of order 4 by about 16.
func TestOrder(t *testing.T) {
	off := func(n int) float64 {
		x, y, theta := 0.0, 0.0, 0.3
		for range n {
			dx, dy := rk4(theta, 1/float64(n), 2/float64(n))
			x, y, theta = x+dx, y+dy, theta+2/float64(n)
		}
		wx, wy, _ := arc(0, 0, 0.3, 1, 2)
		return math.Hypot(x-wx, y-wy)
	}
	for n := 2; n <= 16; n *= 2 {
		if ratio := off(n) / off(2*n); ratio < 15 || ratio > 17 {
			t.Errorf("%d to %d steps: the error shrinks by %v", n, 2*n, ratio)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct{ in, want float64 }{
		{0, 0}, {math.Pi, math.Pi}, {-math.Pi, math.Pi}, {3 * math.Pi, math.Pi}, {-3 * math.Pi, math.Pi},
		{2 * math.Pi, 0}, {math.Pi + 0.1, -math.Pi + 0.1}, {-math.Pi - 0.1, math.Pi - 0.1}, {100, math.Remainder(100, 2*math.Pi)},
	} {
		if got := wrap(c.in); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: %v, want %v", c.in, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Float64Range(-1e6, 1e6).Draw(t, "angle")
		if w := wrap(a); w > math.Pi || w <= -math.Pi || angleBetween(a, w) > 1e-9 {
			t.Fatalf("%v becomes %v", a, w)
		}
	})
}
