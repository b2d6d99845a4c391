// SPDX-License-Identifier: Apache-2.0

package hardware

import "github.com/epuck-ros2/epuck-driver/i2c/mcu"

// Processor is the robot's main processor: its wheels, LEDs, speaker, infrared sensors and microphones. [mcu.Dev] is
// one. One goroutine calls Exchange and Probe; the other methods are safe for concurrent use, and only Halt waits for a
// transfer in progress.
type Processor interface {
	Halter
	// Exchange executes a command (speeds in motor steps/s) and returns a reading: wheel angles in motor steps, and
	// the counts of the sensors, whose calibration belongs to the driver. An error means that there is no reading; the
	// command may have been executed.
	Exchange(c mcu.Command) (mcu.Sensors, error)
	// Probe stops the wheels, and reports whether the robot answers.
	Probe() mcu.Diagnosis
	// Diagnosis returns the state of health from the last Exchange, without a transfer.
	Diagnosis() mcu.Diagnosis
	// PlayMelody plays melody 1 to 3 with a following Exchange. The error matches mcu.ErrCommand.
	PlayMelody(n int) error
	// CalibrateIR starts a calibration of the infrared sensors; the outcome is an event.
	CalibrateIR()
	// Pending returns the requests that are not done yet.
	Pending() mcu.Pending
	// WheelsListen reports whether the wheels are known to accept a new speed at once.
	WheelsListen() bool
	Counters() mcu.Stats
}
