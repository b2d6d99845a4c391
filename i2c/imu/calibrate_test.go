// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"errors"
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// calibrate runs a calibration to its end; move changes the robot before each poll.
func (g *rig) calibrate(o CalibrationOpts, move func(i int)) (Calibration, error) {
	g.t.Helper()
	if err := g.dev.Calibrate(o); err != nil {
		g.t.Fatal(err)
	}
	for i := range 1000 {
		if move != nil {
			move(i)
		}
		g.poll()
		if c, err := g.dev.Calibration(); !errors.Is(err, ErrCalibrating) {
			return c, err
		}
	}
	g.t.Fatal("the calibration does not end")
	return Calibration{}, nil
}

// average is the mean of n samples.
func (g *rig) average(n int) (accel, gyro [3]float64) {
	for k := 0; k < n; {
		if u, _ := g.poll(); !u.Sample {
			continue
		}
		s := g.sense()
		k++
		for i := range 3 {
			accel[i] += s.Accel[i] / float64(n)
			gyro[i] += s.Gyro[i] / float64(n)
		}
	}
	return accel, gyro
}

// TestCalibration: the biases are removed, gravity remains, and the noise is the chip's.
func TestCalibration(t *testing.T) {
	for _, cfg := range models() {
		for seed := range uint64(2) {
			cfg.Noise = noise.New(seed)
			g := newRig(t, cfg, nil)
			g.up()
			if _, gyro := g.average(50); math.Abs(gyro[0])+math.Abs(gyro[1])+math.Abs(gyro[2]) < 0.005 {
				t.Errorf("%v seed %d: the chip has no bias to calibrate: %v", g.dev, seed, gyro)
			}
			before, _ := g.average(50)
			c, err := g.calibrate(CalibrationOpts{}, nil)
			if err != nil || c.Samples != 100 || math.Abs(c.Temperature-30) > 0.5 {
				t.Fatalf("%v seed %d: %+v, %v", g.dev, seed, c, err)
			}
			accel, gyro := g.average(200)
			near(t, "rate at rest", gyro, [3]float64{}, 0.001)
			near(t, "acceleration without level ground", accel, before, 0.02)

			if c, err = g.calibrate(CalibrationOpts{Samples: 200, Level: true}, nil); err != nil {
				t.Fatal(err)
			}
			accel, _ = g.average(200)
			near(t, "acceleration at rest", accel, [3]float64{0, 0, standardGravity}, 0.01)
			ea, eg := g.dev.plan.model.noise(g.dev.opts.Bandwidth)
			va, vg := g.dev.Noise()
			for i := range 3 {
				if va[i] < ea/2 || va[i] > ea*2 || vg[i] < eg/2 || vg[i] > eg*2 || va != c.AccelVariance {
					t.Errorf("%v: variances %.3g and %.3g, data sheet %.3g and %.3g", g.dev, va, vg, ea, eg)
				}
			}
			g.body.Accel, g.body.Gyro = [3]float64{1, 0, 9.7}, [3]float64{0, 0, 2}
			accel, gyro = g.average(50)
			near(t, "turning", gyro, g.body.Gyro, 0.01)
			near(t, "braking", accel, g.body.Accel, 0.05)
		}
	}
}

// TestCalibrationRefuses: nothing is changed when the robot moves, is tilted, or falls.
func TestCalibrationRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		level bool
		move  func(g *rig, i int)
		want  error
	}{
		"turning":                    {false, func(g *rig, _ int) { g.body.Gyro[2] = 0.5 }, ErrMoving},
		"shaken":                     {false, func(g *rig, i int) { g.body.Gyro[0] = 0.1 * math.Sin(float64(i)) }, ErrMoving},
		"driving":                    {false, func(g *rig, i int) { g.body.Accel[0] = math.Sin(float64(i) / 5) }, ErrMoving},
		"starts late":                {false, func(g *rig, i int) { g.body.Gyro[2] = 0.4 * float64(i/90) }, ErrMoving},
		"on a slope":                 {true, func(g *rig, _ int) { g.body.Accel = [3]float64{1.7, 0, 9.66} }, errTilted},
		"on its head":                {true, func(g *rig, _ int) { g.body.Accel = [3]float64{0, 0, -9.81} }, errTilted},
		"falling":                    {false, func(g *rig, _ int) { g.body.Accel = [3]float64{} }, errImplausible},
		"on a slope, gyroscope only": {false, func(g *rig, _ int) { g.body.Accel = [3]float64{1.7, 0, 9.66} }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			g := newRig(t, vimu.Config{Model: vimu.ICM20948}, nil)
			g.up()
			good, err := g.calibrate(CalibrationOpts{Level: true}, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := g.calibrate(CalibrationOpts{Level: c.level}, func(i int) { c.move(g, i) })
			if !errors.Is(err, c.want) || c.want != nil && got != good {
				t.Errorf("%v, want %v; %+v", err, c.want, got)
			}
		})
	}
}

func TestCalibrationStates(t *testing.T) {
	g := newRig(t, vimu.Config{}, nil)
	if _, err := g.dev.Calibration(); !errors.Is(err, ErrNotCalibrated) {
		t.Error(err)
	}
	if va, vg := g.dev.Noise(); va[0] <= 0 || vg[2] <= 0 {
		t.Error("no noise expected", va, vg)
	}
	g.up()
	for _, n := range []int{9, -1, 1000000} {
		if err := g.dev.Calibrate(CalibrationOpts{Samples: n}); err == nil {
			t.Errorf("%d samples accepted", n)
		}
	}
	if err := g.dev.Calibrate(CalibrationOpts{}); err != nil {
		t.Fatal(err)
	}
	if err := g.dev.Calibrate(CalibrationOpts{}); !errors.Is(err, ErrCalibrating) {
		t.Error(err)
	}
	g.poll()
	g.chip.Inject(vimu.Faults{Frozen: true})
	g.wantErr(30, device.ErrFrozen)
	if _, err := g.dev.Calibration(); !errors.Is(err, ErrNotCalibrated) {
		t.Errorf("the chip was lost: %v", err)
	}
	g.chip.Inject(vimu.Faults{})
	g.up()
	want := Calibration{GyroBias: [3]float64{1, 2, 3}, GyroVariance: [3]float64{4, 5, 6}}
	if err := g.dev.SetCalibration(want); err != nil {
		t.Fatal(err)
	}
	if got, err := g.dev.Calibration(); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	near(t, "rate", g.sense().Gyro, [3]float64{-1, -2, -3}, 0.1)
	want.AccelBias[1] = math.NaN()
	if err := g.dev.SetCalibration(want); err == nil {
		t.Error("a bias that is no number was accepted")
	}
}
