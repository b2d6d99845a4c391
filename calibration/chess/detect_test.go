// SPDX-License-Identifier: Apache-2.0

package chess_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/epuck-ros2/epuck-driver/calibration/cam"
	"github.com/epuck-ros2/epuck-driver/calibration/chess"
	"github.com/epuck-ros2/epuck-driver/calibration/internal/boardview"
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

func ExampleDetect() {
	board := chess.Board{Cols: 9, Rows: 6, Square: 0.024}
	view, err := chess.Detect(camera().Draw(board, boardview.Place{RX: 0.3, Z: 0.4}, boardview.Daylight(), 1), board)
	fmt.Println(len(view.Corners), err)
	// Output: 54 <nil>
}
