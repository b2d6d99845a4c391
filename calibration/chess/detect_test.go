// SPDX-License-Identifier: Apache-2.0

package chess_test

import (
	"errors"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/epuck-ros2/epuck-driver/calibration/cam"
	"github.com/epuck-ros2/epuck-driver/calibration/chess"
	"github.com/epuck-ros2/epuck-driver/calibration/internal/boardview"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// camera is about the robot's: 640×480, a wide lens with some distortion.
var camera = sync.OnceValue(func() *boardview.Camera {
	return boardview.New(cam.Camera{Width: 640, Height: 480, Model: cam.PlumbBob, FX: 560, FY: 556, CX: 331, CY: 236,
		D: []float64{-0.21, 0.07, 0.0012, -0.0008, 0}})
})

var (
	plain  = chess.Board{Cols: 9, Rows: 6, Square: 0.024}
	marked = chess.Board{Cols: 13, Rows: 9, Square: 0.02, Marked: true}
)

// places are n places of a board that a person would hold it at, drawn from a seed.
func places(n int, seed uint64) []boardview.Place {
	rng := rand.New(rand.NewPCG(seed, 1))
	u := func(a float64) float64 { return a * (2*rng.Float64() - 1) }
	out := make([]boardview.Place, n)
	for i := range out {
		z := 0.32 + 0.3*rng.Float64()
		out[i] = boardview.Place{RX: u(0.6), RY: u(0.6), RZ: u(0.5), X: u(0.3 * (z - 0.2)), Y: u(0.2 * (z - 0.2)), Z: z}
	}
	return out
}

// wrong counts the corners that are farther than limit (px) from where they are, or where another one is.
func wrong(c *boardview.Camera, b chess.Board, p boardview.Place, v *chess.View, limit float64) (n int, rms float64) {
	sum := 0.0
	for _, k := range v.Corners {
		x, y, ok := c.Corner(b, p, k.Col, k.Row)
		d := math.Hypot(k.X-x, k.Y-y)
		if !ok || d > limit {
			n++
		}
		sum += d * d
	}
	return n, math.Sqrt(sum / float64(len(v.Corners)))
}

// few is a number of pictures, or a quarter of it without tag long.
func few(n int) int {
	if !suite.Long {
		return n / 4
	}
	return n
}

// whole reports whether all corners of a board are in the picture, with some margin.
func whole(c *boardview.Camera, b chess.Board, p boardview.Place) bool {
	for row := range b.Rows {
		for col := range b.Cols {
			x, y, ok := c.Corner(b, p, col, row)
			if !ok || x < 12 || y < 12 || x > float64(c.Width)-13 || y > float64(c.Height)-13 {
				return false
			}
		}
	}
	return true
}

func TestPlainBoard(t *testing.T) {
	c := camera()
	seen, all := 0, 0
	n := few(24)
	for i, p := range places(n, 1) {
		if !whole(c, plain, p) {
			continue
		}
		all++
		v, err := chess.Detect(c.Draw(plain, p, boardview.Daylight(), uint64(i)), plain)
		if err != nil {
			t.Logf("view %d: %v", i, err)
			continue
		}
		seen++
		n, rms := wrong(c, plain, p, v, 0.5)
		if n > 0 || len(v.Corners) != 54 || rms > 0.1 {
			t.Errorf("view %d: %d corners, %d wrong, %.3f px", i, len(v.Corners), n, rms)
		}
		t.Logf("view %d: %.3f px", i, rms)
	}
	if seen*10 < all*9 || all < n/3 {
		t.Errorf("%d of %d boards were found", seen, all)
	}
}

func TestMarkedBoard(t *testing.T) {
	c := camera()
	seen, corners := 0, 0
	places := places(few(20), 2)
	for i, p := range places {
		p.Z *= 0.6 // parts of the board are out of the picture
		v, err := chess.Detect(c.Draw(marked, p, boardview.Daylight(), uint64(i)), marked)
		if err != nil {
			t.Logf("view %d: %v", i, err)
			continue
		}
		seen, corners = seen+1, corners+len(v.Corners)
		if n, rms := wrong(c, marked, p, v, 0.5); n > 0 || rms > 0.1 {
			t.Errorf("view %d: %d corners, %d wrong, %.3f px", i, len(v.Corners), n, rms)
		}
	}
	t.Logf("%d of %d views, %d corners a view", seen, len(places), corners/max(seen, 1))
	if seen < len(places)*3/4 {
		t.Errorf("%d of %d boards were found", seen, len(places))
	}
}

// TestNoBoard: pictures without a board, and boards of other sizes.
func TestNoBoard(t *testing.T) {
	c := camera()
	noise := image.NewGray(image.Rect(0, 0, 640, 480))
	rng := rand.New(rand.NewPCG(3, 3))
	for i := range noise.Pix {
		noise.Pix[i] = uint8(rng.Uint32())
	}
	p := places(1, 5)[0]
	p.X, p.Y = 0, 0
	for name, img := range map[string]*image.Gray{
		"grey": image.NewGray(image.Rect(0, 0, 640, 480)), "noise": noise, "small": image.NewGray(image.Rect(0, 0, 20, 20)),
		"another board": c.Draw(chess.Board{Cols: 8, Rows: 5, Square: 0.03}, p, boardview.Daylight(), 1),
		"no marks":      c.Draw(marked, p, boardview.Daylight(), 1),
	} {
		if v, err := chess.Detect(img, plain); !errors.Is(err, chess.ErrNotFound) {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
	if v, err := chess.Detect(c.Draw(plain, p, boardview.Daylight(), 1), marked); !errors.Is(err, chess.ErrNotFound) {
		t.Errorf("a plain board passes for a marked one: %+v", v)
	}
	for _, b := range []chess.Board{{Cols: 2, Rows: 5, Square: 1}, {Cols: 5, Rows: 5, Square: 1}, {Cols: 5, Rows: 4}, {Cols: 99, Rows: 4, Square: 1}} {
		if _, err := chess.Detect(noise, b); !errors.Is(err, chess.ErrBoard) {
			t.Errorf("%+v: %v", b, err)
		}
	}
}

func ExampleDetect() {
	board := chess.Board{Cols: 9, Rows: 6, Square: 0.024}
	view, err := chess.Detect(camera().Draw(board, boardview.Place{RX: 0.3, Z: 0.4}, boardview.Daylight(), 1), board)
	fmt.Println(len(view.Corners), err)
	// Output: 54 <nil>
}
