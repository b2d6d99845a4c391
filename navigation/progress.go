// SPDX-License-Identifier: Apache-2.0

package navigation

import (
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/mapping"
)

// progressChecker detects a robot that does not move. It must move both by odometry, since an uncertain localisation
// moves a robot at rest, and in the map, since slipping wheels turn.
type progressChecker struct {
	odom, world Pose
	since       time.Time
}

// stuck reports whether the robot, which is at odom by its odometry and at world in the map, has not moved for the
// timeout.
func (g *progressChecker) stuck(odom, world Pose, now time.Time, timeout time.Duration) bool {
	moved := far(odom, g.odom) && far(world, g.world)
	if g.since.IsZero() || moved || now.Before(g.since) {
		g.odom, g.world, g.since = odom, world, now
		return false
	}
	return now.Sub(g.since) > timeout
}

// far reports whether two poses are more than a centimetre or a sixth of a turn apart.
func far(a, b Pose) bool {
	return math.Hypot(a.X-b.X, a.Y-b.Y) > 0.01 || math.Abs(math.Remainder(a.Theta-b.Theta, 2*math.Pi)) > math.Pi/3
}

// approachChecker detects a robot that moves without getting nearer to its goal. A robot that searches for a path to an
// unreachable place, behind walls, would otherwise continue without end: its sensors always find new gaps.
type approachChecker struct {
	last    time.Time
	elapsed time.Duration // since the last progress, without recoveries
	nearest float64       // shortest remaining path, m
	known   int           // number of known cells
	longest float64       // longest remaining path since the last progress, m
}

// newCells is the number of cells that count as a new observation: 50 cm².
const newCells = 50

// timedOut reports whether the robot, whose remaining path is given in m, has for too long neither come nearer to the
// goal nor observed anything new.
func (q *approachChecker) timedOut(remaining float64, known int, now time.Time, c Config) bool {
	nearer := remaining < q.nearest-0.01
	if q.last.IsZero() || nearer || known > q.known+newCells {
		*q = approachChecker{last: now, nearest: remaining, known: max(known, q.known)}
	}
	q.elapsed += max(0, min(now.Sub(q.last), time.Second))
	q.last = now
	q.longest = max(q.longest, remaining)
	drive := 2 * q.longest / c.Limits.Speed
	return q.elapsed > c.ApproachTimeout+time.Duration(drive*float64(time.Second))
}

// known returns the number of known cells.
func known(m *mapping.Map) (n int) {
	if m == nil {
		return 0
	}
	for _, v := range m.Cells {
		if v != mapping.Unknown {
			n++
		}
	}
	return n
}
