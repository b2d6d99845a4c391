// SPDX-License-Identifier: Apache-2.0

package mapping

// occupiedFrom is the percentage from which a cell counts as occupied in a comparison with the ground truth:
// map_server's default threshold.
const occupiedFrom = 65

// Truth is the ground truth: it reports whether a point is within a solid object.
type Truth func(x, y float64) bool

// Score compares a map with the ground truth.
type Score struct {
	// IoU is the intersection over union of the occupied cells: the thesis' figure, against whole walls, whose inside
	// no sensor can see.
	IoU float64
	// Precision is the share of the map's occupied cells that are within a cell of a visible surface, Recall the
	// share of the cells of visible surfaces that are within a cell of an occupied one, F1 the harmonic mean of the
	// two.
	Precision, Recall, F1 float64
}

// Compare scores a map. start is a free position from which all free space that counts can be reached: surfaces that
// are not visible from that space do not count.
func Compare(m *Map, truth Truth, start Pose) Score {
	solid := cellsOf(m.Frame, func(column, row int) bool { return truth(m.Center(column, row)) })
	mapped := cellsOf(m.Frame, func(column, row int) bool { return m.At(column, row) >= occupiedFrom })
	var s Score
	both, either := 0, 0
	for i := range solid.set {
		if solid.set[i] && mapped.set[i] {
			both++
		}
		if solid.set[i] || mapped.set[i] {
			either++
		}
	}
	s.IoU = ratio(both, either)
	surface := solid.facing(start)
	s.Precision = mapped.share(surface)
	s.Recall = surface.share(mapped)
	if sum := s.Precision + s.Recall; sum > 0 {
		s.F1 = 2 * s.Precision * s.Recall / sum
	}
	return s
}

// raster is a set of cells.
type raster struct {
	Frame
	set []bool
}

func cellsOf(f Frame, in func(column, row int) bool) *raster {
	r := &raster{f, make([]bool, f.Width*f.Height)}
	for i := range r.set {
		r.set[i] = in(i%f.Width, i/f.Width)
	}
	return r
}

func (r *raster) has(column, row int) bool {
	return r.Contains(column, row) && r.set[row*r.Width+column]
}

// near reports whether the cell or one of its eight neighbours is in the set.
func (r *raster) near(column, row int) bool {
	for dr := -1; dr <= 1; dr++ {
		for dc := -1; dc <= 1; dc++ {
			if r.has(column+dc, row+dr) {
				return true
			}
		}
	}
	return false
}

// share returns the share of the cells that are near one of another set.
func (r *raster) share(of *raster) float64 {
	all, hits := 0, 0
	for i, in := range r.set {
		if !in {
			continue
		}
		all++
		if of.near(i%r.Width, i/r.Width) {
			hits++
		}
	}
	return ratio(hits, all)
}

// facing returns the cells of the set that have a side in common with a cell outside of it that can be reached from
// start.
func (r *raster) facing(start Pose) *raster {
	reached := make([]bool, len(r.set))
	surface := &raster{r.Frame, make([]bool, len(r.set))}
	column, row := r.Cell(start.X, start.Y)
	todo := [][2]int{{column, row}}
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !r.Contains(c[0], c[1]) {
			continue
		}
		i := c[1]*r.Width + c[0]
		switch {
		case r.set[i]:
			surface.set[i] = true
		case !reached[i]:
			reached[i] = true
			todo = append(todo, [2]int{c[0] + 1, c[1]}, [2]int{c[0] - 1, c[1]}, [2]int{c[0], c[1] + 1}, [2]int{c[0], c[1] - 1})
		}
	}
	return surface
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
