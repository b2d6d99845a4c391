// SPDX-License-Identifier: Apache-2.0

package caminfo_test

import (
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
)

// TestNames: what ROS allows, and nothing that leaves the folder of the calibrations.
func TestNames(t *testing.T) {
	for _, name := range []string{"pipuck", "camera_1", "HD_Pro_Webcam_C920", "046d:0825", "a.b-c", "_", "7", strings.Repeat("x", 255)} {
		if err := caminfo.CheckName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"", ".", "..", "../x", "a/b", `a\b`, " ", "a b", "ä", "-x", "a\n", strings.Repeat("x", 256)} {
		if err := caminfo.CheckName(name); !errors.Is(err, caminfo.ErrCalibration) || !strings.Contains(err.Error(), "camera_name") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestIdeal: a point 1 m ahead and 0.1 m to the right and below is where the focal lengths say, by K and by P, and the
// lens bends nothing.
func TestIdeal(t *testing.T) {
	c := caminfo.Ideal("sim", 640, 480, 900, 910, 320, 240)
	if c.K[0]*0.1+c.K[2] != 410 || c.K[4]*0.1+c.K[5] != 331 || c.P[0]*0.1+c.P[2] != 410 || c.P[5]*0.1+c.P[6] != 331 {
		t.Errorf("%v %v", c.K, c.P)
	}
	for _, d := range c.D {
		if d != 0 {
			t.Errorf("distortion %v", c.D)
		}
	}
	if c.Model != caminfo.PlumbBob || c.R != [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1} || c.Name != "sim" {
		t.Errorf("%+v", c)
	}
}

// TestModels: each model with as many parameters as it has, and unknown ones with any reasonable number.
func TestModels(t *testing.T) {
	for _, c := range []struct {
		model string
		n     int
		ok    bool
	}{
		{caminfo.PlumbBob, 5, true}, {caminfo.PlumbBob, 4, true}, {caminfo.PlumbBob, 8, false}, {caminfo.PlumbBob, 0, false},
		{caminfo.RationalPolynomial, 8, true}, {caminfo.RationalPolynomial, 14, true}, {caminfo.RationalPolynomial, 5, false},
		{caminfo.Equidistant, 4, true}, {caminfo.Equidistant, 5, false},
		{"thin_prism_fisheye", 12, true}, {"thin_prism_fisheye", 64, true}, {"thin_prism_fisheye", 65, false},
		{"", 5, true}, {"no model", 5, false},
	} {
		g := golden()
		g.Model, g.D = c.model, make([]float64, c.n)
		if err := g.Check(); (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "distortion_") {
			t.Errorf("%q with %d: %v", c.model, c.n, err)
		}
	}
}

// TestScaledThereAndBack: two scalings that undo each other change nothing, nor does the original change.
func TestScaledThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 4000).Draw(t, "w"), rapid.IntRange(1, 4000).Draw(t, "h")
		c := golden()
		back := c.Scaled(w, h).Scaled(c.Width, c.Height)
		for i := range c.K {
			if math.Abs(back.K[i]-c.K[i]) > 1e-6 {
				t.Fatalf("K[%d]: %g, was %g, by %d×%d", i, back.K[i], c.K[i], w, h)
			}
		}
		for i := range c.P {
			if math.Abs(back.P[i]-c.P[i]) > 1e-6 {
				t.Fatalf("P[%d]: %g, was %g, by %d×%d", i, back.P[i], c.P[i], w, h)
			}
		}
		if c.K != golden().K || c.P != golden().P {
			t.Fatal("the original was changed")
		}
	})
}

// FuzzPath: any URL and name give a clean absolute path or an error, and without a package's help nothing but what they
// say.
func FuzzPath(f *testing.F) {
	for _, url := range []string{"", caminfo.DefaultURL, "file:///a/b.yaml", "package://robot/x.yaml", "file://${ROS_HOME}/${NAME}", "${", "file:///${NAME}${NAME}"} {
		f.Add(url, "eye")
	}
	env := caminfo.Environment{Getenv: func(name string) string { return map[string]string{"HOME": "/home/pi"}[name] }}
	f.Fuzz(func(t *testing.T, url, name string) {
		path, err := env.Path(url, name)
		if err != nil {
			if !errors.Is(err, caminfo.ErrURL) || path != "" {
				t.Fatal(path, err)
			}
			return
		}
		if !filepath.IsAbs(path) || path != filepath.Clean(path) || strings.Contains(path, "${NAME}") && !strings.Contains(name, "${") {
			t.Fatalf("%q for %q of %q", path, url, name)
		}
	})
}
