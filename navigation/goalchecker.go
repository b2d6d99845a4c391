// SPDX-License-Identifier: Apache-2.0

package navigation

import (
	"math"
	"time"
)

// goalChecker decides when a goal is reached that the robot does not reach exactly, because the map moves or the wheels
// are worse than that: as Nav2's SimpleGoalChecker, stateful, after the robot had the time to become exact.
type goalChecker struct {
	since    time.Time // when the position was within its tolerance first
	position bool      // it is reached: from then on only the heading counts
	turned   time.Time // when it was
}

// settle returns the follower's speeds for a robot at p, or those that turn it to the heading once the position counts
// as reached.
func (c *goalChecker) settle(n *Navigator, p Pose, now time.Time, v, omega float64) (float64, float64, bool) {
	goal := n.place
	if !n.adjusted { // planned some time ago: the map may have moved since
		goal = n.goals[n.reached]
	}
	near := math.Hypot(goal.X-p.X, goal.Y-p.Y) <= n.cfg.GoalTolerance
	if c.since.IsZero() && near {
		c.since = now
	}
	if !c.position && near && now.Sub(c.since) >= n.cfg.SettleTime {
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
