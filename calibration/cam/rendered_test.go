// SPDX-License-Identifier: Apache-2.0

package cam_test

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/epuck-ros2/epuck-driver/calibration/cam"
	"github.com/epuck-ros2/epuck-driver/calibration/chess"
	"github.com/epuck-ros2/epuck-driver/calibration/internal/boardview"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// truths are cameras about the robot's, one of each model.
var truths = map[cam.Model]cam.Camera{
	cam.PlumbBob: {Width: 640, Height: 480, Model: cam.PlumbBob, FX: 561.3, FY: 556.8, CX: 331.2, CY: 236.4,
		D: []float64{-0.213, 0.072, 0.0012, -0.0008, 0}},
	cam.Rational: {Width: 640, Height: 480, Model: cam.Rational, FX: 452.5, FY: 455.1, CX: 312.7, CY: 244.9,
		D: []float64{0.3, -0.05, 0.0007, 0.0004, 0.002, 0.55, 0.02, -0.005}},
	cam.Equidistant: {Width: 640, Height: 480, Model: cam.Equidistant, FX: 330.4, FY: 331.9, CX: 324.8, CY: 233.6,
		D: []float64{-0.02, 0.006, -0.003, 0.0005}},
}

var board = chess.Board{Cols: 13, Rows: 9, Square: 0.02, Marked: true}

// session are the places of a usual session: all over the picture, near and far, tilted each way.
func session(n int, seed uint64, focal float64) []boardview.Place {
	rng := rand.New(rand.NewPCG(seed, 4))
	u := func(a float64) float64 { return a * (2*rng.Float64() - 1) }
	out := make([]boardview.Place, n)
	for i := range out {
		z := (0.2 + 0.22*rng.Float64()) * focal / 560
		out[i] = boardview.Place{RX: u(0.7), RY: u(0.7), RZ: u(0.6), X: u(0.45 * z * 560 / focal), Y: u(0.33 * z * 560 / focal), Z: z}
	}
	return out
}

// view turns what was detected into the points of a view.
func view(name string, v *chess.View, b chess.Board) cam.View {
	out := cam.View{Name: name}
	for _, c := range v.Corners {
		out.Points = append(out.Points, cam.Point{X: float64(c.Col) * b.Square, Y: float64(c.Row) * b.Square, U: c.X, V: c.Y})
	}
	return out
}

// shots draws and detects a session.
func shots(t testing.TB, truth cam.Camera, n int, seed uint64) (views []cam.View, pictures []*image.Gray) {
	c := boardview.New(truth)
	for i, p := range session(n, seed, truth.FX) {
		img := c.Draw(board, p, boardview.Daylight(), seed<<8+uint64(i))
		v, err := chess.Detect(img, board)
		if err != nil {
			continue
		}
		views, pictures = append(views, view(fmt.Sprint(i), v, board)), append(pictures, img)
	}
	if len(views) < n*3/4 {
		t.Fatalf("%d of %d boards were found", len(views), n)
	}
	return views, pictures
}

// TestRenderedBoards: on pictures of known cameras the intrinsics are right to 0.2 %.
func TestRenderedBoards(t *testing.T) {
	n, models := 24, []cam.Model{cam.PlumbBob, cam.Rational, cam.Equidistant}
	if !suite.Long { // on an emulated processor
		n, models = 6, models[:1]
	}
	for _, model := range models {
		truth := truths[model]
		views, _ := shots(t, truth, n, 11)
		res, err := cam.Calibrate(views, cam.Options{Width: 640, Height: 480, Model: model})
		if err != nil {
			t.Errorf("%s: %v", model, err)
			continue
		}
		got, want := res.Camera, truth
		for i, e := range []float64{got.FX/want.FX - 1, got.FY/want.FY - 1, (got.CX - want.CX) / want.FX, (got.CY - want.CY) / want.FY} {
			if math.Abs(e) > 0.002 {
				t.Errorf("%s: %s is off by %.3f %%", model, model.Names()[i], 100*e)
			}
		}
		worst := 0.0
		for v := 40.0; v <= 440; v += 40 { // nearer to the edge corners are rare, and eight coefficients say anything
			for u := 40.0; u <= 600; u += 40 {
				x, y, ok := want.Ray(u, v)
				a, b, ok2 := got.Project(x, y, 1)
				if ok && ok2 {
					worst = max(worst, math.Hypot(a-u, b-v))
				}
			}
		}
		t.Logf("%s: %.4f px, %d views, off by at most %.2f px anywhere, %+v ± %.3g", model, res.RMS, len(views), worst, got, res.Sigma)
		if worst > 1 || res.RMS > 0.1 {
			t.Errorf("%s: a ray is off by %.2f px; reprojection error %.3f px", model, worst, res.RMS)
		}
	}
}
