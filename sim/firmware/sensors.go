// SPDX-License-Identifier: Apache-2.0

package firmware

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vground"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
	"github.com/epuck-ros2/epuck-driver/sim/functional"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// wheelSpeeds returns how fast the motors turn the wheels, steps/s.
func (r *dynamics) wheelSpeeds() (left, right float64) {
	if r.Battery().Weak() {
		return 0, 0
	}
	return r.mcu.Speed()
}

// twist returns the speed forward (m/s) and the turning speed (rad/s) as the wheels make them and obstacles leave them.
// Wheels in the air only spin.
func (r *dynamics) twist() (v, omega float64) {
	if r.InAir() || r.Battery().Weak() {
		return 0, 0
	}
	return r.Twist(r.mcu.Speed())
}

// StepSensors implements kernel.Stepper: it advances what inertial sensors measure, and the battery, by a physics step.
func (r *dynamics) StepSensors() {
	r.Motion.Step(r.twist())
	left, right := r.wheelSpeeds()
	r.Battery().Advance(1, left, right)
	r.power()
}

// power switches the robot's chips off when its battery is empty, and on when it has been charged: its processor then
// restarts.
func (r *dynamics) power() {
	if dead := r.Battery().Dead(); dead != r.dark {
		r.dark = dead
		r.mcu.Restart()
	}
}

// senses is the world as the robot's other chips measure it. The caller holds
// the world's lock, as it does during every call of a chip.
type senses struct{ r *dynamics }

// Target implements vtof.Scene.
func (e senses) Target() vtof.Target {
	return e.r.Body.Target()
}

// brightFloor is the light under a robot, W/m², that the ground sensors take
// for direct sun; plausible.
const brightFloor = 2

// Spot implements vground.Floor. The sensors hang right over the floor.
func (e senses) Spot(which vground.Sensor) vground.Spot {
	r, x := e.r, e.r.World()
	spot := vground.Spot{Light: min(1, x.Physics.Underneath(r.InAir())/brightFloor)}
	if r.InAir() {
		spot.Height = lifted
		return spot
	}
	var at geom.Vec
	switch spots := physics.GroundSensors(); which {
	case vground.Left, vground.Centre, vground.Right:
		at = spots[which]
	case vground.CliffRight:
		at = geom.Vec{X: spots[0].X, Y: -cliffSide}
	default:
		at = geom.Vec{X: spots[0].X, Y: cliffSide}
	}
	spot.Reflectance = x.Physics.Reflectance(r.Chassis.Pose().Transform(at))
	return spot
}

const (
	// lifted is how far from the floor the sensors of a robot in the air are, m.
	lifted = 1.0
	// cliffSide is how far to the side the cliff sensors look, m; not measured.
	cliffSide = 0.022
)

// Motion implements vimu.Body. The shaking is that of this microsecond: who
// asks twice at one time gets one answer.
func (e senses) Motion() vimu.Motion {
	r, now := e.r, uint64(e.r.World().Kernel.Time()/time.Microsecond)
	m := vimu.Motion{
		Accel: r.Inertia.Acceleration(r.Motion, r.attitude, now),
		Gyro:  r.Inertia.Rotation(r.Motion, r.attitude, now),
	}
	m.Field, m.Temperature = e.Field()
	return m
}

// Field implements vmag.World: the magnetic flux density in the robot's frame,
// T, which is that of the chip on the board, and the temperature, °C.
func (e senses) Field() (field [3]float64, temperature float64) {
	r := e.r
	return r.Inertia.Magnetic(r.World().Field, r.Chassis.Pose().Theta, r.attitude), functional.Warm
}

// cell is the battery as it is measured at any time. It implements vbattery.Cell.
type cell struct{ r *dynamics }

// Voltage returns the voltage at the terminals, V.
func (c cell) Voltage() float64 {
	c.r.World().Enter()
	defer c.r.World().Unlock()
	return c.r.Battery().Voltage()
}

// Charging reports whether the charger is plugged in.
func (c cell) Charging() bool {
	c.r.World().Enter()
	defer c.r.World().Unlock()
	return c.r.Battery().Charging()
}
