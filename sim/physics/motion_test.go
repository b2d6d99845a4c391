// SPDX-License-Identifier: Apache-2.0

package physics_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// vector compares two vectors.
func vector(t testing.TB, what string, got, want physics.Vec3, tolerance float64) {
	t.Helper()
	for i, axis := range "xyz" {
		near(t, what+" "+string(axis), got[i], want[i], tolerance)
	}
}

// REP 103: nose up is negative pitch, left side up positive roll; gravity's
// reaction points up.
func TestLeaning(t *testing.T) {
	up := physics.Vec3{0, 0, 1}
	for _, c := range []struct {
		name        string
		roll, pitch float64
		want        physics.Vec3
	}{
		{"level", 0, 0, physics.Vec3{0, 0, 1}},
		{"nose up", 0, -math.Pi / 6, physics.Vec3{0.5, 0, math.Sqrt(0.75)}},
		{"nose down", 0, math.Pi / 6, physics.Vec3{-0.5, 0, math.Sqrt(0.75)}},
		{"left up", math.Pi / 6, 0, physics.Vec3{0, 0.5, math.Sqrt(0.75)}},
		{"on its right side", math.Pi / 2, 0, physics.Vec3{0, 1, 0}},
		{"nose to the sky", 0, -math.Pi / 2, physics.Vec3{1, 0, 0}},
		{"upside down", math.Pi, 0, physics.Vec3{0, 0, -1}},
	} {
		vector(t, c.name, physics.Attitude{Roll: c.roll, Pitch: c.pitch}.ToRobot(up), c.want, 1e-12)
	}
}

// Turning keeps lengths and angles.
func TestLeaningIsARotation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		angle := rapid.Float64Range(-math.Pi, math.Pi)
		a := physics.Attitude{Roll: angle.Draw(t, "roll"), Pitch: angle.Draw(t, "pitch")}
		x, y, z := a.ToRobot(physics.Vec3{1, 0, 0}), a.ToRobot(physics.Vec3{0, 1, 0}), a.ToRobot(physics.Vec3{0, 0, 1})
		dot := func(a, b physics.Vec3) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
		cross := physics.Vec3{x[1]*y[2] - x[2]*y[1], x[2]*y[0] - x[0]*y[2], x[0]*y[1] - x[1]*y[0]}
		for name, v := range map[string]float64{
			"|x|": dot(x, x) - 1, "|y|": dot(y, y) - 1, "|z|": dot(z, z) - 1,
			"x·y": dot(x, y), "x·z": dot(x, z), "det": dot(cross, z) - 1,
		} {
			if math.Abs(v) > 1e-12 {
				t.Fatalf("%s is off by %v", name, v)
			}
		}
	})
}

// The body takes over a jump of speed within some hundredths of a second; all
// acceleration together is the change of speed.
func TestMotionFollowsTheWheels(t *testing.T) {
	var m physics.Motion
	sum, peak := 0.0, 0.0
	for range 100 {
		m.Step(0.1, 2)
		sum += m.A * 0.001
		peak = max(peak, m.A)
	}
	near(t, "speed", m.V, 0.1, 1e-6)
	near(t, "turning", m.Omega, 2, 1e-5)
	near(t, "integral of acceleration", sum, m.V, 1e-12)
	if peak < 5 || peak > 20 {
		t.Errorf("peak acceleration %v m/s²", peak)
	}
	for range 150 {
		m.Step(0, 0)
	}
	if !m.Settled() {
		t.Errorf("150 ms after the stop: %+v", m)
	}
	m.Step(0, 0)
	if !m.Settled() {
		t.Error("standing still does not last")
	}
}

// However the speeds change, the integral of the felt turning is what the
// wheels turned, but for what the body still has to take over.
func TestNoTurningIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m physics.Motion
		felt, made := 0.0, 0.0
		for _, w := range rapid.SliceOfN(rapid.Float64Range(-5, 5), 1, 300).Draw(t, "omega") {
			m.Step(0, w)
			felt += m.Omega * 0.001
			made += w * 0.001
		}
		if math.Abs(felt-made) > 10*0.008 { // 5 rad/s on either side, 8 ms late
			t.Fatalf("felt %v rad, made %v rad", felt, made)
		}
	})
}

