// SPDX-License-Identifier: Apache-2.0

package cam_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/calibration/cam"
)

// projected is OpenCV's projection of the point (x, y, 1), written from its formulas and not from ours: the pinhole
// with k1 k2 p1 p2 k3 k4 k5 k6, or the fisheye model.
func projected(c cam.Camera, x, y float64) (u, v float64) {
	r := math.Hypot(x, y)
	if c.Model == cam.Equidistant {
		th := math.Atan(r)
		d := th + c.D[0]*math.Pow(th, 3) + c.D[1]*math.Pow(th, 5) + c.D[2]*math.Pow(th, 7) + c.D[3]*math.Pow(th, 9)
		if r == 0 {
			return c.CX, c.CY
		}
		return c.FX*x*d/r + c.CX, c.FY*y*d/r + c.CY
	}
	d := append(append([]float64(nil), c.D...), 0, 0, 0)
	up := 1 + d[0]*math.Pow(r, 2) + d[1]*math.Pow(r, 4) + d[4]*math.Pow(r, 6)
	down := 1 + d[5]*math.Pow(r, 2) + d[6]*math.Pow(r, 4) + d[7]*math.Pow(r, 6)
	a := x*up/down + 2*d[2]*x*y + d[3]*(r*r+2*x*x)
	b := y*up/down + d[2]*(r*r+2*y*y) + 2*d[3]*x*y
	return c.FX*a + c.CX, c.FY*b + c.CY
}

// lenses are cameras as they are: a few per cent of distortion.
func lens(t *rapid.T) cam.Camera {
	k := func(label string, limit float64) float64 { return rapid.Float64Range(-limit, limit).Draw(t, label) }
	c := cam.Camera{Width: 640, Height: 480, FX: 500 + k("fx", 100), FY: 500 + k("fy", 100), CX: 320 + k("cx", 20), CY: 240 + k("cy", 20)}
	switch c.Model = rapid.SampledFrom([]cam.Model{cam.PlumbBob, cam.Rational, cam.Equidistant}).Draw(t, "model"); c.Model {
	case cam.PlumbBob:
		c.D = []float64{k("k1", 0.1), k("k2", 0.05), k("p1", 0.003), k("p2", 0.003), k("k3", 0.01)}
	case cam.Rational:
		c.D = []float64{k("k1", 0.1), k("k2", 0.05), k("p1", 0.003), k("p2", 0.003), k("k3", 0.01), k("k4", 0.05), k("k5", 0.02), k("k6", 0.01)}
	default:
		c.D = []float64{k("k1", 0.05), k("k2", 0.02), k("k3", 0.01), k("k4", 0.005)}
	}
	return c
}

// TestProjectIsOpenCVs: the pixel of a point is what the formulas say, at any distance, and the pixel sees the point.
func TestProjectIsOpenCVs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := lens(t)
		x, y := rapid.Float64Range(-0.6, 0.6).Draw(t, "x"), rapid.Float64Range(-0.45, 0.45).Draw(t, "y")
		z := rapid.Float64Range(0.01, 50).Draw(t, "z")
		u, v, ok := c.Project(x*z, y*z, z)
		wu, wv := projected(c, x, y)
		if !ok || math.Abs(u-wu) > 1e-8 || math.Abs(v-wv) > 1e-8 {
			t.Fatalf("%+v: (%g, %g, %g) is at (%g, %g), %v, want (%g, %g)", c, x*z, y*z, z, u, v, ok, wu, wv)
		}
		a, b, ok := c.Ray(u, v)
		if !ok || math.Abs(a-x) > 1e-6 || math.Abs(b-y) > 1e-6 {
			t.Fatalf("%+v: pixel (%g, %g) sees (%g, %g), %v, want (%g, %g)", c, u, v, a, b, ok, x, y)
		}
	})
}

// TestBehindTheCamera: nothing behind a plane is seen by the pinhole; a fisheye sees nothing straight behind it.
func TestBehindTheCamera(t *testing.T) {
	for _, m := range []cam.Model{cam.PlumbBob, cam.Rational, cam.Equidistant} {
		c := cam.Camera{Width: 640, Height: 480, Model: m, FX: 500, FY: 500, CX: 320, CY: 240, D: make([]float64, m.Coefficients())}
		for _, z := range []float64{0, -1e-9, -1} {
			if _, _, ok := c.Project(0, 0, z); ok {
				t.Errorf("%s sees (0, 0, %g)", m, z)
			}
			if _, _, ok := c.Project(0.1, 0.2, z); ok != (m == cam.Equidistant) {
				t.Errorf("%s sees (0.1, 0.2, %g): %v", m, z, ok)
			}
		}
		if u, v, ok := c.Project(0, 0, 1e-9); !ok || u != 320 || v != 240 {
			t.Errorf("%s: straight ahead is at (%g, %g), %v", m, u, v, ok)
		}
	}
}

