// SPDX-License-Identifier: Apache-2.0

package navigation

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/mapping"
)

// occupiedFrom is the least value of an occupied cell, in percent, as in map_saver.
const occupiedFrom = 65

// clearances holds the distance of each cell to the nearest obstacle, m, from centre to centre; +Inf without obstacles.
type clearances struct {
	mapping.Frame
	distance []float32
}

// clearancesOf returns the exact distances of all cells of a frame to the obstacles of maps, in linear time
// (Felzenszwalb and Huttenlocher, Distance transforms of sampled functions, 2012). Maps may be nil.
func clearancesOf(f mapping.Frame, maps ...*mapping.Map) *clearances {
	c := &clearances{Frame: f, distance: make([]float32, f.Width*f.Height)}
	inf := float32(math.Inf(1))
	for i := range c.distance {
		c.distance[i] = inf
	}
	for _, m := range maps {
		if m != nil {
			c.mark(m)
		}
	}
	column, row := newParabolas(f.Height), newParabolas(f.Width)
	for x := range f.Width {
		column.transform(c.distance[x:], f.Width, f.Height)
	}
	for y := range f.Height {
		row.transform(c.distance[y*f.Width:], 1, f.Width)
	}
	for i, squared := range c.distance {
		c.distance[i] = float32(f.Resolution * math.Sqrt(float64(squared)))
	}
	return c
}

// mark marks the obstacles of a map.
func (c *clearances) mark(m *mapping.Map) {
	for i, v := range m.Cells {
		if v < occupiedFrom {
			continue
		}
		c.block(m, i%m.Width, i/m.Width)
	}
}

// block marks an occupied cell of a map. A cell of a coarser map covers several cells.
func (c *clearances) block(m *mapping.Map, column, row int) {
	x, y := m.Center(column, row)
	reach := max(0, (m.Resolution-c.Resolution)/2)
	left, bottom := c.Cell(x-reach, y-reach)
	right, top := c.Cell(x+reach, y+reach)
	for row := max(0, bottom); row <= min(top, c.Height-1); row++ {
		for column := max(0, left); column <= min(right, c.Width-1); column++ {
			c.distance[row*c.Width+column] = 0
		}
	}
}

// at returns the clearance of a point, m; +Inf outside of the frame.
func (c *clearances) at(x, y float64) float64 {
	column, row := c.Cell(x, y)
	if !c.Contains(column, row) {
		return math.Inf(1)
	}
	return float64(c.distance[row*c.Width+column])
}

// least returns the least clearance along a straight line, m.
func (c *clearances) least(x0, y0, x1, y1 float64) float64 {
	steps := int(math.Ceil(math.Hypot(x1-x0, y1-y0)/(c.Resolution/2))) + 1
	least := math.Inf(1)
	for i := range steps + 1 {
		share := float64(i) / float64(steps)
		least = min(least, c.at(x0+share*(x1-x0), y0+share*(y1-y0)))
	}
	return least
}

// parabolas is the lower envelope of parabolas over a line of cells.
type parabolas struct {
	value []float32 // the line before the transform
	root  []int     // the vertices of the envelope's parabolas
	from  []float64 // start of the interval in which each is the lowest
}

func newParabolas(n int) *parabolas {
	return &parabolas{make([]float32, n), make([]int, n), make([]float64, n+1)}
}

// transform replaces the n values of a line, whose elements are stride apart, by the minimum over all elements of the
// squared distance plus the element's value.
func (p *parabolas) transform(line []float32, stride, n int) {
	k := -1
	for q := range n {
		p.value[q] = line[q*stride]
		if math.IsInf(float64(p.value[q]), 1) {
			continue
		}
		at := math.Inf(-1)
		for k >= 0 {
			if at = p.meet(p.root[k], q); at > p.from[k] {
				break
			}
			k--
			at = math.Inf(-1)
		}
		k++
		p.root[k], p.from[k], p.from[k+1] = q, at, math.Inf(1)
	}
	if k < 0 {
		return // no obstacle in the line
	}
	k = 0
	for q := range n {
		for p.from[k+1] < float64(q) {
			k++
		}
		d := q - p.root[k]
		line[q*stride] = float32(d*d) + p.value[p.root[k]]
	}
}

// meet returns where the parabolas of two cells intersect.
func (p *parabolas) meet(a, b int) float64 {
	rise := float64(p.value[b]) - float64(p.value[a]) + float64(b*b) - float64(a*a)
	return rise / float64(2*(b-a))
}
