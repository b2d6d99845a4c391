// SPDX-License-Identifier: Apache-2.0

package vcamera

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// Board is a chessboard that hangs in the world, printed on a sheet as `epuck-driver calibrate camera --sheet` does it:
// for calibrating the camera. Corner (0, 0) is the lower right one of the square in the upper left, which is black.
type Board struct {
	// Middle of the sheet, and its height above the floor, m.
	Middle geom.Vec
	Height float64
	// Yaw is where the sheet faces, seen from above; Tilt turns its face up, Roll the sheet clockwise in its plane,
	// rad.
	Yaw, Tilt, Roll float64
	// Cols and Rows are the numbers of inner corners in a row and in a column, Square is the side of a square, m.
	Cols, Rows int
	Square     float64
	// Plain boards have no discs in three of the squares around the corner (Cols/2, Rows/2).
	Plain bool
}

const (
	discRadius = 0.24 // of the discs, as a share of a square's side
	ink, paper = 24, 236
	finest     = 4 // rays each way through a pixel in which colours meet
)

type vec3 [3]float64

func (a vec3) dot(b vec3) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

func (a vec3) cross(b vec3) vec3 {
	return vec3{
		float64(a[1]*b[2]) - float64(a[2]*b[1]), float64(a[2]*b[0]) - float64(a[0]*b[2]), float64(a[0]*b[1]) - float64(a[1]*b[0]),
	}
}

func (a vec3) plus(b vec3, k float64) vec3 {
	return vec3{a[0] + float64(k*b[0]), a[1] + float64(k*b[1]), a[2] + float64(k*b[2])}
}

// sheet is a board as the lens sees it: x to the right, y down, z ahead.
type sheet struct {
	*Board
	lens                      *Lens
	origin, right, down, back vec3 // of corner (0, 0); right and down for each square; back is away from its face
	first, last, top, bottom  int  // columns and rows it may be seen in
}

// sheetOf turns a board into the lens's axes.
func sheetOf(b *Board, v *view, l *Lens) sheet {
	yaw, tilt, roll := geom.Direction(b.Yaw), geom.Direction(b.Tilt), geom.Direction(b.Roll)
	seen := func(x, y, z float64) vec3 {
		p := geom.Vec{X: x, Y: y}
		return vec3{-p.Dot(v.left), -z, p.Dot(v.ahead)}
	}
	across := seen(-yaw.Y, yaw.X, 0)
	along := seen(float64(yaw.X*tilt.Y), float64(yaw.Y*tilt.Y), -tilt.X)
	none := vec3{}
	s := sheet{Board: b, lens: l}
	s.right = none.plus(across, float64(roll.X*b.Square)).plus(along, float64(roll.Y*b.Square))
	s.down = none.plus(across, -float64(roll.Y*b.Square)).plus(along, float64(roll.X*b.Square))
	s.back = s.right.cross(s.down)
	at := b.Middle.Sub(v.at)
	s.origin = seen(at.X, at.Y, b.Height-l.Above).plus(s.right, -float64(b.Cols-1)/2).plus(s.down, -float64(b.Rows-1)/2)
	s.frame()
	return s
}

// frame finds the columns and rows in which the sheet may be seen: one square around the outer ones is paper.
func (s *sheet) frame() {
	s.first, s.last, s.top, s.bottom = s.lens.Width, -1, s.lens.Height, -1
	for _, c := range [4][2]float64{{-2, -2}, {float64(s.Cols) + 1, -2}, {-2, float64(s.Rows) + 1}, {float64(s.Cols) + 1, float64(s.Rows) + 1}} {
		p := s.origin.plus(s.right, c[0]).plus(s.down, c[1])
		if p[2] < near { // it reaches behind the lens
			s.first, s.last, s.top, s.bottom = 0, s.lens.Width-1, 0, s.lens.Height-1
			return
		}
		x := max(-1, min(float64(s.lens.Width), s.lens.CenterX+float64(s.lens.FocalX*p[0]/p[2])))
		y := max(-1, min(float64(s.lens.Height), s.lens.CenterY+float64(s.lens.FocalY*p[1]/p[2])))
		s.first, s.last = min(s.first, int(math.Floor(x))), max(s.last, int(math.Ceil(x)))
		s.top, s.bottom = min(s.top, int(math.Floor(y))), max(s.bottom, int(math.Ceil(y)))
	}
	s.first, s.top, s.last, s.bottom = max(0, s.first), max(0, s.top), min(s.lens.Width-1, s.last), min(s.lens.Height-1, s.bottom)
}

