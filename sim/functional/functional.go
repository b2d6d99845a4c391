// SPDX-License-Identifier: Apache-2.0

// Package functional simulates e-puck2 robots by formulas: a [Robot]'s body obeys the same limits as one with virtual
// chips (package firmware), and its sensors measure by the same formulas with the same noise, but there are no bytes, no
// buses and no motor ticks. It costs a fraction of the other and is for worlds of hundreds of robots.
//
// [Body] is the e-puck2's own: package firmware puts chips around the same one.
package functional

import (
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmag"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
	"github.com/epuck-ros2/epuck-driver/sim/kernel"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/plant"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Robot is an e-puck2 at the functional level. What it has is reached through [Robot.Do], or by a [Controller] that the
// world calls.
type Robot struct {
	d dynamics // first: its beginning is what steps need
	plant.Robot
}

// dynamics is the robot as its world moves and measures it: it implements plant.Plant.
type dynamics struct {
	Body

	wanted       [2]float64 // wheel speeds, rad/s: left, right
	speed        [2]float64 // as the motors make them, rad/s
	wheel        [2]float64 // angles since the beginning, rad
	override     vmcu.MotorOverride
	lamps        vmcu.LEDs
	controller   Controller `checkpoint:"-"`
	period, next int64      // of the controller, in infrared cycles
	control      Control
	robot        *Robot `checkpoint:"-"`
	imu          *vimu.Inertial
	compass      *vmag.Sensor    // of the Pi-puck board
	ranging      vtof.Setting    // of the time-of-flight sensor
	zero         [8]uint16       // of the infrared sensors: 0 until they are calibrated, as in the firmware
	feet         [3]noise.Source // of the ground sensors
	echo         noise.Source    // of the time-of-flight sensor
	chance       noise.Source    // the controller's
	drawn        uint64          // numbers of chance
	sound        vmcu.Sound
	microphones  noise.Source    // of the microphones
	converter    noise.Source    // of the battery
	boardLamps   [3]byte         // of the Pi-puck, each 0b00000BGR
	remote       uint8           // the latest code of a remote control
	presses      uint64          // of its keys
	camera       *vcamera.Camera `checkpoint:"-"` // nil until it is used
}

// New makes a robot of a checked world file, which is not in the world yet, and its unit. The caller does not hold the
// lock.
func New(x *plant.World, w *world.Robot, src noise.Source) (*Robot, *plant.Unit) {
	r := &Robot{}
	d := &r.d
	*d = dynamics{
		robot:       r,
		echo:        src.Named("tof"),
		chance:      src.Named("controller"),
		microphones: src.Named("microphones"),
		imu:         vimu.NewInertial(vimu.Config{Model: IMUModel(w), Noise: src.Named("imu"), Perfect: x.Config.Quiet}),
		compass:     vmag.NewSensor(src.Named("magnetometer"), Warm, x.Config.Quiet),
		ranging:     vtof.LongRange(),
		converter:   src.Named("battery monitor"),
	}
	d.Init(x, w, src, d)
	for i := range d.feet {
		d.feet[i] = src.Named("ground").Stream(uint64(i))
	}
	for _, p := range world.Parts() {
		d.SetCarried(p, w.Has(p))
	}
	d.control.r = d
	r.Robot = plant.RobotOf(&d.Unit)
	return r, &d.Unit
}

// commanded returns the speeds of the wheels that the motors are set to, rad/s: those of the latest command, unless an
// override changes them or the battery is empty.
func (r *dynamics) commanded() [2]float64 {
	if r.Battery().Weak() {
		return [2]float64{}
	}
	if r.override == (vmcu.MotorOverride{}) {
		return r.wanted
	}
	left, right := r.override.Apply(int(math.Round(stepsPerSecond(r.wanted[0]))), int(math.Round(stepsPerSecond(r.wanted[1]))))
	const perStep = 2 * math.Pi / vmcu.StepsPerTurn
	return [2]float64{motorSpeed(float64(float64(left) * perStep)), motorSpeed(float64(float64(right) * perStep))}
}

// EndCycle implements kernel.Body.
func (r *dynamics) EndCycle(cycle int64) {
	r.move()
	r.Moved(cycle, r.Chassis.Pose(), r.Chassis.ContactSinceLast())
}

// move makes a cycle.
func (r *dynamics) move() {
	left, right := stepsPerSecond(r.speed[0]), stepsPerSecond(r.speed[1])
	r.Battery().Advance(kernel.StepsPerCycle, left, right)
	r.speed = r.commanded() // a motor takes over a new speed when a period of its timer ends, within 10 ms
	left, right = stepsPerSecond(r.speed[0]), stepsPerSecond(r.speed[1])
	r.Motion.Cycle(r.twist())
	if r.speed == [2]float64{} {
		return
	}
	for i, v := range r.speed {
		r.wheel[i] += float64(v * kernel.CycleSeconds)
	}
	if !r.InAir() {
		const halfSteps = 2 * kernel.CycleSeconds
		r.Chassis.Glide(r.World().Physics, r.Touching(), float64(left*halfSteps), float64(right*halfSteps))
	}
}

// twist returns the speed forward (m/s) and the turning speed (rad/s) that the wheels make and obstacles leave.
func (r *dynamics) twist() (v, omega float64) {
	if r.InAir() {
		return 0, 0
	}
	return r.Twist(stepsPerSecond(r.speed[0]), stepsPerSecond(r.speed[1]))
}

// Still implements plant.Plant.
func (r *dynamics) Still() bool {
	return r.commanded() == [2]float64{} && r.speed == [2]float64{} && r.Motion.Settled()
}

// OverrideMotors implements plant.Plant.
func (r *dynamics) OverrideMotors(o plant.MotorOverride) { r.override = r.MotorSteps(o) }

// CommandedLEDs implements plant.Plant.
func (r *dynamics) CommandedLEDs() vmcu.LEDs { return r.lamps }

// stepsPerSecond converts a wheel's speed from rad/s.
func stepsPerSecond(v float64) float64 { return float64(v * (vmcu.StepsPerTurn / (2 * math.Pi))) }

// motorSpeed returns the speed (rad/s) that a motor makes when it is commanded v: clipped, in whole steps/s, and then
// in whole periods of the motor's timer, as the firmware does.
func motorSpeed(v float64) float64 {
	n := math.Round(stepsPerSecond(v))
	switch {
	case !(math.Abs(n) >= 1): // also NaN
		return 0
	case math.Abs(n) > vmcu.SpeedLimit:
		n = math.Copysign(vmcu.SpeedLimit, n)
	}
	return physics.TimerSpeed(n, vmcu.StepsPerTurn, float64(time.Second/vmcu.Tick)/2)
}
