// SPDX-License-Identifier: Apache-2.0

package vground_test

import (
	"bytes"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vground"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// drawFloor makes an arbitrary world under the sensors.
func drawFloor(t *rapid.T) *spots {
	var s spots
	for i := range s {
		s[i] = vground.Spot{
			Reflectance: rapid.Float64Range(-0.5, 2).Draw(t, "reflectance"), Height: rapid.Float64Range(-0.01, 1).Draw(t, "height"),
			Light: rapid.Float64Range(-1, 3).Draw(t, "light"),
		}
	}
	return &s
}

// TestAnyRead: over any floor, words have ten bits, bursts of any length from anywhere agree with single reads, and two
// boards of the same seed are the same.
func TestAnyRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "now"))
		cfg := vground.Config{
			Floor: drawFloor(t), Cliff: rapid.Bool().Draw(t, "cliff"), Noise: noise.New(rapid.Uint64().Draw(t, "seed")),
			NoiseLevel: rapid.Float64Range(-1, 3).Draw(t, "level"), Now: func() time.Duration { return now },
		}
		b, twin := vground.New(cfg), vground.New(cfg)
		all := dump(b, 0, 32)
		for at := 0; at < 12; at += 2 {
			if word(all, at) > 1023 {
				t.Fatalf("register %#02x is %d", at, word(all, at))
			}
		}
		from := rapid.IntRange(0, 31).Draw(t, "from")
		n := rapid.IntRange(0, 32-from).Draw(t, "n")
		if got := dump(b, byte(from), n); !bytes.Equal(got, all[from:from+n]) {
			t.Fatalf("% x, in the whole % x", got, all[from:from+n])
		}
		if got := dump(twin, 0, 32); !bytes.Equal(got, all) {
			t.Fatal("the seed does not decide")
		}
	})
}

// TestBrighter: without noise more reflectance is never fewer counts, more height never more.
func TestBrighter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := func(reflectance, height float64) int {
			return word(dump(vground.New(vground.Config{Floor: level(reflectance, height, 0), NoiseLevel: -1}), 0, 2), 0)
		}
		r, h := rapid.Float64Range(0, 1).Draw(t, "r"), rapid.Float64Range(0, 0.03).Draw(t, "h")
		more, up := rapid.Float64Range(0, 1).Draw(t, "more"), rapid.Float64Range(0, 0.03).Draw(t, "up")
		if c := counts(r, h); counts(min(1, r+more), h) < c || counts(r, h+up) > c {
			t.Fatalf("%v at %v: %d", r, h, c)
		}
	})
}
