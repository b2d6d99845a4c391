// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vground"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// wheelSpeeds returns how fast the motors turn the wheels, steps/s.
func (r *Firmware) wheelSpeeds() (left, right float64) {
	if r.battery.Weak() {
		return 0, 0
	}
	return r.mcu.Speed()
}

// twist returns the speed forward (m/s) and the turning speed (rad/s) as the wheels make them and obstacles leave them.
// Wheels in the air only spin.
func (r *Firmware) twist() (v, omega float64) {
	if r.inAir || r.battery.Weak() {
		return 0, 0
	}
	return r.epuck.twist(r.mcu.Speed())
}

// stepSensors implements plant: it advances what inertial sensors measure, and the battery, by a physics step.
func (r *Firmware) stepSensors() {
	r.motion.Step(r.twist())
	left, right := r.wheelSpeeds()
	r.battery.Advance(1, left, right)
	r.power()
}

// power switches the robot's chips off when its battery is empty, and on when it has been charged: its processor then
// restarts.
func (r *Firmware) power() {
	if dead := r.battery.Dead(); dead != r.dark {
		r.dark = dead
		r.mcu.Restart()
	}
}

// senses is the world as the robot's other chips measure it. The caller holds
// the simulation's lock, as it does during every call of a chip.
type senses struct{ r *Firmware }

// Target implements vtof.Scene.
func (e senses) Target() vtof.Target {
	r, s := e.r, e.r.sim
	return target(r.ranger.Look(s.scene, r.body.Pose(), r.ahead(), r.inAir))
}

// target returns what is before a time-of-flight sensor as the chip's light meets it. The background counts half a
// million a second at 1 W/m²; plausible.
func target(e physics.Echo) vtof.Target {
	return vtof.Target{Distance: e.Distance, Reflectance: e.Share, Ambient: e.Light / 2}
}

// brightFloor is the light under a robot, W/m², that the ground sensors take
// for direct sun; plausible.
const brightFloor = 2

// Spot implements vground.Floor. The sensors hang right over the floor.
func (e senses) Spot(which vground.Sensor) vground.Spot {
	r, s := e.r, e.r.sim
	spot := vground.Spot{Light: min(1, s.scene.Underneath(r.inAir)/brightFloor)}
	if r.inAir {
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
	spot.Reflectance = s.scene.Reflectance(r.body.Pose().Transform(at))
	return spot
}

const (
	// lifted is how far from the floor the sensors of a robot in the air are, m.
	lifted = 1.0
	// cliffSide is how far to the side the cliff sensors look, m; not measured.
	cliffSide = 0.022
)

// warm is the temperature in the robot, °C; plausible.
const warm = 30.0

// Motion implements vimu.Body. The shaking is that of this microsecond: who
// asks twice at one time gets one answer.
func (e senses) Motion() vimu.Motion {
	r, now := e.r, uint64(e.r.sim.kernel.Time()/time.Microsecond)
	m := vimu.Motion{
		Accel: r.inertia.Acceleration(r.motion, r.attitude, now),
		Gyro:  r.inertia.Rotation(r.motion, r.attitude, now),
	}
	m.Field, m.Temperature = e.Field()
	return m
}

// Field implements vmag.World: the magnetic flux density in the robot's frame,
// T, which is that of the chip on the board, and the temperature, °C.
func (e senses) Field() (field [3]float64, temperature float64) {
	r := e.r
	return r.inertia.Magnetic(r.sim.field, r.body.Pose().Theta, r.attitude), warm
}

// cell is the battery as it is measured at any time. It implements vbattery.Cell.
type cell struct{ r *Firmware }

// Voltage returns the voltage at the terminals, V.
func (c cell) Voltage() float64 {
	c.r.sim.mu.Lock()
	defer c.r.sim.mu.Unlock()
	c.r.sim.catchUp()
	return c.r.battery.Voltage()
}

// Charging reports whether the charger is plugged in.
func (c cell) Charging() bool {
	c.r.sim.mu.Lock()
	defer c.r.sim.mu.Unlock()
	c.r.sim.catchUp()
	return c.r.battery.Charging()
}
