// SPDX-License-Identifier: Apache-2.0

package vimu

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// biases are what differs from chip to chip, in the chip's axes.
type biases struct{ accel, gyro [3]float64 }

// drawBiases draws up to the greatest biases of package robot per axis.
func drawBiases(s noise.Source) (b biases) {
	s = s.Named("IMU factory")
	for i := range 3 {
		b.accel[i] = (float64(2*s.Float64(uint64(i))) - 1) * (robot.AccelBias / gravity) * gravity
		b.gyro[i] = (float64(2*s.Float64(uint64(i+3))) - 1) * (robot.GyroBias / degree) * degree
	}
	return b
}

// analog is the part of a chip before its registers: biases, noise and converter.
type analog struct {
	bias    biases
	noise   noise.Source
	perfect bool
}

func newAnalog(src noise.Source, perfect bool) analog {
	a := analog{noise: src.Named("IMU"), perfect: perfect}
	if !perfect {
		a.bias = drawBiases(src)
	}
	return a
}

// draw returns the noise of sample n on a channel.
func (a *analog) draw(channel int, density, band float64, n uint64) float64 {
	if a.perfect {
		return 0
	}
	return float64(float64(density*math.Sqrt(1.57*band)) * a.noise.Stream(uint64(channel)).Normal(n))
}

// convert returns sample n of accelerations (m/s²) and angular velocities (rad/s) in the chip's axes, counts.
func (a *analog) convert(s *setting, accel, gyro [3]float64, n uint64) (accelCounts, gyroCounts [3]int16) {
	for i := range 3 {
		accelCounts[i] = counts(accel[i]+a.bias.accel[i]+a.draw(i, s.accelNoise, s.accelBand, n), s.accelRange)
		gyroCounts[i] = counts(gyro[i]+a.bias.gyro[i]+a.draw(i+3, s.gyroNoise, s.gyroBand, n), s.gyroRange)
	}
	return accelCounts, gyroCounts
}

// Inertial is accelerometer and gyroscope of a chip without its registers, for robots without a bus: the biases, noise
// and converter of a [Chip] of the same noise source, set up as the driver does by default, ±2 g and ±500 °/s with a
// bandwidth of about 10 Hz. It does not change and is safe for concurrent use.
type Inertial struct {
	analog  analog
	model   Model
	mount   Mount
	setting setting
	tesla   [3]float64 // of the magnetometer, per count in its axes
	field   noise.Source
}

// NewInertial returns the sensors of a chip. Only Model, Mount, Noise and Perfect of the configuration count.
func NewInertial(cfg Config) *Inertial {
	if cfg.Mount == (Mount{}) {
		cfg.Mount = defaultMount()
	}
	s := setting{accelNoise: mpuAccelNoise, gyroNoise: mpuGyroNoise}
	if cfg.Model == ICM20948 {
		s = setting{accelNoise: icmAccelNoise, gyroNoise: icmGyroNoise}
	}
	s.accelRange, s.gyroRange = robot.AccelRange, robot.GyroRange
	sensors := Inertial{
		analog: newAnalog(cfg.Noise, cfg.Perfect), model: cfg.Model, mount: cfg.Mount, setting: s,
		field: cfg.Noise.Named("magnetometer"),
	}
	asa := [3]byte{128, 128, 128}
	if cfg.Model != ICM20948 && !cfg.Perfect {
		asa = drawAdjustment(cfg.Noise)
	}
	for i := range sensors.tesla {
		sensors.tesla[i] = float64(ak8963().tesla * adjustment(asa[i]))
		if cfg.Model == ICM20948 {
			sensors.tesla[i] = ak09916().tesla
		}
	}
	return sensors.WithBandwidth(10)
}

// WithBandwidth returns the sensors with the filters whose bandwidths are nearest to one in Hz.
func (s *Inertial) WithBandwidth(hz float64) *Inertial {
	c := *s
	accel, gyro := mpuAccelBands(), mpuGyroBands()
	if s.model == ICM20948 {
		accel, gyro = icmAccelBands(), icmGyroBands()
	}
	c.setting.accelBand, c.setting.gyroBand = accel.nearest(hz), gyro.nearest(hz)
	return &c
}

// Field returns sample n of the chip's magnetometer for a flux density, both in T in the robot's axes.
func (s *Inertial) Field(field [3]float64, n uint64) [3]float64 {
	v := s.model.inMagnetometer(s.mount.apply(field))
	for i := range v {
		if !s.analog.perfect {
			v[i] += float64(fieldNoise * s.field.Stream(uint64(i)).Normal(n))
		}
		v[i] = float64(float64(counts(v[i]/s.tesla[i], fullCounts)) * s.tesla[i])
	}
	return s.mount.undo(s.model.inMagnetometer(v))
}

// Measure returns sample n of a motion: acceleration (m/s²) and angular velocity (rad/s) in the robot's axes, which the
// motion is given in.
func (s *Inertial) Measure(m *Motion, n uint64) (accel, gyro [3]float64) {
	a, g := s.analog.convert(&s.setting, s.mount.apply(m.Accel), s.mount.apply(m.Gyro), n)
	for i := range 3 {
		accel[i] = float64(float64(a[i]) * s.setting.accelRange / fullCounts)
		gyro[i] = float64(float64(g[i]) * s.setting.gyroRange / fullCounts)
	}
	return s.mount.undo(accel), s.mount.undo(gyro)
}
