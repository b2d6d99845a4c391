// SPDX-License-Identifier: Apache-2.0

package caminfo_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
)

// TestScaled: a point of the world is seen at the scaled pixel, by K and by P, however the picture was scaled; edges of
// the picture stay edges.
func TestScaled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := golden()
		c.P[3] = rapid.Float64Range(-100, 100).Draw(t, "baseline")
		w, h := rapid.IntRange(2, 1280).Draw(t, "w"), rapid.IntRange(2, 1280).Draw(t, "h")
		s := c.Scaled(w, h)
		if s.Width != w || s.Height != h || c.Width != 640 || s.R != c.R || len(s.D) != len(c.D) {
			t.Fatal(s)
		}
		x, y := rapid.Float64Range(-1, 1).Draw(t, "x"), rapid.Float64Range(-1, 1).Draw(t, "y")
		// from the picture's left edge
		edge := func(u float64, of, n int) float64 { return (u + 0.5) / float64(of) * float64(n) }
		u, v := c.K[0]*x+c.K[2], c.K[4]*y+c.K[5]
		su, sv := s.K[0]*x+s.K[1]*y+s.K[2], s.K[4]*y+s.K[5]
		if math.Abs(edge(u, 640, w)-(su+0.5)) > 1e-9 || math.Abs(edge(v, 480, h)-(sv+0.5)) > 1e-9 {
			t.Fatalf("(%g, %g) became (%g, %g) in %d×%d", u, v, su, sv, w, h)
		}
		u, su = c.P[0]*x+c.P[2]+c.P[3], s.P[0]*x+s.P[2]+s.P[3]
		v, sv = c.P[5]*y+c.P[6], s.P[5]*y+s.P[6]
		if math.Abs(edge(u, 640, w)-(su+0.5)) > 1e-9 || math.Abs(edge(v, 480, h)-(sv+0.5)) > 1e-9 {
			t.Fatalf("rectified (%g, %g) became (%g, %g) in %d×%d", u, v, su, sv, w, h)
		}
		if s.K[8] != 1 || s.P[10] != 1 || s.Check() != nil {
			t.Fatal(s, s.Check())
		}
	})
	n := caminfo.NotCalibrated("x", 640, 480).Scaled(320, 240)
	if n.Calibrated() || n.Width != 320 || n.Height != 240 || n.K != [9]float64{} || n.P != [12]float64{} {
		t.Error("scaled, it is calibrated", n)
	}
	if same := golden().Scaled(640, 480); same.K != golden().K {
		t.Error(same)
	}
}
