// SPDX-License-Identifier: Apache-2.0

package navigation

import (
	"errors"
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/mapping"
)

// ErrGoal is matched by errors about an impossible goal.
var ErrGoal = errors.New("navigation: impossible goal")

// Pose is a position, m, and a heading, rad, in a fixed frame.
type Pose = mapping.Pose

// Goal is a position and a heading that the robot drives to.
type Goal struct {
	X, Y float64 // m
	// Theta is the heading at the goal, rad; with AnyHeading the robot keeps the heading of the last line.
	Theta float64
}

// AnyHeading is the Theta of a goal without a required heading.
var AnyHeading = math.NaN()

// Limits are the speeds and tolerances of a drive. The zero value of a field is its default.
type Limits struct {
	// Speed is the maximum speed, m/s; it defaults to 0.05.
	Speed float64
	// Turn is the maximum rate of turn, rad/s; it defaults to 1.
	Turn float64
	// Position is the tolerance of positions, m; it defaults to 2 mm.
	Position float64
	// Heading is the tolerance of headings, rad; it defaults to 0.01.
	Heading float64
}

func (l Limits) withDefaults() Limits {
	for _, f := range []struct {
		v        *float64
		fallback float64
	}{{&l.Speed, 0.05}, {&l.Turn, 1}, {&l.Position, 0.002}, {&l.Heading, 0.01}} {
		if *f.v == 0 {
			*f.v = f.fallback
		}
	}
	return l
}

// phase is the phase of the drive to one goal.
type phase uint8

const (
	facing  phase = iota // turns towards the goal
	going                // drives there
	turning              // turns to the goal's heading
	arrived
)

// Follower drives along a list of goals. It is not safe for concurrent use.
type Follower struct {
	limits Limits
	goals  []Goal
	next   int
	phase  phase
	best   float64 // least distance to the goal so far, m
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

// Reached returns the number of reached goals.
func (f *Follower) Reached() int { return f.next }

// Remaining returns the straight distance from p to the next goal, m; 0 after the last.
func (f *Follower) Remaining(p Pose) float64 {
	if f.next >= len(f.goals) {
		return 0
	}
	return math.Hypot(f.goals[f.next].X-p.X, f.goals[f.next].Y-p.Y)
}

// Move replaces the goals by the same goals at new positions; reached goals stay reached. The error matches [ErrGoal]
// if their number differs or they are not finite; then the goals are not changed.
func (f *Follower) Move(goals ...Goal) error {
	if len(goals) != len(f.goals) {
		return fmt.Errorf("%w: %d new positions for %d goals", ErrGoal, len(goals), len(f.goals))
	}
	if _, err := NewFollower(f.limits, goals...); err != nil {
		return err
	}
	f.goals = goals
	return nil
}

// Step returns the speeds, m/s and rad/s, for a robot at p; done is true once the last goal is reached.
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

// step returns the speeds towards one goal. Once a goal's position is reached, only the heading is controlled.
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

// passed reports whether the robot has just passed the goal: the distance increases again, and is within a few
// tolerances, so that driving back would be worse.
func (f *Follower) passed(distance float64) bool {
	if f.phase != going {
		return false
	}
	f.best = min(f.best, distance)
	return distance > f.best && distance < 3*f.limits.Position
}

// approach returns a speed that decreases towards the goal, m/s.
func (f *Follower) approach(distance float64) float64 {
	return min(f.limits.Speed, max(0.01, 2*distance))
}

// turn returns a rate that decreases towards the heading, rad/s, in the direction of the smaller angle.
func (f *Follower) turn(rest float64) float64 {
	rate := min(f.limits.Turn, max(0.1, 3*math.Abs(rest)))
	return math.Copysign(rate, rest)
}