// TestRayOfNoPixel: where the distortion folds the picture there is no direction, and that is said.
func TestRayOfNoPixel(t *testing.T) {
	barrel := cam.Camera{Width: 640, Height: 480, Model: cam.PlumbBob, FX: 500, FY: 500, CX: 320, CY: 240, D: []float64{-0.5, 0, 0, 0, 0}}
	// The picture of x·(1 − x²/2) is largest at x = √(2/3), where it is 0.544: 272 px from the middle.
	if x, _, ok := barrel.Ray(320+271, 240); !ok || math.Abs(x-x*x*x/2-271.0/500) > 1e-9 || x > math.Sqrt(2.0/3) {
		t.Errorf("just inside: %g, %v", x, ok)
	}
	if x, y, ok := barrel.Ray(320+280, 240); ok {
		t.Errorf("just outside: (%g, %g)", x, y)
	}
	fisheye := cam.Camera{Width: 640, Height: 480, Model: cam.Equidistant, FX: 200, FY: 200, CX: 320, CY: 240, D: make([]float64, 4)}
	for _, c := range []struct {
		degrees float64
		ok      bool
	}{{0, true}, {30, true}, {89, true}, {89.9, false}, {120, false}} {
		th := c.degrees * math.Pi / 180
		if x, y, ok := fisheye.Ray(320+200*th, 240); ok != c.ok || ok && (math.Abs(math.Atan(x)-th) > 1e-9 || y != 0) {
			t.Errorf("%g° aside: (%g, %g), %v", c.degrees, x, y, ok)
		}
	}
}

// TestProjectionLeavesNoEmptyPixel: every pixel of the undistorted picture comes from inside the distorted one, and at
// each side some comes from its very edge.
func TestProjectionLeavesNoEmptyPixel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := lens(t)
		p, err := c.Projection()
		if err != nil {
			t.Fatal(err)
		}
		if p[1] != 0 || p[3] != 0 || p[4] != 0 || p[7] != 0 || p[8] != 0 || p[9] != 0 || p[10] != 1 || p[11] != 0 || !(p[0] > 0) || !(p[5] > 0) {
			t.Fatalf("P is %v", p)
		}
		tightest := [4]float64{math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1)}
		for k := range 81 {
			x, y := (float64(k%9)*float64(c.Width-1)/8-p[2])/p[0], (float64(k/9)*float64(c.Height-1)/8-p[6])/p[5]
			u, v := projected(c, x, y)
			for i, room := range [4]float64{u, v, float64(c.Width) - u, float64(c.Height) - v} {
				tightest[i] = min(tightest[i], room)
			}
		}
		for i, room := range tightest {
			if room < -0.5 || room > 8 {
				t.Fatalf("%+v: at side %d the nearest is %.2f px inside", c, i, room)
			}
		}
	})
}

