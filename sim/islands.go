// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// islands are the units in groups whose members can't touch those of another group before the crowd is sorted again.
// Each island is moved by one goroutine, its members in the order of the world file, so the result is the same as if
// all units were moved by one; and the same for every number of goroutines.
type islands struct {
	list  []island
	root  []int32 // scratch: union-find
	close []bool  // scratch: which may touch another
	slots []int32 // scratch: number of a root's island
	store []int32 // members of all islands
	// steppers are the members of all islands that move in each physics step, for these steps are short.
	steppers []plant
	// dense is set where a large part of all units is one island. Then the islands are found again, by what can touch
	// in few cycles, and are right up to step until: more of them, which more cores share, and fewer to look at in
	// each.
	dense bool
	until int64
}

// denseShare is the inverse of the part of all units that makes a world dense if they are one island.
const denseShare = 8

// island is the range of a group's members in the store, which are in ascending order.
type island struct {
	first, past int32
	timings     [afterOthers + 1]bool // when a member moves
	steppers    struct{ first, past int32 }
}

// members returns the units of island i.
func (g *islands) members(i int) []int32 { return g.store[g.list[i].first:g.list[i].past] }

// stepped returns the members of an island that move in each physics step.
func (g *islands) stepped(l *island) []plant { return g.steppers[l.steppers.first:l.steppers.past] }

// settle finds the islands of the units and notes whom each may touch until the crowd is sorted again.
func (g *islands) settle(s *Simulation) {
	g.until = 0
	g.find(s, s.jobs.approach, func(u *unit) []int32 { return u.contacts })
	largest := int32(0)
	for _, l := range g.list {
		largest = max(largest, l.past-l.first)
	}
	g.dense = largest > 1 && int(largest) >= len(s.units)/denseShare
}

// narrow finds the islands of a dense world for the next cycles, of which the first ends at step to, unless those there
// are right until then.
func (g *islands) narrow(s *Simulation, to int64) {
	if !g.dense || to <= g.until {
		return
	}
	g.until = s.steps + s.maxStep*stepsPerCycle
	g.find(s, s.jobs.meet, func(u *unit) []int32 { return u.meets })
}

// find finds the islands: note(i) notes whom unit i may touch, list returns it.
func (g *islands) find(s *Simulation, note func(i int), list func(u *unit) []int32) {
	n := len(s.units)
	g.root = g.root[:0]
	for i := range n {
		g.root = append(g.root, int32(i))
	}
	g.close = slices.Grow(g.close[:0], n)[:n]
	s.each(n, note)
	for i, close := range g.close {
		if !close {
			continue
		}
		for _, o := range list(s.units[i]) {
			a, b := g.rootOf(int32(i)), g.rootOf(o)
			g.root[max(a, b)] = min(a, b)
		}
	}
	g.sortOut(s.units)
}

// approach notes whom u may touch.
func (u *unit) approach() {
	s := u.sim
	u.contacts = u.contacts[:0]
	s.islands.close[u.place] = false
	if s.anchors[u.place].inAir {
		return
	}
	// Both may come nearer by the crowd's slack; Around allows for one of them.
	u.numbers = s.crowd.Around(s.anchors[u.place].at, u.radius+physics.BodyRadius+physics.CrowdSlack, u.numbers[:0])
	for _, n := range u.numbers {
		if int(n) != u.place {
			u.contacts = append(u.contacts, n)
		}
	}
	s.islands.close[u.place] = len(u.contacts) > 0
}

// meet notes whom u may touch in the cycles of the longest step.
func (u *unit) meet() {
	s, at := u.sim, u.position()
	u.meets = u.meets[:0]
	for _, n := range u.contacts {
		o := s.units[n]
		reach := u.radius + o.radius + float64(float64(s.maxStep)*(u.maxWay+o.maxWay))
		if v := o.position().Sub(at); v.Dot(v) < float64(reach*reach) {
			u.meets = append(u.meets, n)
		}
	}
	s.islands.close[u.place] = len(u.meets) > 0
}

func (g *islands) rootOf(i int32) int32 {
	for g.root[i] != i {
		g.root[i] = g.root[g.root[i]]
		i = g.root[i]
	}
	return i
}

// sortOut makes the lists from the roots.
func (g *islands) sortOut(units []*unit) {
	n := len(units)
	g.list, g.slots = g.list[:0], append(g.slots[:0], make([]int32, n)...)
	size := g.slots // of each root's island, and then its number
	for i := range n {
		size[g.rootOf(int32(i))]++
	}
	g.store = slices.Grow(g.store[:0], n)[:n]
	used := int32(0)
	for i := range n {
		if g.root[i] == int32(i) {
			first := used
			used += size[i]
			size[i] = int32(len(g.list))
			g.list = append(g.list, island{first: first, past: first})
		}
	}
	for i := range n {
		l := &g.list[size[g.rootOf(int32(i))]]
		g.store[l.past] = int32(i)
		l.past++
		l.timings[units[i].timing] = true
	}
	g.steppers = g.steppers[:0]
	for k := range g.list {
		if l := &g.list[k]; l.timings[eachStep] {
			g.findSteppers(l, units)
		}
	}
}

func (g *islands) findSteppers(l *island, units []*unit) {
	l.steppers.first = int32(len(g.steppers))
	for _, m := range g.store[l.first:l.past] {
		if u := units[m]; u.timing == eachStep {
			g.steppers = append(g.steppers, u.plant)
		}
	}
	l.steppers.past = int32(len(g.steppers))
}