func TestInertiaAtRest(t *testing.T) {
	in := physics.NewInertia(noise.New(3), false)
	vector(t, "acceleration", in.Acceleration(physics.Motion{}, physics.Attitude{}, 1), physics.Vec3{0, 0, 9.80665}, 0)
	vector(t, "turning", in.Rotation(physics.Motion{}, physics.Attitude{}, 1), physics.Vec3{}, 0)
}

// Driving shakes, faster driving more, about the true value.
func TestShaking(t *testing.T) {
	in := physics.NewInertia(noise.New(3), false)
	for _, v := range []float64{0.05, 0.1} {
		const n = 2000
		var mean, square [2]float64
		for i := range uint64(n) {
			a := in.Acceleration(physics.Motion{V: v}, physics.Attitude{}, i)[0]
			w := in.Rotation(physics.Motion{V: v, Omega: 1}, physics.Attitude{}, i)[2] - 1
			for k, x := range [2]float64{a, w} {
				mean[k] += x / n
				square[k] += x * x / n
			}
		}
		for k, sigma := range [2]float64{0.5 * v, 0.01 * v} {
			near(t, "mean", mean[k], 0, 4*sigma/math.Sqrt(n))
			near(t, "deviation", math.Sqrt(square[k]), sigma, 0.1*sigma)
		}
	}
	quiet := physics.NewInertia(noise.New(3), true)
	vector(t, "quiet", quiet.Rotation(physics.Motion{V: 0.1, Omega: 2}, physics.Attitude{}, 5), physics.Vec3{0, 0, 2}, 0)
}

// The magnetism belongs to the robot, is within bounds and not always the same.
func TestIron(t *testing.T) {
	seen := map[float64]bool{}
	for seed := range uint64(50) {
		for _, v := range physics.NewInertia(noise.New(seed), true).Iron() {
			if math.Abs(v) > 1e-6 {
				t.Errorf("seed %d: %v T", seed, v)
			}
			seen[v] = true
		}
	}
	if len(seen) != 150 {
		t.Errorf("%d different values of 150", len(seen))
	}
}

// What the axes mean: speeding up is +x, a left curve pulls to +y and turns +z.
func TestMotionAxes(t *testing.T) {
	in := physics.NewInertia(noise.New(1), true)
	m := physics.Motion{V: 0.1, Omega: 2, A: 3}
	vector(t, "acceleration", in.Acceleration(m, physics.Attitude{}, 0), physics.Vec3{3, 0.2, 9.80665}, 1e-12)
	vector(t, "turning", in.Rotation(m, physics.Attitude{}, 0), physics.Vec3{0, 0, 2}, 1e-12)
}

// North stays north while the robot turns.
func TestMagneticHeading(t *testing.T) {
	in := physics.NewInertia(noise.New(1), true)
	iron := in.Iron()
	for theta := -3.1; theta < 3.2; theta += 0.1 {
		v := in.Magnetic(physics.Vec3{0, 22e-6, -43e-6}, theta, physics.Attitude{})
		heading := math.Atan2(v[0]-iron[0], v[1]-iron[1]) // x east, y north: the field points to π/2
		near(t, "heading", math.Remainder(heading-theta, 2*math.Pi), 0, 1e-9)
		near(t, "down", v[2]-iron[2], -43e-6, 1e-12)
	}
}

// A cycle is ten steps, but for rounding, and ends in rest as they do.
func TestMotionCycleIsTenSteps(t *testing.T) {
	var steps, cycles physics.Motion
	for k, c := range []struct{ v, omega float64 }{{0.1, 0}, {0.1, 2}, {-0.05, -1}, {0, 0}, {0, 0}, {0, 0.5}, {0, 0}} {
		for range 10 {
			steps.Step(c.v, c.omega)
		}
		cycles.Cycle(c.v, c.omega)
		near(t, fmt.Sprint("speed after cycle ", k), cycles.V, steps.V, 1e-12)
		near(t, fmt.Sprint("turn after cycle ", k), cycles.Omega, steps.Omega, 1e-12)
		near(t, fmt.Sprint("acceleration after cycle ", k), cycles.A, steps.A, 1e-9)
	}
	for range 20 {
		cycles.Cycle(0, 0)
	}
	if !cycles.Settled() {
		t.Errorf("after 200 ms at rest: %+v", cycles)
	}
}
