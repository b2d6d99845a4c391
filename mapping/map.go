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
	// Unknown is a cell without evidence.
	Unknown int8 = -1
	// Free is the value of a cell that is free with certainty.
	Free int8 = 0
	// Occupied is the value of a cell that is occupied with certainty.
	Occupied int8 = 100
)

var (
	// ErrSize is matched when a map would be larger than [MaxCells], or has no size at all.
	ErrSize = errors.New("mapping: size of the map")
	// errBeam is matched by a reading that no sensor can measure.
	errBeam = errors.New("mapping: impossible reading")
)

// MaxCells is the maximum number of cells of a map: 40 m by 40 m with cells of 1 cm.
const MaxCells = 16_000_000

// Frame is the position, resolution and size of a map.
type Frame struct {
	// Resolution is the edge of a cell, m.
	Resolution float64
	// X and Y are the lower left corner of cell (0, 0), m.
	X, Y float64
	// Width and Height are the numbers of cells along x and y.
	Width, Height int
}

// Cell returns the column and row of the cell that contains a point, m. They are outside of the map if the point is.
func (f Frame) Cell(x, y float64) (column, row int) {
	return int(math.Floor((x - f.X) / f.Resolution)), int(math.Floor((y - f.Y) / f.Resolution))
}

// Center returns the centre of a cell, m.
func (f Frame) Center(column, row int) (x, y float64) {
	return f.X + (float64(column)+0.5)*f.Resolution, f.Y + (float64(row)+0.5)*f.Resolution
}

// Contains reports whether a cell is in the map.
func (f Frame) Contains(column, row int) bool {
	return column >= 0 && row >= 0 && column < f.Width && row < f.Height
}

// Check returns an error that matches [ErrSize] for an invalid frame.
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

// Map is an occupancy grid. Rows are ordered by increasing y, as in nav_msgs/OccupancyGrid.
type Map struct {
	Frame
	// Cells holds Width · Height values: 0 free to 100 occupied, in percent, or [Unknown].
	Cells []int8
}

// NewMap returns a map whose cells are all unknown. The error matches [ErrSize].
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

// At returns a cell's value, [Unknown] outside of the map.
func (m *Map) At(column, row int) int8 {
	if !m.Contains(column, row) {
		return Unknown
	}
	return m.Cells[row*m.Width+column]
}

// set sets a cell's value; outside of the map it has no effect.
func (m *Map) set(column, row int, v int8) {
	if m.Contains(column, row) {
		m.Cells[row*m.Width+column] = v
	}
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Clone returns a copy.
func (m *Map) Clone() *Map {
	c := *m
	c.Cells = slices.Clone(m.Cells)
	return &c
}

// In returns the map in another frame of the same resolution and on the same grid: cells outside of it are dropped,
// new ones are unknown.
func (m *Map) In(f Frame) *Map {
	to := &Map{Frame: f, Cells: make([]int8, f.Width*f.Height)}
	for i := range to.Cells {
		to.Cells[i] = m.At(m.Cell(f.Center(i%f.Width, i/f.Width)))
	}
	return to
}
