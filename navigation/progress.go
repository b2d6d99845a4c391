// SPDX-License-Identifier: Apache-2.0

package navigation

import (
	"fmt"
	"math"
	"time"
)

// progressChecker detects a robot that does not move, as Nav2's PoseProgressChecker does. The robot must move both by
// odometry, since an uncertain localization moves a robot at rest, and in the map, since slipping wheels turn.
type progressChecker struct {
	odom, world Pose
	since       time.Time
}

// stuck reports whether the robot, which is at odom by its odometry and at world in the map, has not moved by the
// required radius or angle within the allowance.
func (g *progressChecker) stuck(odom, world Pose, now time.Time, c Config) bool {
	moved := far(odom, g.odom, c.MovementRadius) && far(world, g.world, c.MovementRadius)
	if g.since.IsZero() || moved || now.Before(g.since) {
		g.odom, g.world, g.since = odom, world, now
		return false
	}
	return now.Sub(g.since) > c.MovementAllowance
}

// far reports whether two poses are more than the radius or 60° apart.
func far(a, b Pose, radius float64) bool {
	return math.Hypot(a.X-b.X, a.Y-b.Y) > radius || math.Abs(math.Remainder(a.Theta-b.Theta, 2*math.Pi)) > math.Pi/3
}

// approachChecker detects a robot that moves without getting nearer to its goal: a robot that searches for a path to
// an unreachable position would otherwise continue endlessly, since its sensors always find new gaps. The time since
// the last approach restarts only when the robot gets nearer; the total time never does.
type approachChecker struct {
	last    time.Time
	total   time.Duration // since the goal was set
	elapsed time.Duration // since the remaining path last became the shortest so far, without recoveries
	nearest float64       // shortest remaining path, m
	detour  float64       // longest remaining path since then, m
	longest float64       // longest remaining path, m
}

// approachStep returns the least reduction of the remaining path that counts, m: a tenth, at least 2 cm.
func approachStep(nearest float64) float64 { return max(0.02, nearest/10) }

// timedOut returns an error that matches [ErrStuck] if the robot has not come nearer to the goal, or has not reached
// it, within the allowed time. remaining is the length of the remaining path, m; NaN without one.
func (q *approachChecker) timedOut(remaining float64, now time.Time, c Config) error {
	if q.last.IsZero() {
		*q = approachChecker{last: now, nearest: math.Inf(1)}
	}
	since := max(0, min(now.Sub(q.last), time.Second)) // messages may have been missing
	q.last, q.total = now, q.total+since
	if !math.IsNaN(remaining) { // NaN: a recovery is active
		q.elapsed += since
		if math.IsInf(q.nearest, 1) || remaining < q.nearest-approachStep(q.nearest) {
			q.nearest, q.elapsed, q.detour = remaining, 0, remaining
		}
		q.detour, q.longest = max(q.detour, remaining), max(q.longest, remaining)
		if allowed := c.ApproachTimeout/2 + drivingTime(q.detour-q.nearest+approachStep(q.nearest), c); q.elapsed > allowed {
			return fmt.Errorf("%w: no nearer than %.2f m for %v", ErrStuck, q.nearest, q.elapsed.Round(time.Second))
		}
	}
	if allowed := c.ApproachTimeout + drivingTime(q.longest, c); q.total > allowed {
		if math.IsInf(q.nearest, 1) {
			return fmt.Errorf("%w: %w for %v", ErrStuck, ErrNoPath, q.total.Round(time.Second))
		}
		return fmt.Errorf("%w: not reached after %v, nearest %.2f m", ErrStuck, q.total.Round(time.Second), q.nearest)
	}
	return nil
}

// drivingTime returns twice the time that a distance (m) takes at the maximum speed.
func drivingTime(distance float64, c Config) time.Duration {
	return time.Duration(2 * max(0, distance) / c.Limits.Speed * float64(time.Second))
}
