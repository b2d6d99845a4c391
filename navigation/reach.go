// SPDX-License-Identifier: Apache-2.0

package navigation

import (
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/mapping"
)

// ErrOutside is matched when a goal is outside of a known map whose obstacles enclose the robot. It matches
// [ErrNoPath], too.
var ErrOutside = fmt.Errorf("%w: it is outside of the map, which encloses the robot", ErrNoPath)

// CheckGoals checks that the known map has a path from a pose to each goal; observed obstacles are ignored, since
// they may have moved. The error names the goal and matches [ErrGoal] if it is not finite, [ErrOccupied] if it is too
// near to an obstacle of the map, [ErrOutside], or [ErrNoPath] if it is enclosed or too far away. Without a known map
// it can only be not finite or too far away.
func (n *Navigator) CheckGoals(from Pose, goals ...Goal) error {
	if _, err := NewFollower(n.cfg.Limits, goals...); err != nil {
		return err
	}
	known := []*mapping.Map{n.cfg.Known}
	points := []Goal{{X: from.X, Y: from.Y}}
	for i, g := range goals {
		if _, err := n.cfg.Planner.frame(from, g, known); err != nil {
			return fmt.Errorf("%w: goal %d: %w", ErrNoPath, i+1, err)
		}
		points = append(points, g)
	}
	if n.cfg.Known == nil {
		return nil
	}
	f, err := n.cfg.Planner.frameOf(points, known)
	if err != nil {
		return fmt.Errorf("%w: the goals are too far from each other: %w", ErrNoPath, err)
	}
	hard := clearancesOf(f, n.cfg.Known)
	reachable := n.cfg.Planner.reachable(hard, from)
	for i, g := range goals {
		if n.atGoal(from, g) {
			continue
		}
		if err := n.checkGoal(g, hard, reachable); err != nil {
			return fmt.Errorf("goal %d: %w", i+1, err)
		}
	}
	return nil
}

// nearestFree returns the free cell nearest to a goal that is too near to an obstacle, of those that the robot can
// reach; ok is false if none is within the tolerance.
func (p Planner) nearestFree(g Goal, hard *clearances, reachable []bool) (free Goal, ok bool) {
	column, row := hard.Cell(g.X, g.Y)
	cells := int(p.Tolerance/p.Resolution) + 1
	nearest := p.Tolerance
	for y := row - cells; y <= row+cells; y++ {
		for x := column - cells; x <= column+cells; x++ {
			if !hard.Contains(x, y) || !reachable[y*hard.Width+x] || float64(hard.distance[y*hard.Width+x]) < p.Radius {
				continue
			}
			cx, cy := hard.Center(x, y)
			if d := math.Hypot(cx-g.X, cy-g.Y); d <= nearest {
				nearest, free, ok = d, Goal{cx, cy, g.Theta}, true
			}
		}
	}
	return free, ok
}

// checkGoal checks a goal against the cells that the robot can reach.
func (n *Navigator) checkGoal(g Goal, hard *clearances, reachable []bool) error {
	column, row := hard.Cell(g.X, g.Y)
	switch at := hard.at(g.X, g.Y); {
	case at < n.cfg.Planner.Radius:
		if _, ok := n.cfg.Planner.nearestFree(g, hard, reachable); ok {
			return nil
		}
		return fmt.Errorf("%w: %.3f m from (%.3f, %.3f), the robot needs %.3f m, and no free position is within %.3f m of the goal", ErrOccupied, at, g.X, g.Y,
			n.cfg.Planner.Radius, max(0, n.cfg.Planner.Tolerance))
	case reachable[row*hard.Width+column]:
		return nil
	case !n.cfg.Known.Contains(n.cfg.Known.Cell(g.X, g.Y)):
		return fmt.Errorf("%w: (%.3f, %.3f)", ErrOutside, g.X, g.Y)
	}
	return fmt.Errorf("%w: the map's obstacles enclose (%.3f, %.3f)", ErrNoPath, g.X, g.Y)
}

// reachable marks the cells of the frame to which there is a path from a pose.
func (p Planner) reachable(hard *clearances, from Pose) []bool {
	s := &search{Planner: p, Frame: hard.Frame, hard: hard.distance}
	marked := make([]bool, s.Width*s.Height)
	column, row := s.Cell(from.X, from.Y)
	queue := []int{row*s.Width + column}
	marked[queue[0]] = true
	for len(queue) > 0 {
		cell := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for next := range s.adjacent(cell) {
			if !marked[next] {
				marked[next] = true
				queue = append(queue, next)
			}
		}
	}
	return marked
}
