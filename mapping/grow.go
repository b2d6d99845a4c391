// SPDX-License-Identifier: Apache-2.0

package mapping

import "math"

// growth is the step by which a map grows, m, so that it does not grow with each reading.
const growth = 0.5

// area is a rectangle of cells, counted from the cell whose lower left corner is the origin of the frame of the map.
// Integers keep cells aligned however the map grows.
type area struct{ column, row, width, height int }

// areaOf returns the cells that cover a rectangle, m.
func areaOf(x0, y0, x1, y1, resolution float64) area {
	at := func(v float64) int { return int(math.Floor(v / resolution)) }
	a := area{column: at(x0), row: at(y0)}
	a.width, a.height = at(x1)-a.column+1, at(y1)-a.row+1
	return a
}

// times returns the area in cells whose edge is 1/n as long.
func (a area) times(n int) area { return area{n * a.column, n * a.row, n * a.width, n * a.height} }

// contains reports whether b is within a.
func (a area) contains(b area) bool {
	return b.column >= a.column && b.row >= a.row &&
		b.column+b.width <= a.column+a.width && b.row+b.height <= a.row+a.height
}

// union returns the smallest area in steps of step cells that contains both, or b alone if a is empty.
func (a area) union(b area, step int) area {
	if a.width == 0 {
		a = b
	}
	down := func(v int) int { return step * floorDiv(v, step) }
	up := func(v int) int { return -down(-v) }
	c, r := down(min(a.column, b.column)), down(min(a.row, b.row))
	return area{c, r, up(max(a.column+a.width, b.column+b.width)) - c, up(max(a.row+a.height, b.row+b.height)) - r}
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// frame returns the frame of the area.
func (a area) frame(resolution float64) Frame {
	return Frame{resolution, float64(a.column) * resolution, float64(a.row) * resolution, a.width, a.height}
}

// cover enlarges the map to contain an area. On an error, which matches [ErrSize], the map is unchanged.
func (l *LogOdds) cover(want area) error {
	if l.area.contains(want) {
		return nil
	}
	grown := l.area.union(want, max(1, int(math.Round(growth/l.resolution))))
	if err := grown.frame(l.resolution).Check(); err != nil {
		return err
	}
	all := make([]float32, grown.width*grown.height)
	for row := range l.area.height {
		to := (row+l.area.row-grown.row)*grown.width + l.area.column - grown.column
		copy(all[to:], l.cells[row*l.area.width:(row+1)*l.area.width])
	}
	l.area, l.cells = grown, all
	return nil
}
