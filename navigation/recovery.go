// SPDX-License-Identifier: Apache-2.0

package navigation

import (
	"math"
	"time"
)

// recovery is the state of the recovery behaviours of a robot without progress: it backs up a little if there is
// space, and spins once, so that its sensors observe what has changed.
type recovery struct {
	back   float64 // remaining distance to back up, m
	turn   float64 // remaining turn, rad
	last   Pose
	until  time.Time // time limit
	begun  bool
	budget time.Duration
}

// backUp is the distance to back up, m; recoveryTime is the time limit of a recovery.
const (
	backUp       = 0.03
	recoveryTime = 30 * time.Second
)

// recover starts a recovery, or gives up the goal with the error why. Every second recovery clears the observed
// obstacles, since people and other robots move.
func (n *Navigator) recover(p Pose, now time.Time, why error) (v, omega float64, done bool, err error) {
	if n.recoveries >= n.cfg.Recoveries {
		return n.giveUp(why)
	}
	n.recoveries++
	n.total++
	n.follower = nil
	if n.recoveries%2 == 0 {
		if err := n.clearObservations(); err != nil {
			return 0, 0, true, err
		}
	}
	n.recovery = &recovery{back: backUp, turn: 2 * math.Pi, budget: recoveryTime}
	v, omega, _ = n.recovery.step(n, p, now)
	return v, omega, false, nil
}

// giveUp drops the goals and returns the error why.
func (n *Navigator) giveUp(why error) (v, omega float64, done bool, err error) {
	n.goals, n.reached = nil, 0
	n.resetGoal()
	return 0, 0, true, why
}

// step returns the speeds; more is false when the recovery is finished.
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

// free reports whether no obstacle was observed behind the robot.
func (r *recovery) free(n *Navigator, p Pose) bool {
	if n.hard == nil {
		return true
	}
	s, c := math.Sincos(p.Theta)
	behind := n.hard.at(p.X-backUp*c, p.Y-backUp*s)
	return behind >= n.cfg.Planner.Radius || behind > n.hard.at(p.X, p.Y)
}
