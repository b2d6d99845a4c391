// SPDX-License-Identifier: Apache-2.0

package node

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/mapping"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/navigation"
)

// TestArrivesOrGivesUpInTheStatedTime: whatever the localisation does, a goal ends within a minute and twice the time
// of the longest path, and a goal that can be reached is reached.
func TestArrivesOrGivesUpInTheStatedTime(t *testing.T) {
	wave := func(s float64) mapping.Pose {
		v := math.Sin(2 * math.Pi * s / 6.3)
		return mapping.Pose{X: 0.02 * v, Y: 0.02 * math.Cos(2*math.Pi*s/6.3), Theta: 0.05 * v}
	}
	for name, c := range map[string]struct {
		at     func(s float64) mapping.Pose
		theta  float64
		within time.Duration
	}{
		"waves":               {wave, math.NaN(), 15 * time.Second},
		"waves, with heading": {wave, 1.5, 20 * time.Second},
		"waves and drifts":    {func(s float64) mapping.Pose { p := wave(s); p.X += 0.002 * s; return p }, math.NaN(), 45 * time.Second},
		"large waves":         {func(s float64) mapping.Pose { p := wave(s); p.X, p.Y = 3*p.X, 3*p.Y; return p }, math.NaN(), 69 * time.Second},
		"kidnapped": {func(s float64) mapping.Pose {
			if s < 3 {
				return mapping.Pose{}
			}
			return mapping.Pose{X: -0.3, Y: 0.2, Theta: 2}
		}, math.NaN(), 30 * time.Second},
		"kidnapped repeatedly": {func(s float64) mapping.Pose { return mapping.Pose{X: 0.3 * math.Floor(math.Mod(s/2, 2))} }, math.NaN(), 90 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			withPuppet(t, Config{}, func(p *puppet) {
				end := p.localize(c.at)
				defer end()
				began := time.Now()
				goal := []geometry_msgs.PoseStamped{pose("map", 0.22, 0, c.theta)}
				err := p.navigator.Drive(p.Context(), goal, nil)
				took := time.Since(began)
				t.Logf("%v after %v", err, took)
				if took > c.within {
					t.Errorf("after %v", took)
				}
				if err != nil && (!strings.Contains(name, "repeatedly") && !strings.Contains(name, "large") || !errors.Is(err, navigation.ErrStuck)) {
					t.Error(err)
				}
			})
		})
	}
}

// TestGoalsThatAreDrivenAwayFromEnd: a goal that moves away with the map as fast as the robot drives is given up.
func TestGoalsThatAreDrivenAwayFromEnd(t *testing.T) {
	withPuppet(t, Config{}, func(p *puppet) {
		end := p.localize(func(s float64) mapping.Pose { return mapping.Pose{X: -0.06 * s} })
		defer end()
		began := time.Now()
		err := p.navigator.Drive(p.Context(), one("map", 0.4, 0), nil)
		if took := time.Since(began); !errors.Is(err, navigation.ErrStuck) || took > 80*time.Second {
			t.Errorf("%v after %v", err, took)
		}
	})
}

// TestDistanceRemainingIsTheTruth: it is the way to the goal, also while the robot recovers and has no path.
func TestDistanceRemainingIsTheTruth(t *testing.T) {
	for _, exact := range []bool{false, true} {
		withPuppet(t, Config{Exact: exact}, func(p *puppet) {
			time.AfterFunc(2*time.Second, func() { p.mu.Lock(); p.held = true; p.mu.Unlock() })
			time.AfterFunc(25*time.Second, func() { p.mu.Lock(); p.held = false; p.mu.Unlock() })
			p.must(p.navigator.Drive(p.Context(), one("odom", 0.3, 0.1), func(now Progress) {
				straight := math.Hypot(now.Pose.X-0.3, now.Pose.Y-0.1)
				if now.Reached == 0 && (now.Remaining < straight-0.001 || now.Remaining > straight+0.05) {
					t.Errorf("%.3f m remain, at %.3f m: %+v", now.Remaining, straight, now)
				}
				if f := p.navigator.feedback(now); math.Abs(float64(f.DistanceRemaining)-now.Remaining) > 1e-6 {
					t.Errorf("feedback %v, %v", f.DistanceRemaining, now.Remaining)
				}
			}))
		})
	}
}

// TestGoalNearAWallIsReachedNearby: the goal of docs/howto/navigation.md, 4 cm from a wall of rats_life. The nearest
// free position is logged and reached without a recovery.
func TestGoalNearAWallIsReachedNearby(t *testing.T) {
	inWorld(t, "rats_life", Config{}, func(r *rig) {
		start := r.robot.Pose()
		began := time.Now()
		recoveries := 0
		r.must(r.navigator.Drive(r.Context(), one("odom", 0.3, 0), func(now Progress) { recoveries = now.Recoveries }))
		if took := time.Since(began); took > 20*time.Second || recoveries != 0 {
			t.Errorf("after %v, %d recoveries", took, recoveries)
		}
		r.requireStoppedAt(start, 0.3, 0, 0.03)
	})
}

// TestGoalInAWallOfTheMapIsReachedNearby: within the planner's tolerance, by parameter.
func TestGoalInAWallOfTheMapIsReachedNearby(t *testing.T) {
	for tolerance, want := range map[float64]error{0: nil, -1: navigation.ErrOccupied} {
		withPuppet(t, Config{Map: "map", Drive: navigation.Config{Planner: navigation.Planner{Tolerance: tolerance}}}, func(p *puppet) {
			p.arenaMap(true)
			err := p.navigator.Drive(p.Context(), one("map", 0.47, 0), nil)
			if !errors.Is(err, want) {
				t.Errorf("tolerance %g: %v", tolerance, err)
			}
			if err == nil {
				p.near(0.455, 0)
				p.mu.Lock()
				defer p.mu.Unlock()
				if n := strings.Count(p.log.String(), "drives to the nearest free position"); n != 1 {
					t.Errorf("%d lines: %s", n, p.log)
				}
			}
		})
	}
}
