// SPDX-License-Identifier: Apache-2.0

package parts

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// Part is an optional part of the robot: a chip on a bus, or the battery, read from the kernel's files. It belongs to
// the goroutine that owns its bus.
type Part interface {
	// Measure performs the next step of the part, in the time of a few transactions, and stores a new measurement. news
	// reports that there is one. The error is recorded; the part is polled again.
	Measure(now time.Time) (news bool, err error)
	// State returns the state of the part's start-up.
	State() device.State
	// String returns the part's name with its bus and address.
	String() string
	// Halt switches the part off.
	Halt() error
}

// Topics are the topics of a part; they exist while the part is present.
type Topics interface {
	// Open creates them. false without an error means that another part has them.
	Open() (opened bool, err error)
	// Close removes them; it may be called when they do not exist.
	Close() error
	// Wanted reports whether one of the topics has a subscription.
	Wanted() bool
}

// Name identifies a part in the table of topics, in diagnostics and in log lines.
type Name string

// The parts, in the order in which those on one bus are polled.
const (
	IMU      Name = "imu"
	ToF      Name = "tof"
	Camera   Name = "camera_sensor"
	Ground   Name = "ground"
	Mag      Name = "mag"
	IMUField Name = "imu_mag" // the IMU's magnetometer, which shares the topic of the other
	LEDs     Name = "leds"
	Battery  Name = "battery"
	Button   Name = "power_button"
	Pictures Name = "camera" // the camera's images; not polled
)

// Topics returns the part whose topics this part publishes.
func (n Name) Topics() Name {
	if n == IMUField {
		return Mag
	}
	return n
}

// Status is a snapshot of one optional part.
type Status struct {
	// Name is the part's short name, such as "imu".
	Name string
	// Device names the chip with its bus and address.
	Device string
	// State is the state of its start-up.
	State device.State
	// Readings counts its measurements, Polls its polls, Failures those that failed.
	Readings, Polls, Failures uint64
	// Found and Lost count how often it was found and lost.
	Found, Lost uint64
	// Busy is the total time in which it occupied its bus, Took that of the last poll, Longest that of the longest.
	Busy, Took, Longest time.Duration
	// LastErr is the last failure, nil if there was none.
	LastErr error
}
