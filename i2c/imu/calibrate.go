// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"fmt"
	"math"
)

// CalibrationOpts are the options of [Dev.Calibrate]. The zero value of each field means its default.
type CalibrationOpts struct {
	// Samples is how many samples are averaged, at least 10. It defaults to 100, one second at the default rate.
	Samples int
	// Level declares that the robot is on level ground, so that the whole acceleration is gravity along z, and the bias
	// of the accelerometer can be measured too. It defaults to false: only the gyroscope is calibrated, since a slope
	// and a bias look the same.
	Level bool
}

// Calibration is what was measured on a robot at rest, in the robot's axes.
type Calibration struct {
	GyroBias      [3]float64 // rad/s, subtracted from every sample
	AccelBias     [3]float64 // m/s², subtracted from every sample; zero unless found on level ground
	GyroVariance  [3]float64 // (rad/s)²
	AccelVariance [3]float64 // (m/s²)²
	Temperature   float64    // of the chip during the calibration, °C: the biases drift with it
	Samples       int
}

// Limits of a robot at rest.
const (
	restGyroSigma  = 0.02 // rad/s; sensor noise is about 0.001
	restAccelSigma = 0.15 // m/s²; sensor noise is about 0.03
	restGyroMean   = 0.17 // rad/s: the bias is at most 5 °/s, more is a turn
	gravitySlack   = 1.0  // m/s²: biases of all axes together
	tiltLimit      = 0.10 // rad, about 6°: biases alone look like less
)

// stats is a running mean and variance (Welford).
type stats struct{ mean, m2 float64 }

func (s *stats) add(v float64, n int) {
	delta := v - s.mean
	s.mean += delta / float64(n)
	s.m2 += float64(delta * (v - s.mean))
}

// Calibrator collects samples and holds the calibration in use. Create one with [NewCalibrator].
type Calibrator struct {
	result Calibration
	done   bool  // result is in use
	err    error // of the last calibration: nil, not yet, under way, or why it failed

	want, n     int
	level       bool
	accel, gyro [3]stats
	temperature stats
}

// NewCalibrator returns a Calibrator without a calibration.
func NewCalibrator() Calibrator { return Calibrator{err: ErrNotCalibrated} }

// Calibrate begins a calibration of the robot at rest with the samples of the following Polls, as soon as the chip
// runs. Until it ends, the previous calibration stays in use. The wheels must not turn: a slow uniform turn cannot be
// distinguished from a bias. It fails with [ErrCalibrating] if a calibration is in progress, and for options out of
// range.
func (d *Dev) Calibrate(o CalibrationOpts) error { return d.cal.Calibrate(o) }

// Calibration returns the calibration in use and how the last one ended: nil, [ErrNotCalibrated], [ErrCalibrating],
// [ErrMoving], or an error with the tilt of a robot that is not level or with an implausible gravity. After a failure
// the previous calibration, if any, stays in use.
func (d *Dev) Calibration() (Calibration, error) { return d.cal.Calibration() }

// SetCalibration sets an earlier calibration, for example from a file.
func (d *Dev) SetCalibration(c Calibration) error { return d.cal.SetCalibration(c) }

// Calibrate begins a calibration with the samples added from now on; see [Dev.Calibrate].
func (c *Calibrator) Calibrate(o CalibrationOpts) error {
	o.Samples = orDefault(o.Samples, 100)
	if o.Samples < 10 || o.Samples > 100000 {
		return fmt.Errorf("imu: Calibrate: Samples %d is not within 10 and 100000", o.Samples)
	}
	if c.want > 0 {
		return ErrCalibrating
	}
	*c = Calibrator{result: c.result, done: c.done, err: ErrCalibrating, want: o.Samples, level: o.Level}
	return nil
}

// Calibration returns the calibration in use and how the last one ended; see [Dev.Calibration].
func (c *Calibrator) Calibration() (Calibration, error) { return c.result, c.err }

// SetCalibration sets an earlier calibration; all its values must be finite.
func (c *Calibrator) SetCalibration(use Calibration) error {
	for _, v := range [][3]float64{use.GyroBias, use.AccelBias, use.GyroVariance, use.AccelVariance} {
		for _, x := range v {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("imu: SetCalibration: %+v is not finite", use)
			}
		}
	}
	*c = Calibrator{result: use, done: true}
	return nil
}

// Noise returns the variances of a sample of the robot at rest, per axis, (m/s²)² and (rad/s)²: those measured by the
// last calibration, or those of the model's data sheet at a bandwidth (Hz).
func (c *Calibrator) Noise(m Model, bandwidth float64) (accel, gyro [3]float64) {
	if c.done {
		return c.result.AccelVariance, c.result.GyroVariance
	}
	a, g := m.noise(bandwidth)
	return [3]float64{a, a, a}, [3]float64{g, g, g}
}

// Apply subtracts the biases from a sample.
func (c *Calibrator) Apply(s *Reading) {
	for i := range 3 {
		s.Gyro[i] -= c.result.GyroBias[i]
		s.Accel[i] -= c.result.AccelBias[i]
	}
}

// Abort ends a calibration in progress whose chip was lost; one that waits for its first sample keeps waiting.
func (c *Calibrator) Abort() {
	if c.want > 0 && c.n > 0 {
		c.want, c.err = 0, fmt.Errorf("%w: the chip was lost during the calibration", ErrNotCalibrated)
	}
}

// Add adds a sample before its biases are subtracted.
func (c *Calibrator) Add(s *Reading) {
	if c.want == 0 {
		return
	}
	c.n++
	for i := range 3 {
		c.accel[i].add(s.Accel[i], c.n)
		c.gyro[i].add(s.Gyro[i], c.n)
	}
	c.temperature.add(s.Temperature, c.n)
	if c.n < c.want {
		return
	}
	c.want = 0
	result, err := c.finish()
	if c.err = err; err == nil {
		c.result, c.done = result, true
	}
}

// finish evaluates the samples.
func (c *Calibrator) finish() (Calibration, error) {
	r := Calibration{Samples: c.n, Temperature: c.temperature.mean}
	var accel [3]float64
	for i := range 3 {
		r.GyroBias[i], r.GyroVariance[i] = c.gyro[i].mean, c.gyro[i].m2/float64(c.n-1)
		accel[i], r.AccelVariance[i] = c.accel[i].mean, c.accel[i].m2/float64(c.n-1)
	}
	for i, axis := range [...]string{"x", "y", "z"} {
		gs, as := math.Sqrt(r.GyroVariance[i]), math.Sqrt(r.AccelVariance[i])
		if gs > restGyroSigma || as > restAccelSigma || math.Abs(r.GyroBias[i]) > restGyroMean {
			return r, fmt.Errorf("%w: on %s the rate is %.3f ± %.3f rad/s, the acceleration varies by %.3f m/s²",
				ErrMoving, axis, r.GyroBias[i], gs, as)
		}
	}
	g := math.Sqrt(float64(accel[0]*accel[0]) + float64(accel[1]*accel[1]) + float64(accel[2]*accel[2]))
	if math.Abs(g-standardGravity) > gravitySlack {
		return r, fmt.Errorf("%w: gravity measures %.2f m/s²", errImplausible, g)
	}
	if c.level {
		if tilt := math.Atan2(math.Hypot(accel[0], accel[1]), accel[2]); tilt > tiltLimit {
			return r, fmt.Errorf("%w: by %.1f°", errTilted, tilt*180/math.Pi)
		}
		r.AccelBias = [3]float64{accel[0], accel[1], accel[2] - standardGravity}
	}
	return r, nil
}