// TestBoardPose: where a board is, how large and how far tilted, for outlines that one can work out by hand.
func TestBoardPose(t *testing.T) {
	rect := func(x, y, w, h float64) [4][2]float64 {
		return [4][2]float64{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}
	}
	for name, c := range map[string]struct {
		outline [4][2]float64
		want    cam.BoardPose
	}{
		"all of it":   {rect(0, 0, 400, 400), cam.BoardPose{X: 0.5, Y: 0.5, Size: 1}},
		"upper left":  {rect(0, 0, 100, 100), cam.BoardPose{Size: 0.25}},
		"lower right": {rect(300, 300, 100, 100), cam.BoardPose{X: 1, Y: 1, Size: 0.25}},
		"the middle":  {rect(150, 150, 100, 100), cam.BoardPose{X: 0.5, Y: 0.5, Size: 0.25}},
		"other way":   {[4][2]float64{{0, 100}, {100, 100}, {100, 0}, {0, 0}}, cam.BoardPose{Size: 0.25}},
		// A corner of 60° is 30° from a right angle: π/3 of what counts as all.
		"tilted": {[4][2]float64{{200 + 100*math.Cos(math.Pi/3), 200 + 100*math.Sin(math.Pi/3)}, {200, 200}, {300, 200}, {300 + 100*math.Cos(math.Pi/3), 200 + 100*math.Sin(math.Pi/3)}},
			cam.BoardPose{X: 0.7443, Y: 0.6411, Size: 0.2327, Skew: 1}},
		"a point":    {rect(200, 200, 0, 0), cam.BoardPose{X: 0.5, Y: 0.5, Skew: 1}},
		"two points": {[4][2]float64{{0, 0}, {0, 0}, {400, 400}, {400, 400}}, cam.BoardPose{X: 0.5, Y: 0.5, Skew: 1}},
	} {
		got := cam.BoardPoseOf(c.outline, 400, 400)
		for i, d := range []float64{got.X - c.want.X, got.Y - c.want.Y, got.Size - c.want.Size, got.Skew - c.want.Skew} {
			if !(math.Abs(d) < 1e-3) {
				t.Errorf("%s: %+v, want %+v (field %d)", name, got, c.want, i)
			}
		}
	}
}

// TestBoardPosesAreShares: whatever the outline, all four are from 0 to 1: what is no number would be the largest of
// all from then on, and never enough.
func TestBoardPosesAreShares(t *testing.T) {
	at := rapid.OneOf(rapid.Float64Range(0, 640), rapid.SampledFrom([]float64{0, 320, 640}))
	rapid.Check(t, func(t *rapid.T) {
		var outline [4][2]float64
		for i := range outline {
			outline[i] = [2]float64{at.Draw(t, "x"), at.Draw(t, "y")}
		}
		p := cam.BoardPoseOf(outline, 640, 480)
		for _, v := range []float64{p.X, p.Y, p.Size, p.Skew} {
			if !(v >= 0 && v <= 1) {
				t.Fatalf("%v: %+v", outline, p)
			}
		}
		var c cam.Coverage
		if c.Add(p); c.IsNew(p) {
			t.Fatalf("%+v is wanted twice", p)
		}
	})
}

// TestJudgeNamesTheFault: of the camera the intrinsic, of the views the name.
func TestJudgeNamesTheFault(t *testing.T) {
	good := cam.Camera{Width: 640, Height: 480, Model: cam.PlumbBob, FX: 500, FY: 510, CX: 320, CY: 240, D: make([]float64, 5)}
	for name, c := range map[string]struct {
		change func(c *cam.Camera)
		text   string
	}{
		"fx 0":           {func(c *cam.Camera) { c.FX = 0 }, "fx is 0"},
		"fy negative":    {func(c *cam.Camera) { c.FY = -1 }, "fy is -1"},
		"cx no number":   {func(c *cam.Camera) { c.CX = math.NaN() }, "cx is NaN"},
		"cy endless":     {func(c *cam.Camera) { c.CY = math.Inf(1) }, "cy is +Inf"},
		"k3 no number":   {func(c *cam.Camera) { c.D[4] = math.NaN() }, "k3 is NaN"},
		"four of five":   {func(c *cam.Camera) { c.D = c.D[:4] }, `model "plumb_bob" with 4 coefficients`},
		"another model":  {func(c *cam.Camera) { c.Model = "fisheye" }, `model "fisheye" with 5 coefficients`},
		"equidistant k4": {func(c *cam.Camera) { c.Model, c.D = cam.Equidistant, []float64{0, 0, 0, math.Inf(-1)} }, "k4 is -Inf"},
	} {
		bad := good
		bad.D = append([]float64(nil), good.D...)
		c.change(&bad)
		if _, err := cam.Judge(bad, nil, nil); !errors.Is(err, cam.ErrData) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v, want %q", name, err, c.text)
		}
	}
	if _, err := cam.Judge(good, nil, nil); !errors.Is(err, cam.ErrData) || !strings.Contains(err.Error(), "no views") {
		t.Errorf("no views: %v", err)
	}
	if _, err := cam.Judge(good, []cam.View{{Name: "short", Points: make([]cam.Point, 5)}}, nil); !errors.Is(err, cam.ErrData) || !strings.Contains(err.Error(), `view "short"`) {
		t.Errorf("five points: %v", err)
	}
}
