// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// TestBothLevelsRubAlike: robots of both levels that drive against a wall at one angle slide along it and turn into it
// alike, and face it at the end.
func TestBothLevelsRubAlike(t *testing.T) {
	for _, degrees := range []float64{10, 30, 60, 80} {
		text := "arena: {size: [2, 2]}\nrobots:\n"
		for i, level := range []string{"firmware", "functional"} {
			text += fmt.Sprintf("  - {name: %s, level: %[1]s, position: [0.963, %g], yaw: %g}\n", level, float64(i)-0.8, degrees*math.Pi/180)
		}
		s, clock := pushers(t, text, Options{Seed: 1, Quiet: true})
		for k := range 16 {
			clock.Sleep(250 * time.Millisecond)
			firmware, functional := s.Robots()[0].Pose(), s.Robots()[1].Pose()
			if math.Abs(firmware.Y-functional.Y+1) > 2e-3 || math.Abs(firmware.Theta-functional.Theta) > 0.03 {
				t.Errorf("%g°, %d: firmware %v, functional %v", degrees, k, firmware, functional)
			}
		}
		for _, r := range s.Robots() {
			if p := r.Pose(); math.Abs(p.X-0.963) > 1e-8 || math.Abs(p.Theta) > 0.2*degrees/80 {
				t.Errorf("%g°: %s is at %v", degrees, r.Name(), p)
			}
		}
	}
}

// TestUnequalWheelsRubAlike: the same with wheels whose half steps come in turn, or of which one makes more. Where the
// wheels turn the robot, so does the gyroscope's integral.
func TestUnequalWheelsRubAlike(t *testing.T) {
	const perStep = 2 * math.Pi / 1000 // rad
	for _, speeds := range [][2]int16{{100, 101}, {200, 210}, {300, 300}, {300, 303}, {300, 310}, {310, 300}, {800, 805}} {
		s, clock := pushers(t, "arena: {size: [2, 2]}\nrobots:\n  - {name: firmware, position: [0.95, -0.8], yaw: 1}\n"+
			"  - {name: functional, level: functional, position: [0.95, 0.2], yaw: 1}\n", Options{Seed: 1, Quiet: true})
		r, a := RobotsOf[*Firmware](s)[0], RobotsOf[*Functional](s)[0]
		command(t, r, speeds[0], speeds[1])
		a.Do(func(c *Control) { c.SetWheels(float64(speeds[0])*perStep, float64(speeds[1])*perStep) })
		turned := 0.0
		for range 4000 {
			clock.Sleep(time.Millisecond)
			turned += float64(r.GroundTruth().Omega * 1e-3)
		}
		firmware, functional := r.Pose(), a.Pose()
		if math.Abs(firmware.Y-functional.Y+1) > 3e-3 || math.Abs(firmware.Theta-functional.Theta) > 0.04 {
			t.Errorf("%v: firmware %v, functional %v", speeds, firmware, functional)
		}
		if math.Abs(1+turned-firmware.Theta) > 0.02 {
			t.Errorf("%v: the gyroscope measures %.3f rad of %.3f", speeds, turned, firmware.Theta-1)
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
