// SPDX-License-Identifier: Apache-2.0

// Package vimu simulates the inertial measurement unit of an e-puck2 on its I²C bus: an MPU-9250, MPU-9255,
// MPU-6500 or ICM-20948, with the magnetometers in them.
//
// They behave as the data sheets say where a driver can observe it:
//
//   - The ICM-20948 sleeps after power-on, its measurements are zero; so does
//     the MPU-6500. The MPU-9250 measures at once, with the widest filter.
//   - A reset takes a while, and the gyroscope 35 ms more after waking up,
//     during which all measurements are zero.
//   - Registers of the ICM-20948 are in four banks; register 0x7F chooses.
//   - Scale, filter and rate act, and the rate divider of the MPU only with a
//     filter between 1 and 6.
//   - The AK8963 answers at 0x0C while the bypass switch is on; its
//     sensitivity can be read in fuse mode only, it changes modes only by way
//     of power-down, and holds its data until ST2 was read.
//   - Behind the switch both magnetometers are reached by the I2C master of the
//     IMU, which puts their data behind its own.
//   - On some robots the auxiliary bus does not work: Config.AuxBroken.
//
// The values are those of the moving robot, turned into the chip's axes, with
// biases and noise from the data sheets. A [Chip] reads the time from the
// function it was given. It is not safe for concurrent use.
package vimu

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// Addresses of the IMU, by its pin AD0, and of both magnetometers.
const (
	AddressLow   = 0x68
	AddressHigh  = 0x69
	AddressField = 0x0C
)

// Model says which chip it is.
type Model uint8

// The models.
const (
	MPU9250 Model = iota
	MPU9255
	MPU6500
	ICM20948
)

// String returns the name used in world files.
func (m Model) String() string {
	switch m {
	case MPU9250:
		return "mpu9250"
	case MPU9255:
		return "mpu9255"
	case MPU6500:
		return "mpu6500"
	case ICM20948:
		return "icm20948"
	}
	return "unknown"
}

// Motion is what the robot feels, in its own axes: x forward, y left, z up.
type Motion struct {
	// Accel is the specific force, m/s²: a robot at rest on level ground feels
	// +9.81 on z.
	Accel [3]float64
	// Gyro is the angular velocity, rad/s.
	Gyro [3]float64
	// Field is the magnetic flux density, tesla.
	Field [3]float64
	// Temperature of the chip, °C.
	Temperature float64
}

// Body is the robot the chip is fixed to.
type Body interface {
	// Motion returns what the robot feels now.
	Motion() Motion
}

// Mount turns vectors from the robot's axes to the chip's.
type Mount [3][3]float64

// defaultMount returns that of the chip in an e-puck2: the inverse of [robot.IMURotation].
func defaultMount() (m Mount) {
	for i, row := range robot.IMURotation() {
		for k, v := range row {
			m[k][i] = v
		}
	}
	return m
}

func (m *Mount) apply(v [3]float64) (out [3]float64) {
	for i := range out {
		out[i] = float64(m[i][0]*v[0]) + float64(m[i][1]*v[1]) + float64(m[i][2]*v[2])
	}
	return out
}

// undo turns a vector back; the inverse of a rotation is its transpose.
func (m *Mount) undo(v [3]float64) (out [3]float64) {
	for i := range out {
		out[i] = float64(m[0][i]*v[0]) + float64(m[1][i]*v[1]) + float64(m[2][i]*v[2])
	}
	return out
}

// Config describes a chip.
type Config struct {
	// Model defaults to MPU9250.
	Model Model
	// Now returns the simulated time. It must not be nil.
	Now func() time.Duration
	// Body must not be nil.
	Body Body
	// Mount defaults to defaultMount.
	Mount Mount
	// Noise is the source of the noise and of the biases.
	Noise noise.Source
	// Perfect switches noise and biases off.
	Perfect bool
	// AuxBroken: the auxiliary bus is not usable, as on some robots.
	AuxBroken bool
}

// Chip is the IMU, powered.
type Chip struct {
	cfg    Config
	banks  [4][128]byte // the MPU has only the first
	index  byte
	faults Faults
	analog analog
	mag    *Magnetometer

	resetUntil time.Duration // end of a reset under way
	awakeSince time.Duration
	epoch      time.Duration // when sample 0 was taken
	taken      int64         // number of the last sample
	sample     uint64        // samples since power-on, for the noise
	slv4At     time.Duration // end of the master's transaction under way; 0 none
}

// New returns a chip that has just been switched on.
func New(cfg Config) *Chip {
	if cfg.Mount == (Mount{}) {
		cfg.Mount = defaultMount()
	}
	c := &Chip{cfg: cfg, analog: newAnalog(cfg.Noise, cfg.Perfect)}
	if cfg.Model != MPU6500 {
		c.mag = newMagnetometer(c)
	}
	c.Restart()
	return c
}

// Magnetometer returns the AK8963 of an MPU, to be attached to the same bus
// at AddressField, where it answers while the bypass switch is on; for the
// other models it returns nil.
func (c *Chip) Magnetometer() *Magnetometer {
	if c.cfg.Model == ICM20948 {
		return nil
	}
	return c.mag
}

// Restart implements vbus.Restarter: the power was gone for a moment.
func (c *Chip) Restart() {
	c.resetRegisters()
	c.resetUntil = 0
	if c.mag != nil {
		c.mag.reset()
	}
}

// Ready implements vbus.Chip.
func (c *Chip) Ready() bool { return !c.faults.Unplugged }

// Disturbed implements vbus.Chip: a message cut short leaves no trace.
func (c *Chip) Disturbed() {}

// Faults are what may be wrong with a chip. Faults of the bus are those of
// package vbus.
type Faults struct {
	// Unplugged: the chip does not acknowledge its address, nor does the
	// magnetometer.
	Unplugged bool
	// Frozen: it answers, and the measurements do not change any more.
	Frozen bool
	// FieldFrozen: the same of the magnetometer.
	FieldFrozen bool
	// ID is what the identity register reads instead; 0 leaves it.
	ID byte
}

// Inject sets what is wrong from now on; the zero value mends everything.
func (c *Chip) Inject(f Faults) { c.faults = f }
