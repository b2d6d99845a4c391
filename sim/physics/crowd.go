// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

const (
	// crowdCell is the side of a cell of a crowd's grid unless CrowdFor has made it, m: about twice the reach of an
	// infrared sensor, so that most questions look at two rows of two cells.
	crowdCell = 0.36
	// CrowdSlack is how far a body may move after Crowd.Sort before the crowd must be sorted again, m.
	CrowdSlack = 0.06
)

// Crowd knows where the bodies of a world are. They are sorted into the cells of a grid without bounds, so that finding
// those near a place costs the same among thousands as among ten.
//
// Bodies move on after [Crowd.Sort]: a question allows for [CrowdSlack] of that, so its answer may name bodies that are
// too far away, and leaves none out (TestCrowdAround, TestCrowdAlong). A question is for bodies of [BodyRadius]: a
// larger body counts as nearer by as much as its radius is larger. Reading is safe for concurrent use.
type Crowd struct {
	perCell float64 // the inverse of a cell's side, 1/m; 0: of crowdCell
	mask    uint32
	starts  []int32 // of each bucket in members, and the end
	members []member
	home    []uint32  // scratch: bucket of each body
	excess  []float64 // of each body's radius over BodyRadius, m; empty: none has any
	widest  float64   // the greatest of them
}

// member is a body in its cell.
type member struct {
	row    int32
	number int32
	at     geom.Vec
}

// nowhere is the bucket of what is not in the crowd.
const nowhere = ^uint32(0)

// CrowdFor returns a crowd for questions that reach so far (m): in cells for less, they would look at many, empty ones
// most of them.
func CrowdFor(reach float64) Crowd { return Crowd{perCell: 1 / max(crowdCell, reach)} }

func (c *Crowd) cellOf(v float64) int32 {
	i := int32(v * c.perCell)
	if v < 0 {
		i--
	}
	return i
}

// bucket spreads the rows of cells over the buckets. Cells side by side have buckets side by side, but for the last and
// the first, so that a question looks at one run of members a row.
func (c *Crowd) bucket(x, y int32) uint32 {
	h := uint32(y) * 0x9e3779b1
	return (uint32(x) + (h ^ h>>15)) & c.mask
}

// SetRadii sets the radii of the bodies that Sort takes in, m; none stand for BodyRadius each. They count from the next
// Sort on.
func (c *Crowd) SetRadii(radii []float64) {
	c.excess, c.widest = c.excess[:0], 0
	for _, r := range radii {
		c.excess = append(c.excess, max(0, r-BodyRadius))
		c.widest = max(c.widest, r-BodyRadius)
	}
	if c.widest == 0 {
		c.excess = c.excess[:0]
	}
}

// Sort takes in where n bodies are: at gives the middle of body i (m), and whether it is there at all.
func (c *Crowd) Sort(n int, at func(i int) (geom.Vec, bool)) {
	if c.perCell == 0 {
		c.perCell = 1 / crowdCell
	}
	buckets := 16
	for buckets < 2*n {
		buckets *= 2
	}
	c.mask = uint32(buckets - 1)
	c.starts = resized(c.starts, buckets+1)
	clear(c.starts)
	c.home = resized(c.home, n)
	c.members = resized(c.members, n)
	total := int32(0)
	for i := range n {
		p, there := at(i)
		if !there {
			c.home[i] = nowhere
			continue
		}
		c.home[i] = c.bucket(c.cellOf(p.X), c.cellOf(p.Y))
		c.starts[c.home[i]+1]++
		total++
	}
	for b := range buckets {
		c.starts[b+1] += c.starts[b]
	}
	c.members = c.members[:total]
	for i := n - 1; i >= 0; i-- { // from the back, so that each bucket is in the bodies' order
		if c.home[i] == nowhere {
			continue
		}
		p, _ := at(i)
		end := &c.starts[c.home[i]+1]
		*end--
		c.members[*end] = member{c.cellOf(p.Y), int32(i), p}
	}
	// The ends have become beginnings, one place too far on.
	copy(c.starts, c.starts[1:])
	c.starts[buckets] = total
}

// resized returns a slice of n elements in the memory of s if that is enough.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}

// Around appends the numbers of all bodies whose middles may be within reach (m) of p, in ascending order.
func (c *Crowd) Around(p geom.Vec, reach float64, dst []int32) []int32 {
	if len(c.members) == 0 {
		return dst
	}
	from := len(dst)
	reach += CrowdSlack
	q := question{p, reach, float64(reach * reach)}
	if c.widest > 0 {
		reach += c.widest
		q.limit = float64(reach * reach)
	}
	first, last := c.cellOf(p.X-reach), c.cellOf(p.X+reach)
	for y, end := c.cellOf(p.Y-reach), c.cellOf(p.Y+reach); y <= end; y++ {
		from, past := c.bucket(first, y), c.bucket(last, y)+1
		switch {
		case uint32(last-first) >= c.mask:
			dst = c.run(0, c.mask+1, y, &q, dst)
		case from < past:
			dst = c.run(from, past, y, &q, dst)
		default: // round the end
			dst = c.run(from, c.mask+1, y, &q, dst)
			dst = c.run(0, past, y, &q, dst)
		}
	}
	slices.Sort(dst[from:])
	return dst
}

// question is one of Around: the bodies within reach (m) of a place, the widest within the root of limit.
type question struct {
	at           geom.Vec
	reach, limit float64
}

// run appends the members of a row in some buckets that a question is for.
func (c *Crowd) run(from, past uint32, row int32, q *question, dst []int32) []int32 {
	list, at, limit, equal := c.members[c.starts[from]:c.starts[past]], q.at, q.limit, len(c.excess) == 0
	for i := range list {
		m := &list[i]
		if m.row != row {
			continue
		}
		v := m.at.Sub(at)
		if d := v.Dot(v); d <= limit && (equal || c.within(m.number, q, d)) {
			dst = append(dst, m.number)
		}
	}
	return dst
}

// within reports whether a question is for body i, the square of whose distance is dd, m².
func (c *Crowd) within(i int32, q *question, dd float64) bool {
	near := q.reach + c.excess[i]
	return dd <= float64(near*near)
}

// Along appends the numbers of all bodies whose middles may be within reach (m) of the straight line between two
// points, in ascending order.
func (c *Crowd) Along(from, to geom.Vec, reach float64, dst []int32) []int32 {
	if len(c.members) == 0 {
		return dst
	}
	first := len(dst)
	way := to.Sub(from)
	length := way.Norm()
	wide := reach + CrowdSlack
	radius := float64(1.4143*wide) - CrowdSlack // circles 2·wide apart, √2 as large, cover what is wide to both sides
	for d := 0.0; ; d = min(d+2*wide, length) {
		at := from
		if d > 0 {
			at = from.Add(way.Scale(d / length))
		}
		dst = c.Around(at, radius, dst)
		if d >= length {
			break
		}
	}
	slices.Sort(dst[first:])
	return dst[:first+len(slices.Compact(dst[first:]))]
}
