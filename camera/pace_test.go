// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestPace: of a camera with jitter the wanted number of frames remains, and no gap is longer than it has to be.
func TestPace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		camera, rate := rapid.Float64Range(1, 60).Draw(t, "camera"), rapid.Float64Range(0.5, 60).Draw(t, "rate")
		jitter := rapid.Float64Range(0, 0.3).Draw(t, "jitter")
		var p pacer
		start := time.Unix(1000, 0)
		const n = 400
		period := float64(time.Second) / camera
		var last time.Time
		used, longest := 0, time.Duration(0)
		for i := range n {
			stamp := start.Add(time.Duration((float64(i) + jitter*rapid.Float64Range(-0.5, 0.5).Draw(t, "shake")) * period))
			if !p.wants(stamp, rate, 0) {
				continue
			}
			if used++; used > 1 {
				longest = max(longest, stamp.Sub(last))
			}
			last = stamp
		}
		seconds := n * period / float64(time.Second)
		want := math.Min(n, seconds*rate)
		if math.Abs(float64(used)-want) > 2+want*0.02 {
			t.Fatalf("%d of %d frames used, want %.1f", used, n, want)
		}
		// At worst the frame wanted is one frame off its place at both ends.
		if limit := time.Duration(float64(time.Second)/math.Min(rate, camera) + 1.7*period); longest > limit {
			t.Fatalf("a gap of %v, at most %v", longest, limit)
		}
	})
}

// TestPaceKeepsAll: of a camera that says it sends no more than is wanted, nothing is left out, however it shakes.
func TestPaceKeepsAll(t *testing.T) {
	var p pacer
	stamp := time.Unix(1000, 0)
	for i := range 100 {
		stamp = stamp.Add(time.Duration(1+i*37%140) * time.Millisecond)
		if !p.wants(stamp, 15, 15) {
			t.Fatalf("frame %d is left out", i)
		}
	}
}

// TestPaceWhenTheClockIsSet: frames continue at once, at the same rate.
func TestPaceWhenTheClockIsSet(t *testing.T) {
	for _, jump := range []time.Duration{-time.Hour, time.Hour, -time.Second, 10 * time.Second} {
		var p pacer
		stamp, used := time.Unix(1e6, 0), 0
		for i := range 300 {
			if i == 150 {
				stamp = stamp.Add(jump)
			}
			stamp = stamp.Add(time.Second / 30)
			if p.wants(stamp, 10, 30) {
				used++
			} else if i == 150 {
				t.Errorf("%v: the first frame after is left out", jump)
			}
		}
		if used < 99 || used > 102 {
			t.Errorf("%v: %d of 300 frames used, want 100", jump, used)
		}
	}
}
