// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"sync/atomic"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/kernel"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// Spot is where a robot is.
type Spot struct {
	At    geom.Vec
	InAir bool
	Disc  bool // it is a disc of physics.BodyRadius; else the scene has its solids
}

// Body is a robot's size and speed, as the grid allows for them.
type Body struct {
	Radius float64 // of the disc that holds its solids, m
	MaxWay float64 // more than it moves in an infrared cycle, m
}

const (
	// CycleWay is more than a body with wheels as drawn moves in an infrared cycle, m: 1100 steps/s make 1.4 mm.
	CycleWay = 0.002
	// stepWay is how far a body may move in a step of several cycles, m.
	stepWay = kernel.MaxStep * CycleWay
)

// Grid finds robots near a place. It has two places of each: where it was at the latest infrared cycle, which others
// measure, and where it was when the grid was sorted. It must be sorted again before one is farther from there than
// [physics.CrowdSlack].
type Grid struct {
	crowd      physics.Crowd
	spots      []Spot // at the latest infrared cycle, close together in memory, for others look at them
	anchors    []Spot // where the crowd has them
	radii      []float64
	maxStep    int64
	strayLimit float64     // square of how far a robot may move before the crowd is sorted again, m²
	scattered  atomic.Bool // the crowd must be sorted before it is used
}

// Measure takes over what the robots are like, of which some were added or removed. From the largest way follow how many
// infrared cycles a step may have, which it returns, and how far a robot may move until the grid is sorted again.
func (g *Grid) Measure(bodies []Body) (maxStep int64) {
	way := CycleWay
	g.radii = g.radii[:0]
	for _, b := range bodies {
		way = max(way, b.MaxWay)
		g.radii = append(g.radii, b.Radius)
	}
	g.crowd.SetRadii(g.radii)
	g.maxStep = max(1, min(kernel.MaxStep, int64(stepWay/way+1e-9)))
	limit := max(0, physics.CrowdSlack-float64(float64(g.maxStep)*way))
	g.strayLimit = float64(limit * limit)
	g.Scatter()
	return g.maxStep
}

// Radii returns the radii of all robots, m.
func (g *Grid) Radii() []float64 { return g.radii }

// Scatter notes that a robot was moved by more than it drives: the grid must be sorted before it is used.
func (g *Grid) Scatter() { g.scattered.Store(true) }

// Scattered reports whether the grid must be sorted before it is used.
func (g *Grid) Scattered() bool { return g.scattered.Load() }

// Sort sorts n robots by where they are now. noted is where each was at the latest infrared cycle.
func (g *Grid) Sort(n int, now, noted func(i int) Spot) {
	g.spots = g.spots[:0]
	for i := range n {
		g.spots = append(g.spots, now(i))
	}
	g.SortNoted()
	for i := range n {
		g.spots[i] = noted(i)
	}
}

// SortNoted sorts the robots by where they are at the latest infrared cycle, as all have noted.
func (g *Grid) SortNoted() {
	g.scattered.Store(false)
	g.anchors = append(g.anchors[:0], g.spots...)
	g.crowd.Sort(len(g.anchors), func(i int) (geom.Vec, bool) { return g.anchors[i].At, !g.anchors[i].InAir })
}

// Anchor returns where robot i was when the grid was sorted.
func (g *Grid) Anchor(i int) *Spot { return &g.anchors[i] }

// MaxStep returns how many infrared cycles a step may have: what Measure returned.
func (g *Grid) MaxStep() int64 { return g.maxStep }

// Note notes where robot i is at the end of an infrared cycle.
func (g *Grid) Note(i int, s Spot) { g.spots[i] = s }

// Spot returns where robot i was at the latest infrared cycle.
func (g *Grid) Spot(i int32) *Spot { return &g.spots[i] }

// Strayed notes that the grid must be sorted before the next step if robot i, now at a place, has moved too far. The
// limit is below the crowd's slack by more than a body moves in a step.
func (g *Grid) Strayed(i int, at geom.Vec) {
	// Storing takes the line of the cache from all others, so only one does it.
	if way := at.Sub(g.anchors[i].At); way.Dot(way) > g.strayLimit && !g.scattered.Load() {
		g.scattered.Store(true)
	}
}

// Crowd returns the robots where they were sorted.
func (g *Grid) Crowd() *physics.Crowd { return &g.crowd }
