// SPDX-License-Identifier: Apache-2.0

package cam_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/calibration/cam"
	"github.com/epuck-ros2/epuck-driver/calibration/internal/boardview"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// exact projects the board's corners without a picture, with errors of a standard deviation, px.
func exact(truth cam.Camera, n int, seed uint64, sigma float64) []cam.View {
	c := &boardview.Camera{Camera: truth}
	rng := rand.New(rand.NewPCG(seed, 8))
	var views []cam.View
	for i, p := range session(n, seed, truth.FX) {
		v := cam.View{Name: fmt.Sprint("view ", i)}
		for k := range board.Cols * board.Rows {
			col, row := k%board.Cols, k/board.Cols
			x, y, ok := c.Corner(board, p, col, row)
			if !ok || x < 0 || y < 0 || x > 639 || y > 479 {
				continue
			}
			v.Points = append(v.Points, cam.Point{X: float64(col) * board.Square, Y: float64(row) * board.Square,
				U: x + sigma*rng.NormFloat64(), V: y + sigma*rng.NormFloat64()})
		}
		if len(v.Points) >= 12 {
			views = append(views, v)
		}
	}
	return views
}

// TestExactPoints: with hardly any errors the search ends at the truth, for every model and a third radial coefficient.
func TestExactPoints(t *testing.T) {
	third := truths[cam.PlumbBob]
	third.D = []float64{-0.2, 0.08, 0.001, -0.001, -0.02}
	n := 20
	if !suite.Long { // on an emulated processor
		n = 8
	}
	for _, truth := range []cam.Camera{truths[cam.PlumbBob], truths[cam.Rational], truths[cam.Equidistant], third} {
		res, err := cam.Calibrate(exact(truth, n, 3, 0.002), cam.Options{Width: 640, Height: 480, Model: truth.Model, Radial: 3})
		if err != nil {
			t.Errorf("%s: %v", truth.Model, err)
			continue
		}
		got, want := res.Camera.Vector(), truth.Vector()
		for i := range 4 {
			if math.Abs(got[i]-want[i]) > 0.01 {
				t.Errorf("%s: %s = %v, want %v", truth.Model, truth.Model.Names()[i], got[i], want[i])
			}
		}
		if res.RMS > 4e-3 {
			t.Errorf("%s: %v px", truth.Model, res.RMS)
		}
	}
}

// TestSigma: estimates from many sessions scatter as they say, with every model and for each of its numbers but the
// coefficients of the rational one's quotient, see [cam.Result.Sigma].
func TestSigma(t *testing.T) {
	third := truths[cam.PlumbBob]
	third.D = []float64{-0.2, 0.08, 0.001, -0.001, -0.02}
	for _, c := range []struct {
		name     string
		truth    cam.Camera
		sessions int
	}{
		{"plumb_bob", truths[cam.PlumbBob], 40}, {"plumb_bob, k3", third, 20},
		{"rational_polynomial", truths[cam.Rational], 10}, {"equidistant", truths[cam.Equidistant], 20},
	} {
		if !suite.Long { // on an emulated processor
			c.sessions = 1
			if c.truth.Model == cam.Rational {
				continue // hundreds of steps
			}
		}
		t.Run(c.name, func(t *testing.T) { scatters(t, c.truth, c.sessions) })
	}
}

