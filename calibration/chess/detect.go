// SPDX-License-Identifier: Apache-2.0

package chess

import (
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
)

// ErrNotFound is matched by errors about a picture in which no board, or too little of it, is visible. The error
// describes the reason for a user.
var ErrNotFound = errors.New("chess: no board")

// Corner is an inner corner of the board in a picture.
type Corner struct {
	Col, Row int     // on the board
	X, Y     float64 // in the picture, px; the centre of the upper left pixel is (0, 0)
}

// Rejected is a corner that was detected but not accepted, with the reason.
type Rejected struct {
	Corner
	Why string
}

// View is a board detected in a picture.
type View struct {
	Corners  []Corner // by rows
	Rejected []Rejected
}

const (
	minCorners   = 12  // of a marked board
	edgeMargin   = 6.0 // px: corners nearer to the picture's edge are rejected
	minTolerance = 0.3 // px: lower bound of the tolerance for a corner's deviation from the fit to the others
	maxTolerance = 1.0 // px: upper bound of that tolerance
)

// Detect finds a board in a picture. The error matches [ErrBoard] or [ErrNotFound].
func Detect(g *image.Gray, b Board) (*View, error) {
	if err := b.Check(); err != nil {
		return nil, err
	}
	p := newPicture(g)
	if p.W < 64 || p.H < 64 {
		return nil, fmt.Errorf("%w: a picture of %d×%d pixels is too small", ErrNotFound, p.W, p.H)
	}
	best := fmt.Errorf("%w: nothing looks like the corners of squares", ErrNotFound)
	most := 0
	soft := p.smooth(0.7)
	for _, s := range scales(p) {
		v, n, err := s.detect(soft, b)
		if err == nil {
			return v, nil
		}
		if n > most {
			best, most = err, n
		}
	}
	return nil, best
}

// scale is a level of the image pyramid in which corners are detected, and the factor from its coordinates to those
// of the full picture.
type scale struct {
	p      *picture
	factor float64
}

// scales returns the image pyramid: the picture itself, and smaller ones in which blurred corners are sharp and noise
// is averaged out.
func scales(p *picture) []scale {
	out := []scale{{p.smooth(0.8), 1}}
	for f, h := 2.0, p.half(); len(out) < 3 && h.W >= 120 && h.H >= 90; f, h = 2*f, h.half() {
		out = append(out, scale{h.smooth(0.8), f})
	}
	return out
}

// detect detects the board at one scale; n is the number of corners of the largest grid. soft is the full picture,
// slightly blurred against noise.
func (s scale) detect(soft *picture, b Board) (v *View, n int, err error) {
	all := s.p.candidates(4)
	f := newCandidateIndex(all)
	best := fmt.Errorf("%w: nothing looks like the corners of squares", ErrNotFound)
	used := map[vec]bool{}
	for k, c := range all {
		if k >= 150 {
			break
		}
		seed := vec{c.x, c.y}
		if used[seed] {
			continue
		}
		g := newGrid(s.p, f, seed)
		if g == nil {
			continue
		}
		g.grow(f, 4*b.Cols*b.Rows)
		for _, at := range g.at {
			used[at] = true
		}
		if len(g.at) < minCorners || len(g.at) <= n {
			continue
		}
		n = len(g.at)
		full := &grid{p: soft, at: map[cell]vec{}, sign: g.sign}
		for c, at := range g.at {
			full.at[c] = vec{at.x*s.factor + (s.factor-1)/2, at.y*s.factor + (s.factor-1)/2}
		}
		if v, err = full.accept(b); err == nil {
			return v, n, nil
		}
		best = err
	}
	return nil, n, best
}

// accept refines and checks the corners of a grid and returns those that belong to the board.
func (g *grid) accept(b Board) (*View, error) {
	rejected := g.refineCorners()
	name, err := g.identify(b)
	if err != nil {
		if len(rejected) > 0 {
			err = fmt.Errorf("%w; %d corners were rejected, for instance because %s", err, len(rejected), reasonOf(rejected))
		}
		return nil, err
	}
	v := &View{}
	for _, c := range g.cells() {
		if k, ok := name(c); ok {
			v.Corners = append(v.Corners, Corner{k.i, k.j, g.at[c].x, g.at[c].y})
		}
	}
	for c, r := range rejected {
		if k, ok := name(c); ok {
			r.Col, r.Row = k.i, k.j
			v.Rejected = append(v.Rejected, r)
		}
	}
	byRow := func(a, b Corner) int {
		if a.Row != b.Row {
			return a.Row - b.Row
		}
		return a.Col - b.Col
	}
	slices.SortFunc(v.Corners, byRow)
	slices.SortFunc(v.Rejected, func(a, b Rejected) int { return byRow(a.Corner, b.Corner) })
	return v, nil
}

func reasonOf(rejected map[cell]Rejected) string {
	why, best := "", cell{math.MaxInt, math.MaxInt}
	for c, r := range rejected {
		if c.j < best.j || c.j == best.j && c.i < best.i {
			why, best = r.Why, c
		}
	}
	return why
}

// refineCorners moves each corner to its subpixel position and removes those that fail a check from the grid; it
// returns these.
func (g *grid) refineCorners() map[cell]Rejected {
	rejected := map[cell]Rejected{}
	drop := func(c cell, why string) {
		at := g.at[c]
		rejected[c] = Rejected{Corner{X: at.x, Y: at.y}, why}
	}
	moved := map[cell]vec{}
	for _, c := range g.cells() {
		at := g.at[c]
		if at.x < edgeMargin || at.y < edgeMargin || at.x > float64(g.p.W-1)-edgeMargin || at.y > float64(g.p.H-1)-edgeMargin {
			drop(c, "it is too near to the picture's edge")
			continue
		}
		if why := g.quadrants(c); why != "" {
			drop(c, why)
			continue
		}
		to, why := g.refineCorner(c, g.p)
		if why != "" {
			drop(c, why)
			continue
		}
		moved[c] = to
	}
	g.at = moved
	for len(g.at) >= minCorners {
		off, ok := g.deviations()
		if !ok {
			break
		}
		c, d := worst(off)
		if d <= math.Min(maxTolerance, math.Max(minTolerance, 4.5*medianOf(off))) {
			break
		}
		drop(c, fmt.Sprintf("it is %.2f px from where the other corners predict it", d))
		delete(g.at, c)
	}
	return rejected
}

// worst returns the corner with the largest deviation, px.
func worst(off map[cell]float64) (c cell, d float64) {
	for k, v := range off {
		if v > d || v == d && (k.j < c.j || k.j == c.j && k.i < c.i) {
			c, d = k, v
		}
	}
	return c, d
}

// medianOf returns the median deviation.
func medianOf(off map[cell]float64) float64 {
	var all []float64
	for _, v := range off {
		all = append(all, v)
	}
	slices.Sort(all)
	return all[len(all)/2]
}
