// SPDX-License-Identifier: Apache-2.0

package mapping

import (
	"fmt"
	"math"
	"slices"
)

// Inverse returns the inverse transform: the pose of p's parent frame in p.
func (p Pose) Inverse() Pose {
	s, c := math.Sincos(p.Theta)
	return Pose{X: -c*p.X - s*p.Y, Y: s*p.X - c*p.Y, Theta: -p.Theta}
}

// Moved returns the map in another frame, in which its own frame has a pose. A rotated map has new cells, of the same
// size and parallel to the axes: each has the value of the old cell at its centre, and one that contains the centre
// of an occupied cell is occupied, so no obstacle is lost. The error matches [ErrSize] if the pose is not finite, or
// if the bounding box of the rotated map has more than [MaxCells].
func (m *Map) Moved(by Pose) (*Map, error) {
	if !finite(by.X) || !finite(by.Y) || !finite(by.Theta) {
		return nil, fmt.Errorf("%w: it is moved by (%v, %v, %v)", ErrSize, by.X, by.Y, by.Theta)
	}
	if math.Remainder(by.Theta, 2*math.Pi) == 0 {
		to := &Map{Frame: m.Frame, Cells: m.Cells}
		to.X, to.Y = m.X+by.X, m.Y+by.Y
		return to, to.Check()
	}
	to, err := NewMap(m.around(by))
	if err != nil {
		return nil, fmt.Errorf("turned by %.4g rad: %w", by.Theta, err)
	}
	back := by.Inverse()
	for i := range to.Cells {
		x, y := to.Center(i%to.Width, i/to.Width)
		p := back.Plus(Pose{X: x, Y: y})
		to.Cells[i] = m.At(m.Cell(p.X, p.Y))
	}
	for i, v := range m.Cells {
		if v < occupiedFrom {
			continue
		}
		x, y := m.Center(i%m.Width, i/m.Width)
		p := by.Plus(Pose{X: x, Y: y})
		column, row := to.Cell(p.X, p.Y)
		to.set(column, row, max(v, to.At(column, row)))
	}
	return to, nil
}

// around returns the bounding frame of the cells moved by a pose. Rounding errors add no cells.
func (f Frame) around(by Pose) Frame {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	wide, high := float64(f.Width)*f.Resolution, float64(f.Height)*f.Resolution
	for _, corner := range [4][2]float64{{0, 0}, {wide, 0}, {0, high}, {wide, high}} {
		p := by.Plus(Pose{X: f.X + corner[0], Y: f.Y + corner[1]})
		x0, y0, x1, y1 = min(x0, p.X), min(y0, p.Y), max(x1, p.X), max(y1, p.Y)
	}
	cells := func(length float64) int { return max(1, int(math.Ceil(min(length/f.Resolution, 2*MaxCells)-1e-6))) }
	return Frame{Resolution: f.Resolution, X: x0, Y: y0, Width: cells(x1 - x0), Height: cells(y1 - y0)}
}

// Mirrored returns the map with y reversed, as of a map seen from below.
func (m *Map) Mirrored() *Map {
	to := &Map{Frame: m.Frame, Cells: slices.Clone(m.Cells)}
	to.Y = -(m.Y + float64(m.Height)*m.Resolution)
	for row := range m.Height {
		copy(to.Cells[row*m.Width:(row+1)*m.Width], m.Cells[(m.Height-1-row)*m.Width:])
	}
	return to
}
