// SPDX-License-Identifier: Apache-2.0

package chess

import "fmt"

// identify returns the function from cells of the grid to corners of the board; its second result is false outside
// the board.
func (g *grid) identify(b Board) (name func(cell) (cell, bool), err error) {
	if len(g.at) < minCorners {
		return nil, fmt.Errorf("%w: %d corners are seen well, at least %d are needed", ErrNotFound, len(g.at), minCorners)
	}
	if b.Marked {
		return g.identifyMarked(b)
	}
	return g.identifyWhole(b)
}

// turn subtracts an origin from a cell and rotates it by a multiple of 90°.
type turn struct {
	from  cell
	times int
}

func (t turn) apply(c cell) cell {
	c = cell{c.i - t.from.i, c.j - t.from.j}
	for range t.times {
		c = cell{-c.j, c.i}
	}
	return c
}

// black reports whether the square whose upper left corner (in the grid's axes) is c is black.
func (g *grid) black(c cell) bool {
	// Left of the edge to the right, that is above it, corner (0, 0) has a bright square if sign is 1: the one below is
	// black.
	return (g.sign > 0) == ((c.i+c.j)&1 == 0)
}

// identifyWhole identifies the corners of a board that is completely visible.
func (g *grid) identifyWhole(b Board) (func(cell) (cell, bool), error) {
	cells := g.cells()
	lo, hi := cells[0], cells[0]
	for _, c := range cells {
		lo, hi = cell{min(lo.i, c.i), min(lo.j, c.j)}, cell{max(hi.i, c.i), max(hi.j, c.j)}
	}
	w, h := hi.i-lo.i+1, hi.j-lo.j+1
	if !(w == b.Cols && h == b.Rows || w == b.Rows && h == b.Cols) || len(cells) != w*h {
		return nil, fmt.Errorf("%w: %d corners in a grid of %d×%d are seen well, the board has %d×%d: all of it must be seen",
			ErrNotFound, len(cells), w, h, b.Cols, b.Rows)
	}
	var best turn
	score := -1e18
	for times, from := range [4]cell{{lo.i, lo.j}, {lo.i, hi.j}, {hi.i, hi.j}, {hi.i, lo.j}} {
		t := turn{from, times}
		far := t.apply(cell{lo.i + hi.i - from.i, lo.j + hi.j - from.j})
		if far.i != b.Cols-1 || far.j != b.Rows-1 {
			continue
		}
		// The square up and to the left of corner (0, 0) is black. If both ends of the board look alike, the upper
		// left one is used. A board with inverted colours, or with two white ends, has equally good corners.
		s := -g.at[from].x - g.at[from].y
		if g.blackAt(t, cell{-1, -1}) {
			s += 1e9
		}
		if s > score {
			best, score = t, s
		}
	}
	return func(c cell) (cell, bool) {
		k := best.apply(c)
		return k, k.i >= 0 && k.j >= 0 && k.i < b.Cols && k.j < b.Rows
	}, nil
}

// blackAt reports whether a square of the turned grid, given by its upper left corner there, is black. The turn moves
// the upper left corner of a square to another one of its corners, which has the square's parity only every second
// time.
func (g *grid) blackAt(t turn, square cell) bool {
	// The centre of the square, in half squares, turned back.
	x, y := 2*square.i+1, 2*square.j+1
	for range (4 - t.times) % 4 {
		x, y = -y, x
	}
	return g.black(cell{(x-1)/2 + t.from.i, (y-1)/2 + t.from.j})
}

// identifyMarked identifies the corners of a board by the discs around its centre.
func (g *grid) identifyMarked(b Board) (func(cell) (cell, bool), error) {
	center := cell{}
	center.i, center.j = b.center()
	var found []turn
	for _, c := range g.cells() {
		discs, known := 0, true
		var missing int
		for k := range 4 {
			switch g.disc(squareAt(c, k)) {
			case discSeen:
				discs++
			case discNone:
				missing = k
			default:
				known = false
			}
		}
		if known && discs == 3 {
			found = append(found, turn{c, 0}.missing(missing))
		}
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("%w: the three discs at its centre are seen %d times: they must be in the picture, uncovered", ErrNotFound, len(found))
	}
	t := found[0]
	if !g.blackAt(t, cell{-1, -1}) != !b.Black(center.i-1, center.j-1) {
		return nil, fmt.Errorf("%w: the discs have the wrong colours: is it another board?", ErrNotFound)
	}
	return func(c cell) (cell, bool) {
		k := t.apply(c)
		k = cell{k.i + center.i, k.j + center.j}
		return k, k.i >= 0 && k.j >= 0 && k.i < b.Cols && k.j < b.Rows
	}, nil
}

// squareAt returns square k around a corner, clockwise from the one up and to the left, by its upper left corner.
func squareAt(c cell, k int) cell {
	return [4]cell{{c.i - 1, c.j - 1}, {c.i, c.j - 1}, {c.i, c.j}, {c.i - 1, c.j}}[k]
}

// missing returns the turn after which the square without a disc, number k, is the lower left one, number 3.
func (t turn) missing(k int) turn {
	t.times = (3 - k + 4) % 4
	return t
}

type discState int

const (
	discUnknown discState = iota
	discNone
	discSeen
)

// disc detects a disc in the square whose upper left corner is c; the state is unknown if one of the square's corners
// is.
func (g *grid) disc(c cell) discState {
	var q [4]vec
	for k, d := range [4]cell{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
		v, ok := g.at[c.next(d)]
		if !ok {
			return discUnknown
		}
		q[k] = v
	}
	at := func(x, y float64) float64 { // bilinear in the square
		top, low := q[0].scale(1-x).add(q[1].scale(x)), q[3].scale(1-x).add(q[2].scale(x))
		m := top.scale(1 - y).add(low.scale(y))
		v, _ := g.p.at(m.x, m.y)
		return v
	}
	middle := (at(0.5, 0.5) + at(0.44, 0.5) + at(0.56, 0.5) + at(0.5, 0.44) + at(0.5, 0.56)) / 5
	around := (at(0.17, 0.17) + at(0.83, 0.17) + at(0.83, 0.83) + at(0.17, 0.83)) / 4
	other := g.neighbourShade(q)
	// The centre has the brightness of the square itself, or that of the adjacent squares.
	switch u := (middle - around) / (other - around); {
	case u > 0.6 && u < 1.5:
		return discSeen
	case u < 0.3 && u > -0.5:
		return discNone
	}
	return discUnknown
}

// neighbourShade returns the mean brightness of the adjacent squares, close to the common sides.
func (g *grid) neighbourShade(q [4]vec) float64 {
	sum := 0.0
	for k := range 4 {
		a, b, c := q[k], q[(k+1)%4], q[(k+2)%4]
		m := a.add(b).scale(0.5).add(b.sub(c).scale(0.17))
		v, _ := g.p.at(m.x, m.y)
		sum += v / 4
	}
	return sum
}
