// SPDX-License-Identifier: Apache-2.0

//go:build long

package procedure

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/calibration/cam"
	"github.com/epuck-ros2/epuck-driver/calibration/chess"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// TestSimulatedLensIsFound: the calibration finds the distortion of a simulated lens that also darkens the rim, before
// a sensor with noise. Other pictures than those it was fitted to are explained as well as by the true lens.
func TestSimulatedLensIsFound(t *testing.T) {
	const n = 24
	d := world.Distortion{K1: -0.25, K2: 0.09, P1: 0.002, P2: -0.003}
	truth := cam.Camera{
		Width: vcamera.Width, Height: vcamera.Height, Model: cam.PlumbBob,
		FX: vcamera.FocalX, FY: vcamera.FocalY, CX: vcamera.CenterX, CY: vcamera.CenterY, D: []float64{d.K1, d.K2, d.P1, d.P2, d.K3},
	}
	views := lensViews(t, world.CameraModel{Distortion: d, Vignetting: 4, Noise: 1}, n, 3)
	res, err := cam.Calibrate(views, cam.Options{Width: vcamera.Width, Height: vcamera.Height})
	if err != nil {
		t.Fatal(err)
	}
	worst := 0.0
	for v := 40.0; v <= 440; v += 40 {
		for u := 40.0; u <= 600; u += 40 {
			x, y, ok := truth.Ray(u, v)
			a, b, seen := res.Camera.Project(x, y, 1)
			if !ok || !seen {
				t.Fatalf("no ray at (%g, %g)", u, v)
			}
			worst = max(worst, math.Hypot(a-u, b-v))
		}
	}
	t.Logf("%d views, RMS %.3f px, rays off by %.2f px at most, %+v ± %.3g", len(views), res.RMS, worst, res.Camera, res.Sigma)
	tolerance := []float64{2, 2, 2, 2, 0.015, 0.08, 0.0005, 0.0005, 0} // k2 counts for half a pixel in the corners
	for i, want := range truth.Vector() {
		if got := res.Camera.Vector()[i]; math.Abs(got-want) > tolerance[i] {
			t.Errorf("%s: %.4f ± %.4f, want %.4f", res.Camera.Model.Names()[i], got, res.Sigma[i], want)
		}
	}
	others := lensViews(t, world.CameraModel{Distortion: d, Vignetting: 4, Noise: 1}, n, 4)
	found, err := cam.Judge(res.Camera, others, nil)
	if err != nil {
		t.Fatal(err)
	}
	known, err := cam.Judge(truth, others, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("other pictures: %.3f px, with the true lens %.3f px", found, known)
	if found > known*1.2 {
		t.Errorf("other pictures have an error of %.3f px, with the true lens %.3f px", found, known)
	}
	if worst > 1 || res.RMS > 0.3 {
		t.Errorf("a ray is off by %.2f px; reprojection error %.3f px", worst, res.RMS)
	}
}

// lensViews are the boards of the world gallery as a camera sees them.
func lensViews(t *testing.T, m world.CameraModel, n int, seed uint64) (views []cam.View) {
	t.Helper()
	w, err := world.Example("gallery")
	if err != nil {
		t.Fatal(err)
	}
	w.Robots[0].Level, w.Robots[0].CameraModel = world.LevelFunctional, m
	clock := sim.NewClock()
	s, err := sim.New(w, sim.Options{Seed: seed, Now: clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	r := sim.RobotsOf[*sim.Functional](s)[0]
	rng := rand.New(rand.NewPCG(seed, 7))
	u := func(a float64) float64 { return a * (2*rng.Float64() - 1) }
	board, frame := chess.Board{Cols: 13, Rows: 9, Square: 0.003, Marked: true}, make([]byte, vcamera.FrameSize)
	for tries := 0; len(views) < n; tries++ {
		if tries == 20*n {
			t.Fatalf("%d boards were found in %d pictures", len(views), tries)
		}
		clock.Sleep(time.Second)
		if err := r.Place(beforeBoard(w.Boards[rng.IntN(len(w.Boards))], 0.11+0.13*rng.Float64(), u(0.7), u(0.21))); err != nil {
			t.Fatal(err)
		}
		r.Camera().(*vcamera.Camera).Picture(frame)
		img := image.NewGray(image.Rect(0, 0, vcamera.Width, vcamera.Height))
		for i := range img.Pix {
			img.Pix[i] = frame[2*i]
		}
		found, err := chess.Detect(img, board)
		if err != nil {
			continue
		}
		v := cam.View{Name: fmt.Sprint(tries)}
		for _, c := range found.Corners {
			v.Points = append(v.Points, cam.Point{X: float64(c.Col) * board.Square, Y: float64(c.Row) * board.Square, U: c.X, V: c.Y})
		}
		views = append(views, v)
	}
	return views
}
