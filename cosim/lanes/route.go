// SPDX-License-Identifier: Apache-2.0

package lanes

import (
	"container/heap"
	"fmt"
	"slices"
)

// minSpeed is the least speed that travel times are computed with, m/s.
const minSpeed = 1e-3

// minorPenalty is what SUMO adds to travel times through junctions where others have the right of way, s.
const minorPenalty = 1.5

// TravelTime is how long the edge takes at the speed of its fastest lane, s.
func (e *Edge) TravelTime() float64 {
	if len(e.Lanes) == 0 {
		return 0
	}
	fastest := minSpeed
	for _, l := range e.Lanes {
		fastest = max(fastest, l.Speed)
	}
	return e.Lanes[0].Length/fastest + e.Lanes[0].penalty
}

// Length is that of the edge, m.
func (e *Edge) Length() float64 {
	if len(e.Lanes) == 0 {
		return 0
	}
	return e.Lanes[0].Length
}

// To returns a link from the edge to another one, nil if there is none.
func (e *Edge) To(next *Edge) *Link {
	for _, lane := range e.Lanes {
		if l := lane.To(next); l != nil {
			return l
		}
	}
	return nil
}

// To returns a link from the lane to an edge, nil if there is none.
func (l *Lane) To(next *Edge) *Link {
	for _, link := range l.Links {
		if link.To.Edge == next {
			return link
		}
	}
	return nil
}

// crossing is how long a link's way in the junction takes, s.
func (l *Link) crossing() (sum float64) {
	for _, lane := range l.Inside() {
		sum += lane.Length/max(minSpeed, lane.Speed) + lane.penalty
	}
	return sum
}

// Measure returns how long a route is, m, and how long it takes at the speeds of the lanes, s. Two edges that follow
// each other without a link are ErrNoRoute.
func Measure(route []*Edge) (length, seconds float64, err error) {
	for i, e := range route {
		length, seconds = length+e.Length(), seconds+e.TravelTime()
		if i+1 == len(route) {
			break
		}
		l := e.To(route[i+1])
		if l == nil {
			return 0, 0, fmt.Errorf("%w: no connection between edge %q and edge %q", ErrNoRoute, e.ID, route[i+1].ID)
		}
		length, seconds = length+l.Length(), seconds+l.crossing()
	}
	return length, seconds, nil
}

// Route returns the fastest route between two edges, both of them included; of equal ones the first by name.
func (n *Net) Route(from, to *Edge) ([]*Edge, error) {
	best := map[*Edge]*visit{}
	todo := &queue{{edge: from, seconds: from.TravelTime()}}
	for todo.Len() > 0 {
		v, _ := heap.Pop(todo).(*visit)
		if best[v.edge] != nil {
			continue
		}
		best[v.edge] = v
		if v.edge == to {
			return v.route(), nil
		}
		for _, lane := range v.edge.Lanes {
			for _, l := range lane.Links {
				if best[l.To.Edge] == nil {
					heap.Push(todo, &visit{l.To.Edge, v, v.seconds + l.crossing() + l.To.Edge.TravelTime()})
				}
			}
		}
	}
	return nil, fmt.Errorf("%w from edge %q to edge %q", ErrNoRoute, from.ID, to.ID)
}

// visit is an edge with the time at which a vehicle has passed it, s.
type visit struct {
	edge    *Edge
	before  *visit
	seconds float64
}

func (v *visit) route() (route []*Edge) {
	for ; v != nil; v = v.before {
		route = append(route, v.edge)
	}
	slices.Reverse(route)
	return route
}

// queue has the earliest visit first.
type queue []*visit

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return q[i].seconds < q[j].seconds || q[i].seconds == q[j].seconds && q[i].edge.ID < q[j].edge.ID
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any) {
	if v, ok := x.(*visit); ok {
		*q = append(*q, v)
	}
}
func (q *queue) Pop() any {
	last := len(*q) - 1
	v := (*q)[last]
	*q = (*q)[:last]
	return v
}
