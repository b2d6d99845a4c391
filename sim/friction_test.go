// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// TestBothLevelsRubAlike: robots of both levels that drive against a wall at one angle slide at one speed, by friction.
func TestBothLevelsRubAlike(t *testing.T) {
	for _, degrees := range []float64{10, 30, 60} {
		yaw := degrees * math.Pi / 180
		text := "arena: {size: [2, 2]}\nrobots:\n"
		for i, level := range []string{"firmware", "functional"} {
			y := float64(i) - 0.8
			text += fmt.Sprintf("  - {name: %s, level: %[1]s, position: [0.963, %g], yaw: %g}\n", level, y, yaw) +
				fmt.Sprintf("  - {name: %s_free, level: %[1]s, position: [-0.5, %g]}\n", level, y)
		}
		s, clock := pushers(t, text, Options{Seed: 1, Quiet: true})
		clock.Sleep(4 * time.Second)
		for i, level := range []string{"firmware", "functional"} {
			along, free := s.Robots()[2*i].Pose(), s.Robots()[2*i+1].Pose()
			want := (free.X + 0.5) * max(0, math.Sin(yaw)-0.3*math.Cos(yaw))
			if way := along.Y - float64(i) + 0.8; math.Abs(way-want) > 1e-4 || math.Abs(along.X-0.963) > 1e-8 {
				t.Errorf("%g°, %s: %g m along the wall, want %g; at %v", degrees, level, way, want, along)
			}
		}
	}
}

// TestTwoRobotsRub: robots that meet off their middles slide past each other without friction and lock with it, and
// never overlap.
func TestTwoRobotsRub(t *testing.T) {
	for friction, passes := range map[float64]bool{0: true, 0.3: false} {
		text := fmt.Sprintf("contact_friction: %g\nrobots:\n  - {name: a, level: functional, position: [-0.1, 0.005]}\n"+
			"  - {name: b, level: functional, position: [0.1, -0.005], yaw: 3.141592653589793}\n", friction)
		s, clock := pushers(t, text, Options{Seed: 1, Quiet: true})
		for range 100 {
			clock.Sleep(100 * time.Millisecond)
			p, q := s.Robots()[0].Pose(), s.Robots()[1].Pose()
			if d := math.Hypot(p.X-q.X, p.Y-q.Y); d < 2*0.037-1e-8 {
				t.Fatalf("friction %g: %g m apart", friction, d)
			}
		}
		if past := s.Robots()[0].Pose().X > 0.1; past != passes {
			t.Errorf("friction %g: one is past the other: %v", friction, past)
		}
	}
}
