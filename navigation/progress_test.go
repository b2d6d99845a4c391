// SPDX-License-Identifier: Apache-2.0

package navigation

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

// TestUnreachable: a goal outside of the walls, which the robot finds out by going along them. It gives up, has touched
// nothing, and drives to the next goal.
func TestUnreachable(t *testing.T) {
	long(t, true)
	r := &room{unicycle: unicycle{Pose{X: -0.2}}, boxes: walls(-0.3, -0.3, 0.3, 0.3)}
	n := newNavigator(t, Config{})
	if err := n.SetGoals(Goal{2, 0, AnyHeading}); err != nil {
		t.Fatal(err)
	}
	if err := r.drive(t, n, 1200); !errors.Is(err, ErrStuck) && !errors.Is(err, ErrNoPath) {
		t.Errorf("%v", err)
	} else {
		t.Logf("%v, %d recoveries, nearest %.3f m", err, n.Recoveries(), r.nearest)
	}
	if r.nearest < 0 {
		t.Errorf("it touched something: %.4f m", r.nearest)
	}
	if err := n.SetGoals(Goal{-0.1, 0.1, AnyHeading}); err != nil {
		t.Fatal(err)
	}
	if err := r.drive(t, n, 120); err != nil {
		t.Errorf("a goal after it: %v", err)
	}
}

// TestDoorsThatClose: of two doors the one is shut that the robot comes near to, and the other is opened. It drives,
// and is never stuck, but gets nowhere: it gives up.
func TestDoorsThatClose(t *testing.T) {
	long(t, true)
	arena := walls(-0.5, -0.5, 0.5, 0.5)
	wall := [4]float64{0.1, -0.35, 0.12, 0.35}
	doors := [2][4]float64{{0.1, 0.35, 0.12, 0.5}, {0.1, -0.5, 0.12, -0.35}}
	r := &room{unicycle: unicycle{Pose{X: -0.3}}}
	shut := 0
	r.happens = func() {
		switch {
		case math.Hypot(r.X-0.1, r.Y-0.42) < 0.15:
			shut = 0
		case math.Hypot(r.X-0.1, r.Y+0.42) < 0.15:
			shut = 1
		}
		r.boxes = append(arena[:len(arena):len(arena)], wall, doors[shut])
	}
	n := newNavigator(t, Config{})
	if err := n.SetGoals(Goal{0.35, 0, AnyHeading}); err != nil {
		t.Fatal(err)
	}
	err := r.drive(t, n, 3000)
	if !errors.Is(err, ErrStuck) || !strings.Contains(err.Error(), "no nearer than") && !strings.Contains(err.Error(), "not reached after") {
		t.Errorf("%v", err)
	}
	t.Logf("%v, %d recoveries, nearest %.3f m", err, n.Recoveries(), r.nearest)
}

// TestApproachTimeout: the time without getting nearer restarts when the robot gets nearer by 2 cm and a tenth, that of
// the goal never.
func TestApproachTimeout(t *testing.T) {
	type at struct {
		seconds   float64
		remaining float64 // m
		want      bool
	}
	nan := math.NaN()
	for name, list := range map[string][]at{
		"nearer all the time":    {{0, 1, false}, {25, 0.8, false}, {50, 0.6, false}, {75, 0.4, false}, {99, 0.2, false}, {101, 0.1, true}},
		"nothing":                {{0, 1, false}, {33, 1, false}, {35, 1, true}},
		"a little nearer":        {{0, 1, false}, {20, 0.95, false}, {33, 0.91, false}, {35, 0.905, true}},
		"to and fro":             {{0, 1, false}, {20, 1.2, false}, {41, 1, false}, {43, 1.2, true}},
		"a long way round":       {{0, 0.2, false}, {30, 4, false}, {181, 4, false}, {184, 4, true}},
		"a goal that moves":      {{0, 0.22, false}, {25, 0.19, false}, {45, 0.16, false}, {60, 0.13, false}, {68, 0.1, false}, {69, 0.08, true}},
		"without a path":         {{0, nan, false}, {59, nan, false}, {61, nan, true}},
		"a clock that goes back": {{1000, 1, false}, {0, 1, false}, {25, 1, false}},
	} {
		var q approachChecker
		c := Config{}.WithDefaults()
		clock := list[0].seconds
		for _, a := range list {
			got := q.timedOut(a.remaining, time.Unix(1000, int64(clock*1e9)), c)
			for clock < a.seconds { // with each step, as in a drive
				clock += step
				got = q.timedOut(a.remaining, time.Unix(1000, int64(clock*1e9)), c)
			}
			clock = a.seconds
			if (got != nil) != a.want || got != nil && !errors.Is(got, ErrStuck) {
				t.Errorf("%s: after %v s: %v", name, a.seconds, got)
			}
		}
	}
}

// TestSlowRobotArrives: a robot that drives 4 m at 1 cm/s takes 40 s for the step that counts as nearer, and is not given
// up.
func TestSlowRobotArrives(t *testing.T) {
	var q approachChecker
	c := Config{Limits: Limits{Speed: 0.01}}.WithDefaults()
	for seconds := 0.; seconds < 400; seconds += step {
		if err := q.timedOut(4-c.Limits.Speed*seconds, time.Unix(1000, int64(seconds*1e9)), c); err != nil {
			t.Fatalf("after %.1f s: %v", seconds, err)
		}
	}
}
