// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"errors"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/robots"
)

// Errors of a robot's devices.
var (
	// ErrDevice is matched by the error of a device or a joint that is not there or can't do what is asked.
	ErrDevice = errors.New("machine: device")
	// ErrModel is matched by the error of a description that can't be simulated.
	ErrModel = errors.New("machine: model")
)

// Devices are the measurements and commands of a robot at one time, for a program. Devices and joints are numbered as
// in the description. A *Machine is one during [sim.Articulated.Do].
type Devices interface {
	// Description says which devices and joints there are. It must not be changed.
	Description() *robots.Robot
	// Time is the age of the world.
	Time() time.Duration
	// Measure appends to dst what a device measures now; how many numbers that are follows from its kind and stays the
	// same (see [Values]). Asked twice at one time it says the same.
	Measure(device int, dst []float64) []float64
	// Power returns the state of the battery; ok is false for a robot without one.
	Power() (p Power, ok bool)
	// Joint is how a joint stands. The zero value for a joint that does not move.
	Joint(joint int) JointState
	// SetVelocity lets a joint move at a speed, rad/s or m/s, from now on: as fast as it can at most.
	SetVelocity(joint int, velocity float64)
	// SetPosition lets a joint go to a position, rad or m, at a speed at most; 0: as fast as it can.
	SetPosition(joint int, position, speed float64)
	// SetLED gives an LED a color, red, green and blue, 0 to 1.
	SetLED(device int, color [3]float64)
	// Picture draws what a camera shows now: rows from above of pixels of blue, green, red and 255. It reuses the
	// memory of dst. Nil if the device is no camera.
	Picture(device int, dst []byte) []byte
	// Send lets an emitter send a packet to the receivers in its reach, which have it at the next cycle.
	Send(device int, packet []byte) error
	// Receive gives the oldest packet that a receiver has, and forgets it; ok says whether there was one.
	Receive(device int) (p Packet, ok bool)
}

// JointState is how a joint stands.
type JointState struct {
	Position, Velocity float64 // rad, rad/s or m, m/s
}

// Packet is what a receiver has got.
type Packet struct {
	Data      []byte
	Strength  float64    // 1 over the square of the distance, 1/m²
	Direction [3]float64 // to the sender, of length 1, in the receiver's frame
}

// Values is how many numbers Measure gives of a device:
//
//	infrared, sonar, light, ground   1: what its table answers; without one metres (+Inf: nothing), W/m², reflectance
//	lidar                            a distance for each ray, metres, +Inf where nothing is; layers from above
//	imu                              9: acceleration with gravity, m/s², turning, rad/s, roll, pitch and yaw, rad
//	accelerometer, gyro              3: the same; orientation 3: roll, pitch, yaw
//	magnetometer                     3: T, in its frame
//	gps                              4: where it is, metres, and its speed, m/s
//	contact                          1: 1 while the robot touches something
//	encoder                          1: rad or m
//	gripper                          1: 1 while it holds something
//	battery                          1: J; led 3: its color
//	others                           0
func Values(d *robots.Device) int {
	switch d.Kind {
	case robots.Infrared, robots.Sonar, robots.Light, robots.Ground, robots.Contact, robots.Encoder, robots.Battery,
		robots.Gripper:
		return 1
	case robots.Lidar:
		return d.Fan.Samples * max(1, d.Fan.Layers)
	case robots.IMU:
		return 9
	case robots.Accelerometer, robots.Gyro, robots.Orientation, robots.Compass, robots.LED:
		return 3
	case robots.GPS:
		return 4
	}
	return 0
}

var _ Devices = (*Machine)(nil)
