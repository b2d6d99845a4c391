// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"slices"
)

// islands are the members in groups that can't touch another group before [Kernel.Group] is called again.
// Each island is moved by one goroutine, its members in the order of their numbers, so the result is the same as if
// all were moved by one; and the same for every number of goroutines.
type islands struct {
	list  []island
	root  []int32   // scratch: union-find
	near  [][]int32 // scratch: whom each may touch
	slots []int32   // scratch: number of a root's island
	store []int32   // members of all islands
	// steppers are the members of all islands that move in each physics step, for these steps are short.
	steppers []Stepper
	// dense is set where a large part of all members is one island. Then the islands are found again, by what can touch
	// in few cycles, and are right up to step until: more of them, which more cores share, and fewer to look at in
	// each.
	dense bool
	until int64
}

// denseShare is the inverse of the part of all members that makes a world dense if they are one island.
const denseShare = 8

// island is the range of a group's members in the store, which are in ascending order.
type island struct {
	first, past int32
	timings     [afterOthers + 1]bool // when a member moves
	steppers    struct{ first, past int32 }
}

// members returns the members of island i.
func (g *islands) members(i int) []int32 { return g.store[g.list[i].first:g.list[i].past] }

// stepped returns the members of an island that move in each physics step.
func (g *islands) stepped(l *island) []Stepper { return g.steppers[l.steppers.first:l.steppers.past] }

// Group finds the islands of all members, by what [World.Near] returns. [World.Sort] calls it when the places of all are
// sorted.
func (k *Kernel) Group() {
	g := &k.islands
	g.until = 0
	k.find(k.jobs.approach)
	largest := int32(0)
	for _, l := range g.list {
		largest = max(largest, l.past-l.first)
	}
	g.dense = largest > 1 && int(largest) >= len(k.bodies)/denseShare
}

// Narrow reports whether the present islands are those of a dense world for the next cycles: whom a member may touch is
// what the latest call of [World.Meet] returned, else that of [World.Near].
func (k *Kernel) Narrow() bool { return k.islands.until > 0 }

// narrow finds the islands of a dense world for the next cycles, of which the first ends at step to, unless those there
// are right until then.
func (k *Kernel) narrow(to int64) {
	if g := &k.islands; g.dense && to > g.until {
		g.until = k.steps + k.longest*StepsPerCycle
		k.find(k.jobs.meet)
	}
}

// find finds the islands; note(i) notes whom member i may touch.
func (k *Kernel) find(note func(i int)) {
	g, n := &k.islands, len(k.bodies)
	g.root = g.root[:0]
	for i := range n {
		g.root = append(g.root, int32(i))
	}
	g.near = slices.Grow(g.near[:0], n)[:n]
	k.Each(n, note)
	for i, near := range g.near {
		for _, o := range near {
			a, b := g.rootOf(int32(i)), g.rootOf(o)
			g.root[max(a, b)] = min(a, b)
		}
	}
	g.sortOut(k.timings, k.steppers)
}

func (g *islands) rootOf(i int32) int32 {
	for g.root[i] != i {
		g.root[i] = g.root[g.root[i]]
		i = g.root[i]
	}
	return i
}

// sortOut makes the lists from the roots.
func (g *islands) sortOut(timings []timing, steppers []Stepper) {
	n := len(timings)
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
		l.timings[timings[i]] = true
	}
	g.steppers = g.steppers[:0]
	for k := range g.list {
		if l := &g.list[k]; l.timings[eachStep] {
			g.findSteppers(l, steppers)
		}
	}
}

func (g *islands) findSteppers(l *island, steppers []Stepper) {
	l.steppers.first = int32(len(g.steppers))
	for _, m := range g.store[l.first:l.past] {
		if s := steppers[m]; s != nil {
			g.steppers = append(g.steppers, s)
		}
	}
	l.steppers.past = int32(len(g.steppers))
}
