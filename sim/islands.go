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
	close []bool  // scratch: who may touch another
	slots []int32 // scratch: number of a root's island
	store []int32 // members of all islands
}

// island is where a group's members stand in the store, in ascending order. The largest may come anywhere.
type island struct{ first, past int32 }

// members returns the units of island i.
func (g *islands) members(i int) []int32 { return g.store[g.list[i].first:g.list[i].past] }

// settle finds the islands of the units and notes whom each may touch.
func (g *islands) settle(s *Simulation) {
	n := len(s.units)
	g.root = g.root[:0]
	for i := range n {
		g.root = append(g.root, int32(i))
	}
	g.close = slices.Grow(g.close[:0], n)[:n]
	s.each(n, s.jobs.approach)
	for i, close := range g.close {
		if !close {
			continue
		}
		for _, o := range s.units[i].contacts {
			a, b := g.find(int32(i)), g.find(o)
			g.root[max(a, b)] = min(a, b)
		}
	}
	g.sortOut(n)
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
	u.numbers = s.crowd.Around(s.anchors[u.place].at, 2*physics.BodyRadius+physics.CrowdSlack, u.numbers[:0])
	for _, n := range u.numbers {
		if int(n) != u.place {
			u.contacts = append(u.contacts, n)
		}
	}
	s.islands.close[u.place] = len(u.contacts) > 0
}

func (g *islands) find(i int32) int32 {
	for g.root[i] != i {
		g.root[i] = g.root[g.root[i]]
		i = g.root[i]
	}
	return i
}

// sortOut makes the lists from the roots.
func (g *islands) sortOut(n int) {
	g.list, g.slots = g.list[:0], append(g.slots[:0], make([]int32, n)...)
	size := g.slots // of each root's island, and then its number
	for i := range n {
		size[g.find(int32(i))]++
	}
	g.store = slices.Grow(g.store[:0], n)[:n]
	used := int32(0)
	for i := range n {
		if g.root[i] == int32(i) {
			first := used
			used += size[i]
			size[i] = int32(len(g.list))
			g.list = append(g.list, island{first, first})
		}
	}
	for i := range n {
		l := &g.list[size[g.find(int32(i))]]
		g.store[l.past] = int32(i)
		l.past++
	}
}
