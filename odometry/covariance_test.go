// SPDX-License-Identifier: Apache-2.0

package odometry

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// det2 is the determinant of the upper left part, det3 that of the whole.
func det2(p [9]float64) float64 { return p[0]*p[4] - p[1]*p[3] }
func det3(p [9]float64) float64 {
	return p[0]*(p[4]*p[8]-p[5]*p[7]) - p[1]*(p[3]*p[8]-p[5]*p[6]) + p[2]*(p[3]*p[7]-p[4]*p[6])
}

// TestCovarianceShape: symmetric, positive, never smaller in heading.
func TestCovarianceShape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := start(t, Config{}, 0, 0)
		last := 0.0
		for range rapid.IntRange(1, 100).Draw(t, "n") {
			s, _ := drive(o, rapid.Int16Range(-55, 55).Draw(t, "dl"), rapid.Int16Range(-55, 55).Draw(t, "dr"))
			p := s.PoseCovariance
			if p[1] != p[3] || p[2] != p[6] || p[5] != p[7] {
				t.Fatalf("not symmetric: %v", p)
			}
			if p[0] < 0 || p[4] < 0 || p[8] < last || det2(p) < -1e-18 || det3(p) < -1e-18 {
				t.Fatalf("no covariance: %v", p)
			}
			last = p[8]
			if w := s.TwistCovariance; w[0] <= 0 || w[3] <= 0 || w[1] != w[2] || w[0]*w[3] < w[1]*w[2] {
				t.Fatalf("no covariance: %v", w)
			}
		}
	})
}

// TestCovarianceGrows: with distance, with turning, not while standing.
func TestCovarianceGrows(t *testing.T) {
	run := func(n int, dl, dr int16) State {
		o := start(t, Config{}, 0, 0)
		for range n {
			drive(o, dl, dr)
		}
		return o.State()
	}
	if s := run(100, 0, 0); s.PoseCovariance != [9]float64{} {
		t.Errorf("standing: %v", s.PoseCovariance)
	}
	m := run(159, 50, 50) // 7950 steps: 0.999 m straight on
	if std := math.Sqrt(m.PoseCovariance[0]); math.Abs(std-0.002/math.Sqrt2) > 1e-4 {
		t.Errorf("along after 1 m: %v m, want the mean of two wheels of 2 mm each", std)
	}
	if std, want := math.Sqrt(m.PoseCovariance[8]), 0.002*math.Sqrt2/0.05685; math.Abs(std-want) > 1e-3 {
		t.Errorf("heading after 1 m: %v rad, want %v", std, want)
	}
	if m.PoseCovariance[4] < 2*m.PoseCovariance[0] {
		t.Error("the sideways error does not grow by the heading's")
	}
	two := run(318, 50, 50)
	if r := two.PoseCovariance[0] / m.PoseCovariance[0]; math.Abs(r-2) > 0.01 {
		t.Errorf("twice the way gives %v times the variance", r)
	}
	turn := run(159, -50, 50)
	if turn.PoseCovariance[8] < 2*m.PoseCovariance[8] || turn.X*turn.X+turn.Y*turn.Y > 1e-12 {
		t.Errorf("turning on the spot: at %v, %v with %v", turn.X, turn.Y, turn.PoseCovariance)
	}
}

// TestCovarianceMonteCarlo compares the propagation with robots that really slip as the model says.
func TestCovarianceMonteCarlo(t *testing.T) {
	const robots, n = 4000, 60
	cfg := Config{TurnStd: 1e-9}
	o := start(t, cfg, 0, 0)
	cfg = o.Config()
	for range n {
		drive(o, 50, 40)
	}
	s := o.State()
	rng := rand.New(rand.NewPCG(1, 2))
	var got [9]float64
	mPerStep := 2 * math.Pi / cfg.StepsPerTurn * cfg.WheelRadius
	pl, pr := 50*mPerStep, 40*mPerStep
	for range robots {
		var x, y, theta float64
		for range n {
			l := pl + rng.NormFloat64()*cfg.SlipStd*math.Sqrt(pl)
			r := pr + rng.NormFloat64()*cfg.SlipStd*math.Sqrt(pr)
			x, y, theta = arc(x, y, theta, (l+r)/2, (r-l)/cfg.WheelDistance)
		}
		e := [3]float64{x - s.X, y - s.Y, Wrap(theta - s.Theta)}
		for i := range 9 {
			got[i] += e[i/3] * e[i%3] / robots
		}
	}
	for i, want := range s.PoseCovariance {
		scale := math.Sqrt(s.PoseCovariance[i/3*4] * s.PoseCovariance[i%3*4])
		if math.Abs(got[i]-want) > 0.1*scale {
			t.Errorf("element %d: propagated %g, simulated %g", i, want, got[i])
		}
	}
}

func TestMatrices(t *testing.T) {
	s := State{
		PoseCovariance:  [9]float64{1, 2, 3, 2, 4, 5, 3, 5, 6},
		TwistCovariance: [4]float64{7, 8, 8, 9},
	}
	var m [36]float64
	m[3] = 42 // what was there before is gone
	s.PutPoseCovariance(&m)
	if want := ([36]float64{
		1, 2, 0, 0, 0, 3,
		2, 4, 0, 0, 0, 5,
		0, 0, Unknown, 0, 0, 0,
		0, 0, 0, Unknown, 0, 0,
		0, 0, 0, 0, Unknown, 0,
		3, 5, 0, 0, 0, 6,
	}); m != want {
		t.Errorf("pose %v", m)
	}
	s.PutTwistCovariance(&m)
	if want := ([36]float64{
		7, 0, 0, 0, 0, 8,
		0, 7, 0, 0, 0, 0,
		0, 0, Unknown, 0, 0, 0,
		0, 0, 0, Unknown, 0, 0,
		0, 0, 0, 0, Unknown, 0,
		8, 0, 0, 0, 0, 9,
	}); m != want {
		t.Errorf("twist %v", m)
	}
}
