// SPDX-License-Identifier: Apache-2.0

package plant

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// GroundTruth is what is really so with a robot, not what its sensors say.
type GroundTruth struct {
	// Time is the age of the world.
	Time time.Duration
	// Pose is the middle of the robot in the world.
	Pose geom.Pose
	// V is the speed forward, m/s, and Omega the turning speed, rad/s, as the
	// wheels make them and obstacles leave them.
	V, Omega float64
	// LeftWheel and RightWheel are the angles the wheels have turned since the
	// beginning, rad; LeftSpeed and RightSpeed their speeds, rad/s.
	LeftWheel, RightWheel, LeftSpeed, RightSpeed float64
	// Collided reports whether the last movement met something, Collisions is how often
	// the robot has begun to touch something after 0.1 s or more without, whatever its level.
	Collided   bool
	Collisions uint64
	// InAir reports whether the robot has been picked up.
	InAir bool
	// Roll and Pitch are how far it leans, rad (see Firmware.Tilt).
	Roll, Pitch float64
	// Charge is the share of the battery's capacity that is in it, Voltage its voltage, V. Charging reports whether the
	// charger is plugged in or the robot is at a charging station, Weak whether the motors have lost their torque, and
	// Dead whether nothing is supplied.
	Charge, Voltage      float64
	Charging, Weak, Dead bool
	// LEDs is what the LEDs show.
	LEDs vmcu.LEDs
	// BoardLEDs is what the Pi-puck's LEDs show, each 0b00000BGR.
	BoardLEDs [3]byte
	// Melody is the number of the melody that plays, 1 to 3, or 0.
	Melody uint8
	// Calibrating reports whether the infrared sensors are being calibrated.
	Calibrating bool
	// Selector is the position of the rotary selector.
	Selector uint8
}

// GroundTruth returns what is known alike at all levels: time, place, contacts, LEDs and battery.
func (u *Unit) GroundTruth() GroundTruth {
	t := GroundTruth{Time: u.world.Kernel.Time(), Pose: u.plant.Pose(), Collisions: u.collisions.count, InAir: u.inAir, LEDs: u.LEDs()}
	if b := u.battery; b != nil {
		t.Charge, t.Charging, t.Weak, t.Dead = b.Charge(), b.Charging(), b.Weak(), b.Dead()
	}
	return t
}
