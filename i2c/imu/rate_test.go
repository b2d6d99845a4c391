// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/i2c/axes"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// TestAnyOptions: with random options, mounts and motions the result is the robot's motion in the robot's axes.
func TestAnyOptions(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		o := Opts{
			AccelRange: 2 << rapid.IntRange(0, 3).Draw(rt, "accel"), GyroRange: 250 << rapid.IntRange(0, 3).Draw(rt, "gyro"),
			Rate: rapid.Float64Range(5, 500).Draw(rt, "rate"), Bandwidth: rapid.Float64Range(5, 200).Draw(rt, "bandwidth"),
			MagRate: rapid.Float64Range(1, 100).Draw(rt, "mag rate"), Opts: device.Opts{Budget: rapid.IntRange(4, 40).Draw(rt, "budget")},
		}
		// Any of the 24 orientations of the chip with its sides parallel to the robot's.
		r := axes.Identity()
		for range rapid.IntRange(0, 5).Draw(rt, "turns") {
			if rapid.Bool().Draw(rt, "about z") {
				r[0], r[1] = r[1], [3]float64{-r[0][0], -r[0][1], -r[0][2]}
			} else {
				r[1], r[2] = r[2], [3]float64{-r[1][0], -r[1][1], -r[1][2]}
			}
		}
		o.Rotation = r
		var mount vimu.Mount // the inverse
		for i := range 3 {
			for j := range 3 {
				mount[i][j] = r[j][i]
			}
		}
		model := vimu.Model(rapid.IntRange(0, 3).Draw(rt, "model"))
		g := newRig(t, vimu.Config{Model: model, Mount: mount, Perfect: true, Noise: noise.New(1)}, &o)
		draw := func(name string, limit float64) (v [3]float64) {
			for i := range v {
				v[i] = rapid.Float64Range(-limit, limit).Draw(rt, name)
			}
			return v
		}
		g.body = vimu.Motion{Accel: draw("acceleration", 10), Gyro: draw("rotation", 4), Field: draw("field", 1e-3), Temperature: 30}
		s := g.up()
		near(t, "acceleration", s.Accel, g.body.Accel, 16*standardGravity/32768)
		near(t, "rotation", s.Gyro, g.body.Gyro, 2000*radPerDegree/32768)
		if g.dev.HasMagnetometer() != (model != vimu.MPU6500) {
			rt.Fatalf("magnetometer %v", g.dev.HasMagnetometer())
		}
		if g.dev.HasMagnetometer() {
			var f Field // a chip without noise gives the same field only once
			for range 100 {
				if g.dev.SenseField(&f) == nil {
					break
				}
				g.poll()
			}
			near(t, "field", f.Field, g.body.Field, 0.16e-6)
		}
		if g.most > uint64(o.Budget) {
			rt.Errorf("%d transactions in a Poll, budget %d", g.most, o.Budget)
		}
	})
}

// TestRates: polled often, samples arrive at the requested rate, within the resolution of the divider, and fields at
// theirs.
func TestRates(t *testing.T) {
	for model, cfg := range models() {
		for _, rate := range []float64{20, 100, 200} {
			g := newRig(t, cfg, &Opts{Rate: rate, MagRate: 5})
			g.cycle = 2 * time.Millisecond
			g.up()
			samples, fields := 0, 0
			for end := g.now + 2*time.Second; g.now < end; {
				u, err := g.poll()
				if err != nil {
					t.Fatalf("%v at %g Hz: %v", model, rate, err)
				}
				if u.Sample {
					samples++
				}
				if u.Field {
					fields++
				}
			}
			if got := float64(samples) / 2; math.Abs(got-rate) > 0.08*rate {
				t.Errorf("%v: %.1f samples/s, want %g", model, got, rate)
			}
			if got := float64(fields) / 2; g.dev.HasMagnetometer() && math.Abs(got-5) > 1 {
				t.Errorf("%v: %.1f fields/s, want 5", model, got)
			}
		}
	}
}

// TestDue: before Due a Poll makes no transaction, from then on it does.
func TestDue(t *testing.T) {
	g := newRig(t, vimu.Config{}, nil)
	g.up()
	before, due := g.dev.Stats().Transactions, g.dev.Next()
	if _, err := g.dev.Poll(due.Add(-time.Nanosecond)); err != nil || g.dev.Stats().Transactions != before {
		t.Errorf("%d transactions before it is due, %v", g.dev.Stats().Transactions-before, err)
	}
	if _, err := g.dev.Poll(due); err != nil || g.dev.Stats().Transactions == before {
		t.Errorf("no transaction when it is due, %v", err)
	}
}
