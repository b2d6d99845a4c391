// SPDX-License-Identifier: Apache-2.0

package navigation

import (
	"container/heap"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/mapping"
	"github.com/epuck-ros2/epuck-driver/robot"
)

var (
	// ErrNoPath is matched when obstacles block every path to a goal.
	ErrNoPath = errors.New("navigation: no path to the goal")
	// ErrOccupied is matched when a goal is too near to an obstacle for the robot. It matches [ErrNoPath], too.
	ErrOccupied = fmt.Errorf("%w: the goal is occupied", ErrNoPath)
)

// Planner finds paths margin obstacles. The zero value of a field is its default.
type Planner struct {
	// Radius is the minimum distance of the robot's centre from the centre of an occupied cell, m. It defaults to
	// 0.038: robot.ContactRadius plus robot.PlanningMargin.
	Radius float64
	// Margin is the clearance beyond the radius that paths keep where there is space, m. It defaults to 0.03.
	Margin float64
	// Resolution is the edge of the cells of the search, m. It defaults to 0.01.
	Resolution float64
	// Tolerance is the maximum distance between a goal that is too near to an obstacle and the free position to which
	// the robot drives instead, m, as for Nav2's planners. It defaults to 0.03; a negative number disables this.
	Tolerance float64
}

// margin is the width of the free space margin the map that paths may use, m: unknown cells count as free.
const margin = 0.5

func (p Planner) withDefaults() Planner {
	for _, f := range []struct {
		v        *float64
		fallback float64
	}{{&p.Radius, robot.ContactRadius + robot.PlanningMargin}, {&p.Margin, 0.03}, {&p.Resolution, 0.01}, {&p.Tolerance, 0.03}} {
		if *f.v == 0 {
			*f.v = f.fallback
		}
	}
	return p
}

// Plan returns the corners of a short path from a pose to a goal, the goal last, that keeps clear of the obstacles of
// the maps; nil maps are ignored. The error matches [ErrNoPath], or mapping.ErrSize if the goal is too far away.
func (p Planner) Plan(from Pose, to Goal, maps ...*mapping.Map) ([]Goal, error) {
	p = p.withDefaults()
	f, err := p.frame(from, to, maps)
	if err != nil {
		return nil, err
	}
	c := clearancesOf(f, maps...)
	return p.plan(c, c, from, to)
}

// frame returns a frame that contains the maps, the robot and its goal.
func (p Planner) frame(from Pose, to Goal, maps []*mapping.Map) (mapping.Frame, error) {
	return p.frameOf([]Goal{{X: from.X, Y: from.Y}, to}, maps)
}

// frameOf returns a frame that contains the maps and some points. The error matches mapping.ErrSize.
func (p Planner) frameOf(points []Goal, maps []*mapping.Map) (mapping.Frame, error) {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, g := range points {
		x0, y0, x1, y1 = min(x0, g.X), min(y0, g.Y), max(x1, g.X), max(y1, g.Y)
	}
	for _, m := range maps {
		if m != nil {
			x0, y0 = min(x0, m.X), min(y0, m.Y)
			x1, y1 = max(x1, m.X+float64(m.Width)*m.Resolution), max(y1, m.Y+float64(m.Height)*m.Resolution)
		}
	}
	cells := func(v float64) float64 { return math.Floor(v / p.Resolution) }
	f := mapping.Frame{Resolution: p.Resolution, X: cells(x0-margin) * p.Resolution, Y: cells(y0-margin) * p.Resolution}
	wide, high := (x1+margin-f.X)/p.Resolution, (y1+margin-f.Y)/p.Resolution
	if !(wide*high < mapping.MaxCells) {
		to := points[len(points)-1]
		return f, fmt.Errorf("%w: %.0f × %.0f cells between the robot and (%g, %g)", mapping.ErrSize, wide, high, to.X, to.Y)
	}
	f.Width, f.Height = int(wide)+1, int(high)+1
	return f, nil
}

// plan searches a path over the cells and removes needless corners. Cells too near to obstacles of hard are excluded;
// those near obstacles of all cost more. Both have the same frame.
func (p Planner) plan(hard, all *clearances, from Pose, to Goal) ([]Goal, error) {
	if at := hard.at(to.X, to.Y); at < p.Radius {
		return nil, fmt.Errorf("%w: %.3f m from (%.3f, %.3f)", ErrOccupied, at, to.X, to.Y)
	}
	c := hard
	cells, ok := (&search{Planner: p, Frame: c.Frame, hard: hard.distance, all: all.distance}).run(from, to)
	if !ok {
		return nil, fmt.Errorf("%w: from (%.3f, %.3f) to (%.3f, %.3f)", ErrNoPath, from.X, from.Y, to.X, to.Y)
	}
	path := []Goal{{from.X, from.Y, AnyHeading}}
	for _, cell := range cells[1 : len(cells)-1] {
		x, y := c.Center(cell%c.Width, cell/c.Width)
		path = append(path, Goal{x, y, AnyHeading})
	}
	return p.straighten(hard, all, append(path, to))[1:], nil
}

