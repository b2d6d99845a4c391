// SPDX-License-Identifier: Apache-2.0

package description

import (
	"math"
	"testing"
)

// TestConvert: first to the nearest step, then into the limits; a converter without steps or limits changes nothing,
// and what is not finite stays.
func TestConvert(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		n       Noise
		v, want float64
	}{
		{Noise{}, 1.2345, 1.2345},
		{Noise{Step: 0.5}, 1.2, 1},
		{Noise{Step: 0.5}, -1.3, -1.5},
		{Noise{Most: 4}, 5, 4},
		{Noise{Most: 4}, -1, 0},
		{Noise{Least: -1, Most: 4}, -2, -1},
		{Noise{Step: 3, Most: 4}, 5, 4},
		{Noise{Step: 3, Most: 4}, inf, inf},
		{Noise{Step: 3, Most: 4}, -inf, -inf},
	} {
		if got := c.n.Convert(c.v); got != c.want {
			t.Errorf("%+v of %g: %g, want %g", c.n, c.v, got, c.want)
		}
	}
}

// TestRandomNoise: a bias alone does not scatter.
func TestRandomNoise(t *testing.T) {
	for n, want := range map[Noise]bool{
		{}: false, {Mean: 1, BiasDeviation: 1, Step: 1}: false, {Deviation: 1}: true, {Relative: 1}: true,
	} {
		if n.Random() != want {
			t.Errorf("%+v", n)
		}
	}
}
