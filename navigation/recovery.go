// SPDX-License-Identifier: Apache-2.0

package navigation

import (
	"math"
	"time"
)

// recovery is what a robot does when it does not get on: it goes back a little if there is room, and turns round once,
// so that its sensors see what has changed.
type recovery struct {
	back   float64 // m still to go back
	turn   float64 // rad still to turn
	last   Pose
	until  time.Time // whatever the robot does, it ends then
	begun  bool
	budget time.Duration
}

// goBack is how far a robot goes back, m; recoveryTime bounds a recovery.
const (
	goBack       = 0.03
	recoveryTime = 30 * time.Second
)

// recover begins a recovery because of what has happened, or gives the goal up. Every second time what was seen is
// forgotten: people and other robots do not stay where they were.
func (n *Navigator) recover(p Pose, now time.Time, why error) (v, omega float64, done bool, err error) {
	if n.recoveries >= n.cfg.Recoveries {
		return n.giveUp(why)
	}
	n.recoveries++
	n.total++
	n.follower = nil
	if n.recoveries%2 == 0 {
		if err := n.forget(); err != nil {
			return 0, 0, true, err
		}
	}
	n.recovery = &recovery{back: goBack, turn: 2 * math.Pi, budget: recoveryTime}
	v, omega, _ = n.recovery.step(n, p, now)
	return v, omega, false, nil
}

// giveUp ends the goals because of what has happened.
func (n *Navigator) giveUp(why error) (v, omega float64, done bool, err error) {
	n.goals, n.reached = nil, 0
	n.begin()
	return 0, 0, true, why
}

// step gives the speeds; more is false when it is over.
func (r *recovery) step(n *Navigator, p Pose, now time.Time) (v, omega float64, more bool) {
	if !r.begun {
		r.begun, r.last, r.until = true, p, now.Add(r.budget)
	}
	if now.After(r.until) || now.Before(r.until.Add(-2*r.budget)) {
		return 0, 0, false
	}
	if r.back > 0 {
		if r.back -= math.Hypot(p.X-r.last.X, p.Y-r.last.Y); r.back > 0 && r.free(n, p) && now.Before(r.until.Add(-r.budget*2/3)) {
			r.last = p
			return -n.cfg.Limits.Speed / 2, 0, true
		}
		r.back, r.last = 0, p
	}
	r.turn -= math.Abs(math.Remainder(p.Theta-r.last.Theta, 2*math.Pi))
	r.last = p
	if r.turn <= 0 {
		return 0, 0, false
	}
	return 0, n.cfg.Limits.Turn, true
}

// free reports whether nothing was seen behind the robot.
func (r *recovery) free(n *Navigator, p Pose) bool {
	if n.hard == nil {
		return true
	}
	s, c := math.Sincos(p.Theta)
	behind := n.hard.at(p.X-goBack*c, p.Y-goBack*s)
	return behind >= n.cfg.Planner.Radius || behind > n.hard.at(p.X, p.Y)
}
