// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"errors"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// Errors of a robot's devices.
var (
	// ErrDevice is matched if a device or joint does not exist or does not support an operation.
	ErrDevice = errors.New("machine: device")
	// ErrModel is matched if a description can't be simulated.
	ErrModel = errors.New("machine: model")
)

// Devices is a program's interface to a robot at one time: its measurements and commands. Devices and joints have the
// indices of the description. A *Machine implements it during [articulated.Robot.Do].
type Devices interface {
	// Description returns the robot's description. It must not be changed.
	Description() *description.Robot
	// Time returns the age of the world.
	Time() time.Duration
	// Measure appends the current values of a device to dst; their number depends on its kind (see [Values]). Repeated
	// calls at one time return equal values.
	Measure(device int, dst []float64) []float64
	// Power returns the state of the battery; ok is false for a robot without one.
	Power() (p Power, ok bool)
	// Joint returns the state of a joint, the zero value for one that does not exist.
	Joint(joint int) JointState
	// SetVelocity commands a joint's velocity, rad/s or m/s, bounded by its maximum.
	SetVelocity(joint int, velocity float64)
	// SetPosition commands a joint's position, rad or m, with a maximum speed; 0 is the joint's own maximum.
	SetPosition(joint int, position, speed float64)
	// SetLED sets the color of an LED: red, green and blue, 0 to 1.
	SetLED(device int, color [3]float64)
	// Picture renders the current picture of a camera: rows from the top, pixels of blue, green, red and 255. It reuses
	// the memory of dst. It returns nil if the device is no camera.
	Picture(device int, dst []byte) []byte
	// Send sends a packet of an emitter to the receivers in its range, where it arrives in the next cycle.
	Send(device int, packet []byte) error
	// Receive removes and returns the oldest packet of a receiver; ok reports whether there was one.
	Receive(device int) (p Packet, ok bool)
}

// JointState is the state of a joint.
type JointState struct {
	Position, Velocity float64 // rad, rad/s or m, m/s
}

// Packet is a received packet.
type Packet struct {
	Data      []byte
	Strength  float64    // 1 over the square of the distance, 1/m²
	Direction [3]float64 // to the sender, of length 1, in the receiver's frame
}

// Values returns the number of values that Measure appends for a device:
//
//	infrared, sonar, light, ground   1: value of its table; without one metres (+Inf: nothing), W/m², reflectance
//	lidar                            a distance for each ray, metres, +Inf for nothing; layers from the top
//	imu                              9: acceleration with gravity, m/s², turning, rad/s, roll, pitch and yaw, rad
//	accelerometer, gyro              3: the same; orientation 3: roll, pitch, yaw
//	magnetometer                     3: T, in its frame
//	gps                              4: its position, metres, and its speed, m/s
//	contact                          1: 1 while the robot touches something
//	encoder                          1: rad or m
//	gripper                          1: 1 while it holds something
//	battery                          1: J; led 3: its color
//	others                           0
func Values(d *description.Device) int {
	switch d.Kind {
	case description.Infrared, description.Sonar, description.Light, description.Ground, description.Contact, description.Encoder, description.Battery,
		description.Gripper:
		return 1
	case description.Lidar:
		return d.Fan.Samples * max(1, d.Fan.Layers)
	case description.IMU:
		return 9
	case description.Accelerometer, description.Gyro, description.Orientation, description.Compass, description.LED:
		return 3
	case description.GPS:
		return 4
	}
	return 0
}

var _ Devices = (*Machine)(nil)
