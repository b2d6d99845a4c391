// SPDX-License-Identifier: Apache-2.0

package odometry_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/odometry"
)

// It is sine and cosine, for any number of turns that odometry makes.
func TestSincos(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		theta := rapid.Float64Range(-20, 20).Draw(t, "theta")
		s, c := odometry.Sincos(theta)
		ws, wc := math.Sincos(theta)
		if math.Abs(s-ws) > 2e-15 || math.Abs(c-wc) > 2e-15 {
			t.Fatalf("sine and cosine of %v are %v and %v, want %v and %v", theta, s, c, ws, wc)
		}
	})
	for _, quarter := range []float64{-4, -3, -2, -1, 0, 1, 2, 3, 4} {
		if s, c := odometry.Sincos(quarter * math.Pi / 2); math.Abs(math.Abs(s)+math.Abs(c)-1) > 1e-15 {
			t.Errorf("%g quarters: %v, %v", quarter, s, c)
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if s, c := odometry.Sincos(v); !math.IsNaN(s) || !math.IsNaN(c) {
			t.Errorf("sine and cosine of %v are %v and %v", v, s, c)
		}
	}
}
