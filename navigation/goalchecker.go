// SPDX-License-Identifier: Apache-2.0

package navigation

import (
	"math"
	"time"
)

// goalChecker decides when a goal counts as reached that the robot does not reach within the follower's tolerances,
// because the map moves or the wheels are inaccurate. Like Nav2's SimpleGoalChecker it is stateful; it first allows
// SettleTime for the tolerances of Limits.
type goalChecker struct {
	since    time.Time // when the position first was within its tolerance
	position bool      // the position is reached: from then on only the heading counts
	turned   time.Time // when the position was reached
}

// settle returns the follower's speeds for a robot at p, or those that turn it to the heading once the position counts
// as reached.
func (c *goalChecker) settle(n *Navigator, p Pose, now time.Time, v, omega float64) (float64, float64, bool) {
	goal := n.place
	if !n.adjusted { // planned some time ago: the map may have moved since
		goal = n.goals[n.reached]
	}
	certainRange := math.Hypot(goal.X-p.X, goal.Y-p.Y) <= n.cfg.GoalTolerance
	if c.since.IsZero() && certainRange {
		c.since = now
	}
	if !c.position && certainRange && now.Sub(c.since) >= n.cfg.SettleTime {
		c.position, c.turned = true, now
	}
	if !c.position {
		return v, omega, false
	}
	rest := math.Remainder(goal.Theta-p.Theta, 2*math.Pi)
	switch {
	case math.IsNaN(goal.Theta), math.Abs(rest) <= n.cfg.Limits.Heading,
		math.Abs(rest) <= n.cfg.HeadingTolerance && now.Sub(c.turned) >= n.cfg.SettleTime:
		return 0, 0, true
	}
	return 0, n.follower.turn(rest), false
}
