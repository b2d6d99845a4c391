// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// What is remembered is what would be computed, bit for bit, also for the zeros, which are equal and are not the same.
func TestHeadingRemembersTheSameBits(t *testing.T) {
	some := []float64{0, math.Copysign(0, -1), math.Pi, -math.Pi / 2, 1, math.Nextafter(1, 2)}
	rapid.Check(t, func(t *rapid.T) {
		var h heading
		for range rapid.IntRange(1, 20).Draw(t, "looks") {
			theta := rapid.OneOf(rapid.SampledFrom(some), rapid.Float64Range(-4, 4)).Draw(t, "theta")
			got, want := h.of(theta), geom.Direction(theta)
			if math.Float64bits(got.X) != math.Float64bits(want.X) || math.Float64bits(got.Y) != math.Float64bits(want.Y) {
				t.Fatalf("direction of %v is %v, want %v", theta, got, want)
			}
		}
	})
}