// straighten removes corners where the straight line has as much clearance as the path, or enough.
func (p Planner) straighten(hard, all *clearances, path []Goal) []Goal {
	corners := path[:1:1]
	clear := func(c *clearances, i, j int, least float64) bool {
		return c.least(path[i].X, path[i].Y, path[j].X, path[j].Y) >= min(least, p.Radius+p.Margin)
	}
	for i := 0; i < len(path)-1; {
		next := i + 1
		leastHard, leastAll := hard.at(path[i].X, path[i].Y), all.at(path[i].X, path[i].Y)
		for j := i + 1; j < len(path); j++ {
			leastHard, leastAll = min(leastHard, hard.at(path[j].X, path[j].Y)), min(leastAll, all.at(path[j].X, path[j].Y))
			if clear(all, i, j, leastAll) && (hard == all || clear(hard, i, j, leastHard)) {
				next = j
			} else if j > next+int(0.5/p.Resolution) {
				break // no improvement half a metre farther
			}
		}
		corners = append(corners, path[next])
		i = next
	}
	return corners
}

// search is an A* search over the cells.
type search struct {
	Planner
	mapping.Frame
	hard, all []float32 // clearances
	cost      []float32 // of the cheapest known path to a cell
	before    []int32   // previous cell of that path
	goal      int
	open      frontier
}

// frontier is a heap of cells, ordered by the least cost of a path through them.
type frontier []candidate

type candidate struct {
	cell  int
	total float32
}

func (f frontier) Len() int           { return len(f) }
func (f frontier) Less(i, j int) bool { return f[i].total < f[j].total }
func (f frontier) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(x any)        { *f = append(*f, x.(candidate)) } //nolint:forcetypeassert,errcheck // as container/heap requires
func (f *frontier) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}

// run returns the cells of the cheapest path, including both ends; ok is false if there is none.
func (s *search) run(from Pose, to Goal) (path []int, ok bool) {
	n := s.Width * s.Height
	s.cost, s.before = make([]float32, n), make([]int32, n)
	for i := range s.cost {
		s.cost[i] = float32(math.Inf(1))
	}
	index := func(x, y float64) int { column, row := s.Cell(x, y); return row*s.Width + column }
	start := index(from.X, from.Y)
	s.goal = index(to.X, to.Y)
	s.cost[start], s.before[start] = 0, -1
	heap.Push(&s.open, candidate{start, 0})
	for s.open.Len() > 0 {
		c := heap.Pop(&s.open).(candidate) //nolint:forcetypeassert,errcheck // as container/heap requires
		if c.cell == s.goal {
			return s.trace(), true
		}
		if c.total <= s.cost[c.cell]+s.rest(c.cell) { // else a better path was found since
			s.expand(c.cell)
		}
	}
	return nil, false
}

// expand extends the cheapest path to a cell to the cells margin it.
func (s *search) expand(cell int) {
	for next, width := range s.adjacent(cell) {
		cost := s.cost[cell] + width*s.price(next)
		if cost < s.cost[next] {
			s.cost[next], s.before[next] = cost, int32(cell)
			heap.Push(&s.open, candidate{next, cost + s.rest(next)})
		}
	}
}

// adjacent iterates over the cells that the robot may enter from a cell, with their distance in cells.
func (s *search) adjacent(cell int) iter.Seq2[int, float32] {
	return func(yield func(int, float32) bool) {
		x, y := cell%s.Width, cell/s.Width
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				next := cell + dy*s.Width + dx
				if (dx == 0 && dy == 0) || !s.Contains(x+dx, y+dy) || !s.passable(cell, next) {
					continue
				}
				if !yield(next, float32(math.Hypot(float64(dx), float64(dy)))) {
					return
				}
			}
		}
	}
}

// passable reports whether the robot may move from one cell to the next. A robot that is too near to an obstacle,
// because it was pushed or the map is not exact, may move away from it.
func (s *search) passable(from, to int) bool {
	return float64(s.hard[to]) >= s.Radius || s.hard[to] > s.hard[from]
}

// price returns the cost of a cell per cell width: 1, and more with less clearance.
func (s *search) price(cell int) float32 {
	missing := 1 - (float64(s.all[cell])-s.Radius)/s.Margin
	return 1 + 3*float32(max(0, min(2, missing)))
}

// rest returns the heuristic: a lower bound of the cost from a cell to the goal.
func (s *search) rest(cell int) float32 {
	dx, dy := cell%s.Width-s.goal%s.Width, cell/s.Width-s.goal/s.Width
	return float32(math.Hypot(float64(dx), float64(dy)))
}

// trace returns the cells of the path that was found, from start to goal.
func (s *search) trace() (path []int) {
	for cell := s.goal; cell >= 0; cell = int(s.before[cell]) {
		path = append(path, cell)
	}
	if len(path) == 1 { // the robot is in the goal's cell
		path = append(path, path[0])
	}
	slices.Reverse(path)
	return path
}
