// SPDX-License-Identifier: Apache-2.0

// Package hardware is the interface between the driver and a robot: commands to the main processor and readings of
// it, and the optional parts by kind, with values in SI units and the robot's axes. REPs and ros2_control call it a
// hardware interface. Package driver uses nothing else of a robot.
//
//	driver ──► Hardware: Processor, IMU, ToF, Ground, Magnetometer, LEDs, Battery, CameraSensor
//	               ├── driver/chips: chips on I2C buses
//	               ├── wifi/robot:   packets of an e-puck2 over Wi-Fi
//	               └── fleet:        formulas of a simulated robot of the functional level
//
// The wheels' loop with its timeout, its guard and its halt, odometry, calibrations, topics and diagnostics are above
// it and the same for all.
package hardware

import (
	"errors"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/axes"
	"github.com/epuck-ros2/epuck-driver/i2c/camsensor"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/i2c/vl53l0x"
)

// ErrConfig is matched when the configuration of a robot's hardware is incomplete or invalid.
var ErrConfig = errors.New("driver: invalid configuration")

// Hardware is a robot that a driver can use.
type Hardware interface {
	// Open returns the robot's devices. It does not communicate with the robot. Errors of settings and of the
	// implementation's configuration match [ErrConfig].
	Open(o *Options) (*Devices, error)
}

// OnBus is hardware whose main processor is on a bus.
type OnBus interface {
	// WrapBus replaces the bus of the main processor by what wrap returns for it, for instance to record its
	// transactions; wrap is called before WrapBus returns. It is called before Open.
	WrapBus(wrap func(pi2c.Bus) pi2c.Bus)
}

// Options are what a driver's devices need of it: its clock, and the values of its parameters at its start. A part
// whose rate is 0 is not used.
type Options struct {
	// Now is the clock.
	Now func() time.Time
	// IMURate, ToFRate, GroundRate and MagRate are the rates at which the parts are polled, Hz.
	IMURate, ToFRate, GroundRate, MagRate float64
	// IMURotation and MagRotation are the rotations from a chip's axes to the robot's.
	IMURotation, MagRotation axes.Rotation
	ToFProfile               vl53l0x.Profile
	// Camera has the settings of the camera's sensor; nil if another program sets it up.
	Camera *camsensor.Settings
	// Needs are what the driver needs at the moment.
	Needs Needs
}

// Needs report whether anything needs the readings of the infrared sensors, the microphones, the time-of-flight sensor
// and the IMU. Hardware that computes readings may leave them out otherwise: repeat the latest ones, or have none. Only
// Exchange and the sensors' Poll may call them.
type Needs struct{ Infrared, Sound, ToF, IMU func() bool }

// Devices are the devices of a robot. Parts that a robot can't have are nil; whether the others are present is their
// State. The goroutine that polls a part calls all its methods, except where a method says otherwise.
type Devices struct {
	// Name says what the main processor is behind, for the diagnostics.
	Name string
	// NewProcessor returns the main processor, which reports its events to a function, from within Exchange. It is
	// required.
	NewProcessor func(events func(mcu.Event)) (Processor, error)
	// Guard stops the wheels independently of the processor's methods: also when one of them hangs. It is required.
	Guard Halter

	IMU    IMU
	ToF    ToF
	Ground Ground
	Mag    Magnetometer
	LEDs   LEDs
	Camera CameraSensor
	// Battery is nil if nothing measures it.
	Battery Battery
	// Button is nil if there is none.
	Button Button

	// Limits are the limits of the bus time of parts; parts without a bus have none.
	Limits map[parts.Name]*parts.Guard
	// RobotBus and BoardBus return the counters of the parts' transactions on the robot's bus and on that of the
	// Pi-puck board; they are safe for concurrent use. nil: there is no such bus.
	RobotBus, BoardBus func() i2c.Stats
	// Close releases what Open has acquired. nil: nothing.
	Close func() error
}

// Halter stops the wheels, and is safe for concurrent use.
type Halter interface {
	// Halt sends zero speeds until the robot has confirmed that its wheels are stopped; the error matches
	// mcu.ErrNotStopped if it has not.
	Halt() error
}

// The bandwidth of an IMU's filters as a share of the rate at which it is read, which prevents aliasing of vibration;
// leastBandwidth is its minimum, Hz.
const (
	imuBandwidth   = 0.45
	leastBandwidth = 10
)

// IMUBandwidth returns the bandwidth of an IMU's filters for a rate at which it is read, both in Hz.
func IMUBandwidth(rate float64) float64 { return max(leastBandwidth, imuBandwidth*rate) }
