// SPDX-License-Identifier: Apache-2.0

package vimu_test

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// The sensors of a chip without its registers have the biases and the noise of the chip of the same source, and its
// steps.
func TestInertialIsTheChipWithoutRegisters(t *testing.T) {
	for _, model := range []vimu.Model{vimu.MPU9250, vimu.ICM20948} {
		motion := vimu.Motion{Accel: [3]float64{1, -2, g0}, Gyro: [3]float64{0.1, 0.2, -0.3}}
		s := vimu.NewInertial(vimu.Config{Model: model, Noise: noise.New(5)})
		var mean, square [6]float64
		const n = 4000
		for k := range uint64(n) {
			a, w := s.Measure(&motion, k)
			for i, v := range append(a[:], w[:]...) {
				mean[i] += v / n
				square[i] += v * v / n
			}
		}
		g := newRig(t, vimu.Config{Model: model, Noise: noise.New(5)})
		g.body.Accel, g.body.Gyro = motion.Accel, motion.Gyro
		if model == vimu.ICM20948 {
			g.wakeICM()
		}
		var chip [6]float64 // in the robot's axes, by the default mount: x = −y, y = x
		for range n {
			g.wait(10)
			var w []int16
			if model == vimu.ICM20948 {
				w = g.words(0x2D, 6)
			} else {
				w = g.words(0x3B, 7)
				w = append(w[:3:3], w[4:]...)
			}
			for i, v := range []int16{-w[1], w[0], w[2], -w[4], w[3], w[5]} {
				scale := 2 * g0 / 32768
				if i >= 3 {
					scale = 250 * math.Pi / 180 / 32768
				}
				chip[i] += float64(v) * scale / n
			}
		}
		for i := range 6 {
			if limit := []float64{0.02, 0.002}[i/3]; math.Abs(chip[i]-mean[i]) > limit {
				t.Errorf("%v: mean of value %d is %v, the chip's %v", model, i, mean[i], chip[i])
			}
			sigma := math.Sqrt(square[i] - mean[i]*mean[i])
			want := 300e-6 * g0 * math.Sqrt(1.57*10.2)
			if model == vimu.ICM20948 {
				want = 230e-6 * g0 * math.Sqrt(1.57*11.5)
			}
			if i >= 3 {
				want = []float64{0.01 * math.Sqrt(1.57*10), 0.015 * math.Sqrt(1.57*11.6)}[min(int(model), 1)] * math.Pi / 180
			}
			if math.Abs(sigma/want-1) > 0.1 {
				t.Errorf("%v: standard deviation of value %d is %v, want %v", model, i, sigma, want)
			}
		}
		quiet := vimu.NewInertial(vimu.Config{Model: model, Perfect: true})
		if a, w := quiet.Measure(&motion, 1); math.Abs(a[1]+2) > 6e-4 || math.Abs(w[2]+0.3) > 3e-4 {
			t.Errorf("%v without noise: %v m/s², %v rad/s", model, a, w)
		}
		if f := quiet.Field([3]float64{2e-5, 0, -4e-5}, 1); math.Abs(f[0]-2e-5) > 1e-7 || f[1] != 0 || math.Abs(f[2]+4e-5) > 1e-7 {
			t.Errorf("%v without noise: %v T", model, f)
		}
	}
}
