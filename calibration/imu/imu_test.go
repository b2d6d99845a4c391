// SPDX-License-Identifier: Apache-2.0

package imu_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/calibration/imu"
	chip "github.com/epuck-ros2/epuck-driver/i2c/imu"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// robot is a simulated robot whose inertial sensors have wrong scales and axes, read as the driver does.
type robot struct {
	t     *testing.T
	clock *sim.Clock
	sim   *sim.Firmware
	dev   *chip.Dev
}

func newRobot(t *testing.T, seed uint64) *robot {
	t.Helper()
	w, err := sim.ParseWorld([]byte("robots:\n  - {name: r, variation: {inertial: 0.02}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	r := &robot{t: t, clock: sim.NewClock()}
	s, err := sim.New(w, sim.Options{Seed: seed, Now: r.clock.Now, Sleep: r.clock.Sleep})
	if err != nil {
		t.Fatal(err)
	}
	r.sim = sim.RobotsOf[*sim.Firmware](s)[0]
	if r.dev, err = chip.New(r.sim.Bus(), 0, &chip.Opts{Rate: 100, Bandwidth: 20, MagRate: 50}); err != nil {
		t.Fatal(err)
	}
	r.sample(50)
	return r
}

// sample takes n samples.
func (r *robot) sample(n int) (accel, gyro, field []imu.Vec) {
	for k := 0; len(accel) < n; k++ {
		if k > 100*n+1000 {
			r.t.Fatal("the chip gives no samples")
		}
		r.clock.Sleep(10 * time.Millisecond)
		u, _ := r.dev.Poll(r.clock.Now())
		if u.Sample {
			var s chip.Reading
			if err := r.dev.Sense(&s); err != nil {
				r.t.Fatal(err)
			}
			accel, gyro = append(accel, s.Accel), append(gyro, s.Gyro)
		}
		if u.Field {
			var f chip.Field
			if err := r.dev.SenseField(&f); err == nil {
				field = append(field, f.Field)
			}
		}
	}
	return accel, gyro, field
}

// attitudes of the six positions: roll and pitch.
var attitudes = map[imu.Face][2]float64{
	imu.ZUp: {0, 0}, imu.ZDown: {math.Pi, 0}, imu.XUp: {0, -math.Pi / 2}, imu.XDown: {0, math.Pi / 2},
	imu.YUp: {math.Pi / 2, 0}, imu.YDown: {-math.Pi / 2, 0},
}

// TestSixPositions: bias, scales and axes of simulated chips come out within what the noise allows, and so do
// accelerations in positions that were not measured.
func TestSixPositions(t *testing.T) {
	for seed := range uint64(6) {
		r := newRobot(t, seed)
		positions := map[imu.Face]imu.Mean{}
		for f, a := range attitudes {
			if err := r.sim.Tilt(a[0], a[1]); err != nil {
				t.Fatal(err)
			}
			r.sample(5)
			accel, _, _ := r.sample(200)
			positions[f] = imu.Average(accel)
		}
		res, err := imu.Accelerometer(positions)
		if err != nil {
			t.Fatal(err)
		}
		if res.After > res.Before/10 {
			t.Errorf("seed %d: %.4f m/s² after, %.4f before", seed, res.After, res.Before)
		}
		for _, a := range [][2]float64{{0.5, 0.3}, {-0.4, 0.7}, {2.5, -0.2}} {
			_ = r.sim.Tilt(a[0], a[1])
			r.sample(5)
			accel, _, _ := r.sample(200)
			m := imu.Average(accel)
			got := res.Correction.Apply(m.Value)
			bound := 4 * (res.BiasSigma.Norm() + imu.Gravity*res.ScaleSigma.Norm() + m.Sigma.Norm())
			want := imu.Vec{imu.Gravity * -math.Sin(a[1]), imu.Gravity * math.Sin(a[0]) * math.Cos(a[1]), imu.Gravity * math.Cos(a[0]) * math.Cos(a[1])}
			for i := range 3 {
				if math.Abs(got[i]-want[i]) > bound {
					t.Errorf("seed %d, at %v: %v, want %v ± %.3f", seed, a, got, want, bound)
				}
			}
		}
	}
}

// TestEllipsoid: hard iron of simulated chips within its noise, and a field of one length in every direction.
func TestEllipsoid(t *testing.T) {
	for seed := range uint64(4) {
		r := newRobot(t, seed)
		rng := rand.New(rand.NewPCG(seed, 2))
		take := func(n int) (all []imu.Vec) {
			for range n {
				_ = r.sim.Place(sim.Pose{Theta: 2 * math.Pi * rng.Float64()})
				_ = r.sim.Tilt(math.Pi*(2*rng.Float64()-1), math.Pi*(rng.Float64()-0.5))
				_, _, field := r.sample(6)
				all = append(all, field[len(field)-1])
			}
			return all
		}
		res, err := imu.Magnetometer(take(200))
		if err != nil {
			t.Fatal(err)
		}
		if res.Flat || res.After > 0.8e-6 || res.Before < 3*res.After {
			t.Errorf("seed %d: %+v", seed, res)
		}
		var lengths []float64
		for _, v := range take(40) { // others
			lengths = append(lengths, res.Correction.Apply(v).Norm())
		}
		for _, l := range lengths {
			if math.Abs(l-res.Field) > 4*0.7e-6 {
				t.Errorf("seed %d: a field of %.2f µT, usual %.2f", seed, l*1e6, res.Field*1e6)
			}
		}
	}
}

// TestFlatTurn: on the floor only an ellipse is found, and the vertical axis is left alone.
func TestFlatTurn(t *testing.T) {
	r := newRobot(t, 3)
	var all []imu.Vec
	for k := range 120 {
		_ = r.sim.Place(sim.Pose{Theta: float64(k) * 0.1})
		_, _, field := r.sample(6)
		all = append(all, field[len(field)-1])
	}
	res, err := imu.Magnetometer(all)
	if err != nil || !res.Flat || res.Correction.Matrix[8] != 1 || res.Correction.Bias[2] != 0 || res.After > 0.8e-6 || res.Before < 2*res.After {
		t.Errorf("%+v, %v", res, err)
	}
	if _, err := imu.Magnetometer(all[:55][:52]); err == nil {
		t.Log("most of a circle is enough")
	}
	arc := append(append([]imu.Vec{}, all[:10]...), all[:10]...)
	arc = append(append(arc, arc...), arc...)
	if _, err := imu.Magnetometer(arc); !errors.Is(err, imu.ErrData) {
		t.Errorf("an arc of 1 rad passes: %v", err)
	}
}

// TestGyroscope: bias, scale and leaks of a sensor of known faults.
func TestGyroscope(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := rapid.Float64Range(-0.03, 0.03)
		m := imu.Vec{u.Draw(t, "x"), u.Draw(t, "y"), 1 + u.Draw(t, "z")}
		b := imu.Vec{u.Draw(t, "bx"), u.Draw(t, "by"), u.Draw(t, "bz")}
		var turns []imu.Turn
		for k := range 6 {
			a := float64(1-2*(k%2)) * (6 + float64(k))
			d := 6.5 + float64(k)/2
			var i imu.Vec
			for j := range i {
				i[j] = m[j]*a + b[j]*d
			}
			turns = append(turns, imu.Turn{Angle: a, Integral: i, Duration: d})
		}
		res, err := imu.Gyroscope(turns)
		if err != nil {
			t.Fatal(err)
		}
		rate := imu.Vec{m[0]*2 + b[0], m[1]*2 + b[1], m[2]*2 + b[2]}
		if got := res.Correction.Apply(rate); math.Abs(got[0])+math.Abs(got[1])+math.Abs(got[2]-2) > 1e-9 {
			t.Fatalf("%v, want 2 rad/s about z", got)
		}
	})
}

