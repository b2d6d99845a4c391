// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/epuck-ros2/epuck-driver/sim/physics"

// islands are the units in groups whose members can't touch those of another group before the crowd is sorted again.
// Each island is moved by one goroutine, its members in the order of the world file, so the result is the same as if
// all units were moved by one; and the same for every number of goroutines.
type islands struct {
	list  [][]int32 // the largest may come anywhere; each in ascending order
	root  []int32   // scratch: union-find
	slots []int32   // scratch: number of a root's island
	store []int32   // memory of the lists
}

// settle finds the islands of the units and notes whom each may touch.
func (g *islands) settle(s *Simulation) {
	n := len(s.units)
	g.root = g.root[:0]
	for i := range n {
		g.root = append(g.root, int32(i))
	}
	s.each(n, s.jobs.approach)
	for i, u := range s.units {
		for _, o := range u.contacts {
			a, b := g.find(int32(i)), g.find(o)
			g.root[max(a, b)] = min(a, b)
		}
	}
	g.sortOut(n)
}

// approach notes whom u may touch.
func (u *unit) approach() {
	u.contacts = u.contacts[:0]
	if u.inAir {
		return
	}
	s := u.sim
	// Both may come nearer by the crowd's slack; Around allows for one of them.
	u.numbers = s.crowd.Around(u.body.Position(), 2*physics.BodyRadius+physics.CrowdSlack, u.numbers[:0])
	for _, n := range u.numbers {
		if int(n) != u.place {
			u.contacts = append(u.contacts, n)
		}
	}
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
	size := g.slots // of each root's island, and then its number + 1
	for i := range n {
		size[g.find(int32(i))]++
	}
	if cap(g.store) < n {
		g.store = make([]int32, n+n/2)
	}
	used := int32(0)
	for i := range n {
		if g.root[i] == int32(i) {
			members := g.store[used : used : used+size[i]]
			used += size[i]
			size[i] = int32(len(g.list))
			g.list = append(g.list, members)
		}
	}
	for i := range n {
		l := &g.list[size[g.find(int32(i))]]
		*l = append(*l, int32(i))
	}
}
