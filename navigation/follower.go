// SPDX-License-Identifier: Apache-2.0

package navigation

import (
	"errors"
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/mapping"
)

// ErrGoal is matched by goals that cannot be.
var ErrGoal = errors.New("navigation: impossible goal")

// Pose is a position, m, and a heading, rad, in a frame that does not move.
type Pose = mapping.Pose

// Goal is where the robot is to be.
type Goal struct {
	X, Y float64 // m
	// Theta is the heading at the end, rad; AnyHeading is that of the last stretch.
	Theta float64
}

// AnyHeading is the heading of a goal that wants none.
var AnyHeading = math.NaN()

// Limits are how fast and how exactly a robot drives. The zero value of a field is its default.
type Limits struct {
	// Speed is the highest speed, m/s; it defaults to 0.05.
	Speed float64
	// Turn is the highest rate of turn, rad/s; it defaults to 1.
	Turn float64
	// Position is how near the goal must be, m; it defaults to 2 mm.
	Position float64
	// Heading is how near the heading must be, rad; it defaults to 0.01.
	Heading float64
}

func (l Limits) withDefaults() Limits {
	for _, f := range []struct {
		v       *float64
		without float64
	}{{&l.Speed, 0.05}, {&l.Turn, 1}, {&l.Position, 0.002}, {&l.Heading, 0.01}} {
		if *f.v == 0 {
			*f.v = f.without
		}
	}
	return l
}

// phase is what the follower is at.
type phase uint8

const (
	facing  phase = iota // it turns towards the goal
	going                // it drives there
	turning              // it turns to the goal's heading
	arrived
)

// Follower drives along a list of goals. It is not safe for concurrent use.
type Follower struct {
	limits Limits
	goals  []Goal
	next   int
	phase  phase
	best   float64 // the least distance to the goal so far
}

// NewFollower returns a follower of a path. The error matches [ErrGoal] and names the goal.
func NewFollower(limits Limits, goals ...Goal) (*Follower, error) {
	for i, g := range goals {
		if math.IsNaN(g.X) || math.IsNaN(g.Y) || math.IsInf(g.X, 0) || math.IsInf(g.Y, 0) || math.IsInf(g.Theta, 0) {
			return nil, fmt.Errorf("%w: number %d, (%v, %v, %v)", ErrGoal, i+1, g.X, g.Y, g.Theta)
		}
	}
	return &Follower{limits: limits.withDefaults(), goals: goals, best: math.Inf(1)}, nil
}

// Reached gives the number of goals that are behind.
func (f *Follower) Reached() int { return f.next }

// Move replaces the goals by the same goals in new places: what was reached stays so. The error matches [ErrGoal] if
// they are not as many, or not finite; then the old ones stay.
func (f *Follower) Move(goals ...Goal) error {
	if len(goals) != len(f.goals) {
		return fmt.Errorf("%w: %d goals moved to %d places", ErrGoal, len(f.goals), len(goals))
	}
	if _, err := NewFollower(f.limits, goals...); err != nil {
		return err
	}
	f.goals = goals
	return nil
}

// Step gives the speeds, m/s and rad/s, for a robot at p; done is true when the last goal is reached, and stays so.
func (f *Follower) Step(p Pose) (v, omega float64, done bool) {
	for f.next < len(f.goals) {
		v, omega, there := f.step(p, f.goals[f.next])
		if !there {
			return v, omega, false
		}
		f.next++
		f.phase, f.best = facing, math.Inf(1)
	}
	return 0, 0, true
}

// step gives the speeds on the way to one goal. A goal that is reached stays so while the robot turns on it.
func (f *Follower) step(p Pose, g Goal) (v, omega float64, there bool) {
	dx, dy := g.X-p.X, g.Y-p.Y
	distance := math.Hypot(dx, dy)
	bearing := math.Remainder(math.Atan2(dy, dx)-p.Theta, 2*math.Pi)
	if f.phase <= going && (distance <= f.limits.Position || f.passed(distance)) {
		f.phase = turning
	}
	if f.phase == facing && math.Abs(bearing) <= 2*f.limits.Heading {
		f.phase = going
	}
	switch f.phase {
	case facing:
		return 0, f.turn(bearing), false
	case going:
		return f.approach(distance), max(-f.limits.Turn, min(f.limits.Turn, 4*bearing)), false
	}
	rest := math.Remainder(g.Theta-p.Theta, 2*math.Pi)
	if math.IsNaN(g.Theta) || math.Abs(rest) <= f.limits.Heading {
		return 0, 0, true
	}
	return 0, f.turn(rest), false
}

// passed reports whether the goal was missed by so little that going back would be worse: it gets farther again within
// a few tolerances.
func (f *Follower) passed(distance float64) bool {
	if f.phase != going {
		return false
	}
	f.best = min(f.best, distance)
	return distance > f.best && distance < 3*f.limits.Position
}

// approach slows down before the goal.
func (f *Follower) approach(distance float64) float64 {
	return min(f.limits.Speed, max(0.01, 2*distance))
}

// turn slows down before the heading, and turns the short way.
func (f *Follower) turn(rest float64) float64 {
	rate := min(f.limits.Turn, max(0.1, 3*math.Abs(rest)))
	return math.Copysign(rate, rest)
}