func TestRefusals(t *testing.T) {
	good := map[imu.Face]imu.Mean{}
	for _, f := range imu.Faces() {
		var v imu.Vec
		v[f/2] = imu.Gravity * float64(1-2*int(f%2))
		good[f] = imu.Mean{Value: v}
	}
	missing := map[imu.Face]imu.Mean{imu.ZUp: good[imu.ZUp]}
	mixed := map[imu.Face]imu.Mean{}
	for f, m := range good {
		mixed[f] = m
	}
	mixed[imu.XUp] = good[imu.XDown]
	for name, p := range map[string]map[imu.Face]imu.Mean{"missing": missing, "mixed up": mixed} {
		if _, err := imu.Accelerometer(p); !errors.Is(err, imu.ErrData) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if res, err := imu.Accelerometer(good); err != nil || res.After > 1e-12 {
		t.Errorf("%+v, %v", res, err)
	}
	for name, turns := range map[string][]imu.Turn{
		"none": nil, "one way": {{Angle: 6, Duration: 6}, {Angle: 6, Duration: 6}, {Angle: 6, Duration: 6}},
		"still": {{Angle: 6, Duration: 6}, {Angle: -6, Duration: 6}, {Angle: 6, Duration: 6}},
		"mad":   {{Angle: math.NaN(), Duration: 6}, {Angle: -6, Duration: 6}, {Angle: 6, Duration: 6}},
	} {
		if _, err := imu.Gyroscope(turns); !errors.Is(err, imu.ErrData) {
			t.Errorf("%s: %v", name, err)
		}
	}
	still := make([]imu.Vec, 100)
	if _, err := imu.Magnetometer(still); !errors.Is(err, imu.ErrData) {
		t.Error(err)
	}
	still[5][0] = math.NaN()
	if _, err := imu.Magnetometer(still); !errors.Is(err, imu.ErrData) {
		t.Error(err)
	}
}

func TestUndo(t *testing.T) {
	c := imu.Correction{Bias: imu.Vec{0.1, -0.2, 0.3}, Matrix: imu.Matrix{1.02, 0.01, 0, -0.02, 0.98, 0.01, 0, 0.03, 1.01}}
	v := imu.Vec{1, 2, 3}
	got, err := c.Undo(c.Apply(v))
	if err != nil || math.Abs(got[0]-1)+math.Abs(got[1]-2)+math.Abs(got[2]-3) > 1e-12 {
		t.Error(got, err)
	}
	if _, err := (imu.Correction{}).Undo(v); !errors.Is(err, imu.ErrData) {
		t.Error(err)
	}
}

// A gyroscope that measures 1 % too much.
func ExampleGyroscope() {
	turns := []imu.Turn{
		{Angle: 6, Integral: imu.Vec{0, 0, 6.06}, Duration: 6}, {Angle: -6, Integral: imu.Vec{0, 0, -6.06}, Duration: 6},
		{Angle: 6, Integral: imu.Vec{0, 0, 6.06}, Duration: 6},
	}
	res, err := imu.Gyroscope(turns)
	fmt.Printf("%.3f rad/s %v\n", res.Correction.Apply(imu.Vec{0, 0, 1.01})[2], err)
	// Output: 1.000 rad/s <nil>
}
