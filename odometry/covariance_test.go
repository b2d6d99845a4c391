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

// TestCovarianceGrows: with distance, with turning, not at rest.
func TestCovarianceGrows(t *testing.T) {
	run := func(n int, dl, dr int16) State {
		o := start(t, Config{}, 0, 0)
		for range n {
			drive(o, dl, dr)
		}
		return o.State()
	}
	if s := run(100, 0, 0); s.PoseCovariance != [9]float64{} {
		t.Errorf("at rest: %v", s.PoseCovariance)
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
		e := [3]float64{x - s.X, y - s.Y, wrap(theta - s.Theta)}
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
		0, 0, unknown, 0, 0, 0,
		0, 0, 0, unknown, 0, 0,
		0, 0, 0, 0, unknown, 0,
		3, 5, 0, 0, 0, 6,
	}); m != want {
		t.Errorf("pose %v", m)
	}
	s.PutTwistCovariance(&m)
	if want := ([36]float64{
		7, 0, 0, 0, 0, 8,
		0, 7, 0, 0, 0, 0,
		0, 0, unknown, 0, 0, 0,
		0, 0, 0, unknown, 0, 0,
		0, 0, 0, 0, unknown, 0,
		8, 0, 0, 0, 0, 9,
	}); m != want {
		t.Errorf("twist %v", m)
	}
}

// TestGeometryCovariance compares the sensitivities with robots whose geometry really differs, over a way with bends.
func TestGeometryCovariance(t *testing.T) {
	covariance := [9]float64{1e-6, 4e-7, 2e-7, 4e-7, 9e-7, -1e-7, 2e-7, -1e-7, 4e-6}
	way := [][2]int16{{50, 50}, {50, 40}, {-40, 40}, {20, 55}, {55, 55}, {-30, -50}}
	travel := func(cfg Config) State {
		o := start(t, cfg, 0, 0)
		for i := range 150 {
			drive(o, way[i/25][0], way[i/25][1])
		}
		return o.State()
	}
	base := Config{WheelRadius: 0.02, RadiusRatio: 1, WheelDistance: 0.05685, SlipStd: 1e-9, TurnStd: 1e-9}
	at := func(l, r, b float64) State { // a robot with these relative errors
		cfg := base
		cfg.WheelRadius *= (2 + l + r) / 2
		cfg.RadiusRatio, cfg.WheelDistance = (1+r)/(1+l), base.WheelDistance*(1+b)
		return travel(cfg)
	}
	const h = 1e-6
	var jac [3][3]float64
	for k := range 3 {
		var d [3]float64
		d[k] = h
		up, down := at(d[0], d[1], d[2]), at(-d[0], -d[1], -d[2])
		for i, v := range [3]float64{up.X - down.X, up.Y - down.Y, wrap(up.Theta - down.Theta)} {
			jac[i][k] = v / (2 * h)
		}
	}
	cfg := base
	cfg.Covariance = covariance
	got := travel(cfg).PoseCovariance
	for i := range 3 {
		for j := range 3 {
			want := quadratic(&jac[i], &covariance, &jac[j])
			scale := math.Sqrt(quadratic(&jac[i], &covariance, &jac[i]) * quadratic(&jac[j], &covariance, &jac[j]))
			if math.Abs(got[3*i+j]-want) > 0.01*scale {
				t.Errorf("row %d, column %d: %g, want %g", i, j, got[3*i+j], want)
			}
		}
	}
}

// TestGeometryIsOneError: the same way back takes the geometry's error off, which no slip does; changing the geometry
// keeps what was uncertain.
func TestGeometryIsOneError(t *testing.T) {
	o := start(t, Config{SlipStd: 1e-9, TurnStd: 1e-9, Covariance: [9]float64{0: 1e-6, 4: 1e-6, 8: 1e-6}}, 0, 0)
	for range 50 {
		drive(o, 50, 45)
	}
	far := o.State().PoseCovariance
	for range 50 {
		drive(o, -50, -45)
	}
	if back := o.State().PoseCovariance; back[0] > far[0]/100 || back[4] > far[4]/100 || back[8] > far[8]/100 {
		t.Errorf("back at the start %v, far off %v", back, far)
	}
	for range 50 {
		drive(o, 50, 45)
	}
	before := o.State().PoseCovariance
	if err := o.SetGeometry(Config{WheelRadius: 0.021}); err != nil {
		t.Fatal(err)
	}
	s, _ := drive(o, 0, 0)
	for i, v := range s.PoseCovariance {
		if math.Abs(v-before[i]) > 1e-15 {
			t.Errorf("element %d: %g, was %g", i, v, before[i])
		}
	}
}

// TestUnequalWheels: straight on with unequal wheels is a bend.
func TestUnequalWheels(t *testing.T) {
	o := start(t, Config{WheelRadius: 0.02, RadiusRatio: 1.03}, 0, 0)
	for range 100 {
		drive(o, 50, 50)
	}
	l := 2 * 0.02 / 2.03
	want := 5000 * 2 * math.Pi / 1000 * (1.03*l - l) / 0.05685
	if s := o.State(); math.Abs(s.Theta-wrap(want)) > 1e-9 || math.Abs(s.Distance-5000*2*math.Pi/1000*0.02) > 1e-9 {
		t.Errorf("turned by %v, want %v; went %v", s.Theta, want, s.Distance)
	}
}