// at returns how bright the sheet is where the ray of a place in the picture meets it, and how far ahead that is; depth
// 0 is past the sheet.
func (s *sheet) at(x, y float64) (shade int, depth float64) {
	ray := vec3{(x - s.lens.CenterX) / s.lens.FocalX, (y - s.lens.CenterY) / s.lens.FocalY, 1}
	slope := ray.dot(s.back)
	if math.Abs(slope) < 1e-15 {
		return 0, 0
	}
	depth = s.origin.dot(s.back) / slope
	if !(depth > near) || ray[1]*depth > s.lens.Above { // behind, or under the floor
		return 0, 0
	}
	p := vec3{}.plus(ray, depth).plus(s.origin, -1)
	side := float64(s.Square * s.Square)
	col, row := p.dot(s.right)/side, p.dot(s.down)/side
	if col < -2 || row < -2 || col > float64(s.Cols+1) || row > float64(s.Rows+1) {
		return 0, 0
	}
	if slope < 0 || !s.dark(col, row) {
		return paper, depth
	}
	return ink, depth
}

// dark reports whether there is ink at a place, in squares from corner (0, 0).
func (s *sheet) dark(x, y float64) bool {
	col, row := int(math.Floor(x)), int(math.Floor(y))
	if col < -1 || row < -1 || col >= s.Cols || row >= s.Rows {
		return false
	}
	black := (col+row)%2 == 0
	left, above := s.Cols/2-1, s.Rows/2-1 // of the marked corner
	if !s.Plain && col >= left && col <= left+1 && row >= above && row <= above+1 && (col != left || row != above+1) {
		dx, dy := x-float64(col)-0.5, y-float64(row)-0.5
		if float64(dx*dx)+float64(dy*dy) < discRadius*discRadius {
			return !black
		}
	}
	return black
}

// hang puts the sheets of a column before what is behind them.
func (r *Renderer) hang(rows []pixel, x int) {
	for i := range r.sheets {
		s := &r.sheets[i]
		if x < s.first || x > s.last {
			continue
		}
		for y := s.top; y <= s.bottom; y++ {
			shade, depth := s.pixel(x, y)
			if depth > 0 && !r.hidden(y, depth) && !r.covered(i, x, y, depth) {
				rows[y] = r.film.mix(grey(uint8(shade)), fade(depth), one)
			}
		}
	}
}

// pixel returns the mean brightness of a pixel. Where its corners are alike, so is the rest: squares are larger.
func (s *sheet) pixel(x, y int) (shade int, depth float64) {
	const half = 0.499
	fx, fy := float64(x), float64(y)
	shade, depth = s.at(fx, fy)
	if depth == 0 {
		return 0, 0
	}
	alike := true
	for _, c := range [4][2]float64{{-half, -half}, {half, -half}, {-half, half}, {half, half}} {
		v, d := s.at(fx+c[0], fy+c[1])
		alike = alike && d > 0 && v == shade
	}
	if alike {
		return shade, depth
	}
	sum, n := 0, 0
	for k := range finest * finest {
		// The conversions keep products apart from sums on every processor (TestNoFusedProducts).
		dx, dy := float64((float64(k%finest)+0.5)/finest)-0.5, float64((float64(k/finest)+0.5)/finest)-0.5
		if v, d := s.at(fx+dx, fy+dy); d > 0 {
			sum, n = sum+v, n+1
		}
	}
	if n == 0 {
		return shade, depth
	}
	return sum / n, depth
}

// hidden reports whether something nearer hides a row at a depth.
func (r *Renderer) hidden(y int, depth float64) bool {
	for i := range r.hits {
		h := &r.hits[i]
		if h.Enter >= depth {
			break
		}
		if height, ok := h.of.height(); ok && y >= r.lens.rowOf(height, h.Enter) {
			return true
		}
	}
	return false
}

// covered reports whether another sheet is nearer.
func (r *Renderer) covered(i, x, y int, depth float64) bool {
	for k := range r.sheets {
		o := &r.sheets[k]
		if k == i || x < o.first || x > o.last || y < o.top || y > o.bottom {
			continue
		}
		if _, d := o.at(float64(x), float64(y)); d > 0 && (d < depth || d == depth && k < i) {
			return true
		}
	}
	return false
}
