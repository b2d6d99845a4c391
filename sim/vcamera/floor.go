// SPDX-License-Identifier: Apache-2.0

package vcamera

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// Ground is a floor with things painted on it; *physics.Floor is one.
type Ground interface {
	// At returns the reflectance at a point, 0 to 1.
	At(p geom.Vec) float64
	// Extent returns the corners of what is painted, m, if anything is.
	Extent() (low, high geom.Vec, painted bool)
}

const (
	// cellSize is the side of a square of the floor that is looked at once, m.
	cellSize = 0.004
	// maxCells bounds them. On a larger floor, over 64 m², each point is looked at by itself, which takes longer.
	maxCells = 4 << 20
	// probes is how many points of a cell's side are compared to find whether it is all of one colour.
	probes = 5
)

// A cell's value: a reflectance of 0 to 255, or one of these.
const (
	unknown = 0xFFFF - iota // not looked at yet
	varied                  // several colours: each point is looked at by itself
)

// Floor remembers what a Ground looks like, square by square, as far as a robot has looked. Details of less than 1 mm
// may be lost. One goroutine may use it at a time.
type Floor struct {
	ground        Ground
	bare          uint16
	large         bool // no cells
	low           geom.Vec
	columns, rows int
	cells         []uint16
}

// NewFloor returns the look of a floor that does not change.
func NewFloor(g Ground) *Floor {
	low, high, painted := g.Extent()
	f := &Floor{ground: g, low: low}
	if !painted {
		f.bare = f.point(geom.Vec{})
		return f
	}
	f.bare = f.point(geom.Vec{X: low.X - 1, Y: low.Y - 1})
	size := high.Sub(low).Scale(1 / cellSize)
	if size.X > maxCells || size.Y > maxCells || math.Ceil(size.X)*math.Ceil(size.Y) > maxCells {
		f.large = true
		return f
	}
	f.columns, f.rows = int(math.Ceil(size.X)), int(math.Ceil(size.Y))
	f.cells = make([]uint16, f.columns*f.rows)
	for i := range f.cells {
		f.cells[i] = unknown
	}
	return f
}

// point returns the reflectance at p, 0 to 255.
func (f *Floor) point(p geom.Vec) uint16 {
	return uint16(math.Round(255 * math.Max(0, math.Min(1, f.ground.At(p)))))
}

// at returns the reflectance at p, 0 to 255.
func (f *Floor) at(p geom.Vec) uint16 {
	if f.large {
		return f.point(p)
	}
	x, y := (p.X-f.low.X)*(1/cellSize), (p.Y-f.low.Y)*(1/cellSize)
	if !(x >= 0 && y >= 0 && x < float64(f.columns) && y < float64(f.rows)) {
		return f.bare
	}
	i := int(y)*f.columns + int(x)
	v := f.cells[i]
	if v == unknown {
		v = f.colourOf(int(x), int(y))
		f.cells[i] = v
	}
	if v == varied {
		return f.point(p)
	}
	return v
}

// colourOf finds out whether a cell is all of one colour. It looks a little beyond the cell, so that edges just outside
// count.
func (f *Floor) colourOf(column, row int) uint16 {
	first := uint16(unknown)
	for i := range probes * probes {
		part := func(k int) float64 { return float64(float64(k)*1.1/(probes-1)) - 0.05 }
		v := f.point(geom.Vec{
			X: f.low.X + float64((float64(column)+part(i%probes))*cellSize),
			Y: f.low.Y + float64((float64(row)+part(i/probes))*cellSize),
		})
		if first == unknown {
			first = v
		}
		if v != first {
			return varied
		}
	}
	return first
}
