// SPDX-License-Identifier: Apache-2.0

package vcamera_test

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// board faces a robot at the origin that looks along x, at a distance and a height.
func board(distance, height float64) vcamera.Board {
	return vcamera.Board{Middle: geom.Vec{X: vcamera.LensForward + distance}, Height: height, Yaw: math.Pi, Cols: 7, Rows: 5, Square: 0.01}
}

// at is where the lens sees a point that is so far ahead, to the left and above it.
func at(ahead, left, up float64) (x, y float64) {
	return vcamera.CenterX - vcamera.FocalX*left/ahead, vcamera.CenterY - vcamera.FocalY*up/ahead
}

// bright reports whether the picture is bright around a place.
func bright(p picture, x, y float64) bool {
	v, _, _ := p.at(int(math.Round(x)), int(math.Round(y)))
	return v > 128
}

// TestBoardsHang: squares and discs are where the geometry says, the first square black, with paper around; a tilted
// board leans back, a rolled one turns clockwise.
func TestBoardsHang(t *testing.T) {
	const d, h = 0.2, 0.04
	b := board(d, h)
	p := draw(t, &vcamera.Scene{Light: 1, Boards: []vcamera.Board{b}}, geom.Pose{}, vcamera.Development{})
	place := func(col, row float64) (x, y float64) { // in squares from corner (0, 0)
		return at(d, -(col-3)*b.Square, h-(row-2)*b.Square-vcamera.LensHeight)
	}
	for row := -1; row < 5; row++ {
		for col := -1; col < 7; col++ {
			x, y := place(float64(col)+0.12, float64(row)+0.12) // next to the disc
			if want := (col+row)%2 != 0; bright(p, x, y) != want {
				t.Errorf("square %d, %d: bright is %v", col, row, !want)
			}
			disc := (col == 2 || col == 3) && (row == 1 || row == 2) && !(col == 2 && row == 2)
			x, y = place(float64(col)+0.5, float64(row)+0.5)
			if want := (col+row)%2 != 0 != disc; bright(p, x, y) != want {
				t.Errorf("middle of square %d, %d: bright is %v", col, row, !want)
			}
		}
	}
	if x, y := place(-1.5, 2); !bright(p, x, y) {
		t.Error("there is no paper around")
	}
	// A board that leans back by 0.5 has its upper corner (0, 0) farther away.
	b.Tilt, b.Plain = 0.5, true
	sin, cos := math.Sincos(0.5)
	p = draw(t, &vcamera.Scene{Light: 1, Boards: []vcamera.Board{b}}, geom.Pose{}, vcamera.Development{})
	for k, want := range []bool{false, true, true, false} { // the squares around it, row by row
		u, v := float64(k%2)*0.4-0.2, float64(k/2)*0.4-0.2
		down := (v - 2) * b.Square
		x, y := at(d-down*sin, -(u-3)*b.Square, h-down*cos-vcamera.LensHeight)
		if bright(p, x, y) != want {
			t.Errorf("tilted, square %d: bright is %v", k, !want)
		}
	}
	b.Tilt, b.Roll = 0, 0.3
	sin, cos = math.Sincos(0.3)
	p = draw(t, &vcamera.Scene{Light: 1, Boards: []vcamera.Board{b}}, geom.Pose{}, vcamera.Development{})
	for k, want := range []bool{false, true, true, false} {
		u, v := (float64(k%2)*0.6-0.3-3)*b.Square, (float64(k/2)*0.6-0.3-2)*b.Square
		x, y := at(d, -(u*cos - v*sin), h-(u*sin+v*cos)-vcamera.LensHeight)
		if bright(p, x, y) != want {
			t.Errorf("rolled, square %d: bright is %v", k, !want)
		}
	}
}

// TestBoardsAreHidden: by what is before them, by the floor, by a nearer board, when the robot is lifted; from
// behind they are paper.
func TestBoardsAreHidden(t *testing.T) {
	const d, h = 0.3, 0.05
	b := board(d, h)
	x, y := at(d, 0, h-vcamera.LensHeight) // the middle: around corner (3, 2)
	black := func(s *vcamera.Scene) bool {
		s.Light = 1
		p := draw(t, s, geom.Pose{}, vcamera.Development{})
		return !bright(p, x-4, y-4) // a black square
	}
	b.Plain = true
	b.Cols = 8 // now the middle is within a column of squares
	x += 0.5 * b.Square * vcamera.FocalX / d
	if !black(&vcamera.Scene{Boards: []vcamera.Board{b}}) {
		t.Fatal("nothing is seen")
	}
	wall := func(depth, height float64) []vcamera.Thing {
		return []vcamera.Thing{{Shape: geom.NewBox(geom.Vec{X: vcamera.LensForward + depth}, geom.Vec{X: 0.01, Y: 1}, 0, height), Colour: vcamera.RGB{R: 255, G: 255, B: 255}}}
	}
	behind := b
	behind.Yaw = 0
	cover := b
	cover.Middle.X -= 0.05
	cover.Yaw = 0 // paper
	for name, c := range map[string]struct {
		scene vcamera.Scene
		seen  bool
	}{
		"behind a wall":       {vcamera.Scene{Things: wall(0.1, 0.1), Boards: []vcamera.Board{b}}, false},
		"over a low wall":     {vcamera.Scene{Things: wall(0.1, 0.02), Boards: []vcamera.Board{b}}, true},
		"before a wall":       {vcamera.Scene{Things: wall(0.4, 0.1), Boards: []vcamera.Board{b}}, true},
		"from behind":         {vcamera.Scene{Boards: []vcamera.Board{behind}}, false},
		"behind a sheet":      {vcamera.Scene{Boards: []vcamera.Board{b, cover}}, false},
		"behind, first drawn": {vcamera.Scene{Boards: []vcamera.Board{cover, b}}, false},
		"in the air":          {vcamera.Scene{Aloft: true, Boards: []vcamera.Board{b}}, false},
	} {
		if got := black(&c.scene); got != c.seen {
			t.Errorf("%s: seen is %v", name, got)
		}
	}
	low := b
	low.Height = -0.2
	p, none := draw(t, &vcamera.Scene{Light: 1, Boards: []vcamera.Board{low}}, geom.Pose{}, vcamera.Development{}), draw(t, &vcamera.Scene{Light: 1}, geom.Pose{}, vcamera.Development{})
	if string(p) != string(none) {
		t.Error("a board under the floor is seen")
	}
}