// scatters calibrates n sessions of a camera and counts how often the true values are within two standard deviations.
func scatters(t *testing.T, truth cam.Camera, n int) {
	o := cam.Options{Width: 640, Height: 480, Model: truth.Model}
	if truth.Model == cam.PlumbBob && truth.D[4] != 0 {
		o.Radial = 3
	}
	inside := make([]int, len(truth.Vector()))
	for seed := range uint64(n) {
		res, err := cam.Calibrate(exact(truth, 12, 100+seed, 0.2), o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range inside {
			if math.Abs(res.Camera.Vector()[i]-truth.Vector()[i]) <= 2*res.Sigma[i] {
				inside[i]++
			}
		}
		if math.Abs(res.RMS-0.2*math.Sqrt2) > 0.03 {
			t.Errorf("seed %d: %.3f px", seed, res.RMS)
		}
	}
	t.Logf("within two standard deviations, of %d: %v", n, inside)
	for i, k := range inside {
		quotient := truth.Model == cam.Rational && (i == 4 || i == 5 || i >= 9)
		if k < n*85/100 && !quotient || k < n/2 {
			t.Errorf("%s: %d of %d within two standard deviations", truth.Model.Names()[i], k, n)
		}
	}
}

// TestOutlierViews: a view whose points were mixed up or shifted is dropped with its reason, and the others are not.
func TestOutlierViews(t *testing.T) {
	truth := truths[cam.PlumbBob]
	views := exact(truth, 16, 5, 0.1)
	for i := range views[4].Points {
		if i%2 == 0 {
			views[4].Points[i].U += 5
		}
	}
	views[9].Points = views[9].Points[:3]
	res, err := cam.Calibrate(views, cam.Options{Width: 640, Height: 480})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range res.Views {
		if (v.Dropped != "") != (i == 4 || i == 9) {
			t.Errorf("%s: %.2f px, dropped %q", v.Name, v.RMS, v.Dropped)
		}
	}
	if !strings.Contains(res.Views[4].Dropped, "px off") || !strings.Contains(res.Views[9].Dropped, "3 points") {
		t.Errorf("%q, %q", res.Views[4].Dropped, res.Views[9].Dropped)
	}
	if math.Abs(res.Camera.FX/truth.FX-1) > 0.002 {
		t.Errorf("fx = %v", res.Camera.FX)
	}
}

func TestBadInput(t *testing.T) {
	good := exact(truths[cam.PlumbBob], 12, 5, 0.1)
	flat := make([]cam.View, 0, 12)
	for range 12 { // the board never moves and faces the camera
		v := cam.View{}
		for k := range 54 {
			x, y := float64(k%9), float64(k/9)
			v.Points = append(v.Points, cam.Point{X: x * 0.02, Y: y * 0.02, U: 100 + 40*x, V: 100 + 40*y})
		}
		flat = append(flat, v)
	}
	line := cam.View{}
	for k := range 20 {
		line.Points = append(line.Points, cam.Point{X: float64(k), U: float64(k)})
	}
	for name, c := range map[string]struct {
		views []cam.View
		o     cam.Options
	}{
		"none": {nil, cam.Options{Width: 640, Height: 480}}, "no size": {good, cam.Options{}},
		"no such model": {good, cam.Options{Width: 640, Height: 480, Model: "pinhole"}},
		"four radial":   {good, cam.Options{Width: 640, Height: 480, Radial: 4}},
		"lines":         {[]cam.View{line, line, line, line}, cam.Options{Width: 640, Height: 480}},
		"not a number":  {[]cam.View{good[0], good[1], {Points: []cam.Point{{X: math.NaN()}, {}, {}, {}, {}, {}}}}, cam.Options{Width: 640, Height: 480}},
	} {
		if _, err := cam.Calibrate(c.views, c.o); !errors.Is(err, cam.ErrData) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if res, err := cam.Calibrate(flat, cam.Options{Width: 640, Height: 480}); !errors.Is(err, cam.ErrData) {
		t.Errorf("a board parallel to the image determines no focal length: %+v", res)
	}
}

func TestCoverage(t *testing.T) {
	var c cam.Coverage
	box := func(x, y, w, h, lean float64) cam.BoardPose {
		return cam.BoardPoseOf([4][2]float64{{x, y}, {x + w, y}, {x + w + lean, y + h}, {x + lean, y + h}}, 640, 480)
	}
	if c.Good() || !strings.Contains(c.Next(), "in front") {
		t.Error(c.Next())
	}
	seen := map[string]bool{}
	for i := 0; !c.Good(); i++ {
		if i > 200 {
			t.Fatalf("never enough: %+v, %s", c.Progress(), c.Next())
		}
		next := c.Next()
		seen[next] = true
		s := box(230, 180, 160, 120, 0)
		k := float64(i % 7 * 8)
		switch {
		case strings.Contains(next, "left"):
			s = box(5+k, 180, 160, 120, 0)
		case strings.Contains(next, "right"):
			s = box(470-k, 180, 160, 120, 0)
		case strings.Contains(next, "upper"):
			s = box(230+k, 5, 160, 120, 0)
		case strings.Contains(next, "lower"):
			s = box(230, 350-k, 160, 120, 0)
		case strings.Contains(next, "tilt"):
			s = box(230, 180, 160, 120, 60+k)
		case strings.Contains(next, "nearer"):
			s = box(60-k, 40, 500, 400, 0)
		case strings.Contains(next, "other"):
			s = box(30+60*k/8, 60+30*k/8, 120+k, 90, k)
		}
		if c.IsNew(s) {
			c.Add(s)
		}
		if c.IsNew(s) {
			t.Fatal("the same view is wanted twice")
		}
	}
	if len(seen) < 6 || c.Count() < 8 {
		t.Errorf("%d views after hints %v", c.Count(), seen)
	}
}

func BenchmarkCalibrate40Views(b *testing.B) {
	views := exact(truths[cam.PlumbBob], 44, 5, 0.1)[:40]
	b.ReportAllocs()
	for b.Loop() {
		if _, err := cam.Calibrate(views, cam.Options{Width: 640, Height: 480}); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleCalibrate() {
	truth := truths[cam.PlumbBob]
	res, err := cam.Calibrate(exact(truth, 20, 1, 0), cam.Options{Width: 640, Height: 480})
	fmt.Printf("%.1f %.1f %.1f %.1f %v\n", res.Camera.FX, res.Camera.FY, res.Camera.CX, res.Camera.CY, err)
	// Output: 561.3 556.8 331.2 236.4 <nil>
}
