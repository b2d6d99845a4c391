// SPDX-License-Identifier: Apache-2.0

package mapping

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Values of a cell that are not a probability in percent.
const (
	// Unknown is a cell of which nothing is known.
	Unknown int8 = -1
	// Free is a cell that is certainly free.
	Free int8 = 0
	// Occupied is a cell that is certainly occupied.
	Occupied int8 = 100
)

var (
	// ErrSize is matched when a map would be larger than [MaxCells], or has no size at all.
	ErrSize = errors.New("mapping: size of the map")
	// errBeam is matched by a reading that no sensor can give.
	errBeam = errors.New("mapping: impossible reading")
)

// MaxCells bounds the number of cells of a map: 40 m by 40 m with cells of 1 cm.
const MaxCells = 16_000_000

// Frame is the place and the resolution of the cells of a map.
type Frame struct {
	// Resolution is the edge of a cell, m.
	Resolution float64
	// X and Y are the lower left corner of cell (0, 0), m.
	X, Y float64
	// Width and Height are the numbers of cells along x and y.
	Width, Height int
}

// Cell gives the column and row of the cell that holds a point. They are outside of the map if the point is.
func (f Frame) Cell(x, y float64) (column, row int) {
	return int(math.Floor((x - f.X) / f.Resolution)), int(math.Floor((y - f.Y) / f.Resolution))
}

// Center gives the middle of a cell, m.
func (f Frame) Center(column, row int) (x, y float64) {
	return f.X + (float64(column)+0.5)*f.Resolution, f.Y + (float64(row)+0.5)*f.Resolution
}

// Contains reports whether a cell is in the map.
func (f Frame) Contains(column, row int) bool {
	return column >= 0 && row >= 0 && column < f.Width && row < f.Height
}

// Check returns an error that matches [ErrSize] for a frame that cannot be.
func (f Frame) Check() error {
	switch {
	case !(f.Resolution > 0) || math.IsInf(f.Resolution, 0):
		return fmt.Errorf("%w: cells of %v m", ErrSize, f.Resolution)
	case f.Width <= 0 || f.Height <= 0 || f.Width > MaxCells/f.Height:
		return fmt.Errorf("%w: %d × %d cells, at most %d together", ErrSize, f.Width, f.Height, MaxCells)
	case !finite(f.X) || !finite(f.Y):
		return fmt.Errorf("%w: origin (%v, %v)", ErrSize, f.X, f.Y)
	}
	return nil
}

// Map is a finished map. Rows go from the lowest y up, as in nav_msgs/OccupancyGrid.
type Map struct {
	Frame
	// Cells holds Width · Height values: 0 free to 100 occupied, in percent, or [Unknown].
	Cells []int8
}

// NewMap returns a map of which nothing is known. The error matches [ErrSize].
func NewMap(f Frame) (*Map, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	m := &Map{Frame: f, Cells: make([]int8, f.Width*f.Height)}
	for i := range m.Cells {
		m.Cells[i] = Unknown
	}
	return m, nil
}

// At gives a cell's value, [Unknown] outside of the map.
func (m *Map) At(column, row int) int8 {
	if !m.Contains(column, row) {
		return Unknown
	}
	return m.Cells[row*m.Width+column]
}

// set gives a cell a value; outside of the map it does nothing.
func (m *Map) set(column, row int, v int8) {
	if m.Contains(column, row) {
		m.Cells[row*m.Width+column] = v
	}
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Clone gives a copy.
func (m *Map) Clone() *Map {
	c := *m
	c.Cells = slices.Clone(m.Cells)
	return &c
}

// In gives the same map in another frame of the same resolution, whose cells are taken to be on the same grid: what is
// outside is cut off, what is new is unknown.
func (m *Map) In(f Frame) *Map {
	to := &Map{Frame: f, Cells: make([]int8, f.Width*f.Height)}
	for i := range to.Cells {
		to.Cells[i] = m.At(m.Cell(f.Center(i%f.Width, i/f.Width)))
	}
	return to
}
