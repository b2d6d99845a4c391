// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmag"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Functional is an e-puck2 at the functional level: its body obeys the same limits as that of a [Firmware] and its
// sensors measure by the same formulas with the same noise, but there are no bytes, no buses and no motor ticks. It
// costs a fraction of a Firmware and is for worlds of hundreds of robots.
//
// What an agent has is reached through [Functional.Do], or by a [Controller] that the world calls.
type Functional struct {
	unit

	wanted       [2]float64 // wheel speeds, rad/s: left, right
	speed        [2]float64 // as the motors make them, rad/s
	wheel        [2]float64 // angles since the beginning, rad
	override     vmcu.MotorOverride
	lamps        vmcu.LEDs
	controller   Controller `checkpoint:"-"`
	period, next int64      // of the controller, in infrared cycles
	control      Control
	eyes         *physics.Eyes
	ranger       *physics.Ranger // nil until it is used
	inertia      *physics.Inertia
	imu          *vimu.Inertial
	compass      *vmag.Sensor // of the Pi-puck board
	ranging      vtof.Setting // of the time-of-flight sensor
	motion       physics.Motion
	zero         [8]uint16       // of the infrared sensors: 0 until they are calibrated, as in the firmware
	feet         [3]noise.Source // of the ground sensors
	echo         noise.Source    // of the time-of-flight sensor
	chance       noise.Source    // the controller's
	drawn        uint64          // numbers of chance
	battery      *physics.Battery
	sound        vmcu.Sound
	microphones  noise.Source    // of the microphones
	converter    noise.Source    // of the battery
	boardLamps   [3]byte         // of the Pi-puck, each 0b00000BGR
	remote       uint8           // the latest code of a remote control
	presses      uint64          // of its keys
	camera       *vcamera.Camera `checkpoint:"-"` // nil until it is used
}

// cycleSeconds is the length of an infrared cycle, s: the step of the functional level.
const cycleSeconds = float64(vmcu.SamplePeriod) / float64(time.Second)

func newFunctional(s *Simulation, w *world.Robot, src noise.Source) *Functional {
	a := &Functional{
		unit:        newEpuck(s, w, src),
		eyes:        physics.NewEyes(src.Named("infrared"), s.opts.Quiet),
		inertia:     physics.NewInertia(src.Named("inertia"), s.opts.Quiet),
		echo:        src.Named("tof"),
		chance:      src.Named("controller"),
		microphones: src.Named("microphones"),
		imu:         vimu.NewInertial(vimu.Config{Model: imuModel(w), Noise: src.Named("imu"), Perfect: s.opts.Quiet}),
		compass:     vmag.NewSensor(src.Named("magnetometer"), warm, s.opts.Quiet),
		ranging:     vtof.LongRange(),
		battery:     physics.NewBattery(w.Battery.Capacity, w.Battery.Charge),
	}
	for i := range a.feet {
		a.feet[i] = src.Named("ground").Stream(uint64(i))
	}
	a.converter = src.Named("battery monitor")
	a.off = slices.DeleteFunc(world.Parts(), w.Has)
	vary(a.body, a.eyes, a.inertia, w, src.Named("variation"))
	a.maxWay = float64(cycleWay * a.body.Stretch())
	a.unit.agent = a
	a.control.a = a
	return a
}

// leds returns what the robot's LEDs show.
func (u *unit) leds() vmcu.LEDs {
	switch {
	case u.painted:
		return u.paint
	case u.dead():
		return vmcu.LEDs{}
	case u.robot != nil:
		return u.robot.mcu.LEDs()
	case u.machine != nil:
		return u.machine.mechanism.LEDs()
	}
	return u.agent.lamps
}

// cell returns the unit's battery, nil of a described robot that has none.
func (u *unit) cell() *physics.Battery {
	switch {
	case u.robot != nil:
		return u.robot.battery
	case u.machine != nil:
		return u.machine.mechanism.Battery()
	}
	return u.agent.battery
}

// dead reports whether the unit has no power.
func (u *unit) dead() bool {
	b := u.cell()
	return b != nil && b.Dead()
}

// still reports whether the agent neither moves nor is about to.
func (a *Functional) still() bool {
	return a.commanded() == [2]float64{} && a.speed == [2]float64{} && a.motion.Settled()
}

// commanded returns the speeds of the wheels that the motors are set to, rad/s: those of the latest command, unless an
// override changes them or the battery is empty.
func (a *Functional) commanded() [2]float64 {
	if a.battery.Weak() {
		return [2]float64{}
	}
	if a.override == (vmcu.MotorOverride{}) {
		return a.wanted
	}
	left, right := a.override.Apply(int(math.Round(stepsPerSecond(a.wanted[0]))), int(math.Round(stepsPerSecond(a.wanted[1]))))
	const perStep = 2 * math.Pi / vmcu.StepsPerTurn
	return [2]float64{motorSpeed(float64(float64(left) * perStep)), motorSpeed(float64(float64(right) * perStep))}
}

// SetComputer sets the current of the robot's computer above its current at rest, A.
func (a *Functional) SetComputer(current float64) {
	a.sim.mu.Lock()
	defer a.sim.mu.Unlock()
	a.sim.catchUp()
	a.battery.SetComputer(current)
}

// move advances the body and the battery by an infrared cycle.
func (a *Functional) move() {
	left, right := stepsPerSecond(a.speed[0]), stepsPerSecond(a.speed[1])
	a.battery.Advance(stepsPerCycle, left, right)
	a.speed = a.commanded() // a motor takes over a new speed when a period of its timer ends, within 10 ms
	left, right = stepsPerSecond(a.speed[0]), stepsPerSecond(a.speed[1])
	a.motion.Cycle(a.twist())
	if a.speed == [2]float64{} {
		return
	}
	for i, v := range a.speed {
		a.wheel[i] += float64(v * cycleSeconds)
	}
	if !a.inAir {
		const halfSteps = 2 * cycleSeconds
		a.body.Glide(a.sim.scene, a.touching(), float64(left*halfSteps), float64(right*halfSteps))
	}
}

// twist returns the speed forward (m/s) and the turning speed (rad/s) that the wheels make and obstacles leave.
func (a *Functional) twist() (v, omega float64) {
	if a.inAir {
		return 0, 0
	}
	v, omega = a.body.Twist(stepsPerSecond(a.speed[0]), stepsPerSecond(a.speed[1]))
	return float64(v * a.body.Grip()), omega + float64(v*a.body.Veer())
}

// stepsPerSecond converts a wheel's speed from rad/s.
func stepsPerSecond(v float64) float64 { return float64(v * (vmcu.StepsPerTurn / (2 * math.Pi))) }

// StepperSpeed returns the speed (rad/s) that a stepper motor makes when it is commanded v, rad/s, if a turn of its wheel
// has so many steps: whole steps a second. A timer of a resolution (s) above 0 makes the half steps, so that their
// periods are whole multiples of it.
func StepperSpeed(v, stepsPerTurn, timer float64) float64 {
	n := math.Round(float64(v * (stepsPerTurn / (2 * math.Pi))))
	switch {
	case !(math.Abs(n) >= 1): // also NaN
		return 0
	case timer == 0:
		return float64(2*math.Pi/stepsPerTurn) * n
	}
	return ofTimer(n, stepsPerTurn, math.Round(0.5/timer))
}

// ofTimer is the speed (rad/s) of n steps a second whose half steps are whole ticks of the motors' timer, which has so
// many in the time of a half step at 1 step/s.
func ofTimer(n, stepsPerTurn, ticks float64) float64 {
	period := max(1, math.Floor(ticks/math.Abs(n)))
	return math.Copysign(float64(2*math.Pi/stepsPerTurn)*ticks/period, n)
}

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
	return ofTimer(n, vmcu.StepsPerTurn, float64(time.Second/vmcu.Tick)/2)
}

// Do runs f with the agent's sensors and actuators at the present time, while the world does not advance. f must not
// call the simulation.
func (a *Functional) Do(f func(*Control)) {
	s := a.sim
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	s.muster() // a robot may have left
	f(&a.control)
}

// GroundTruth advances the world to the clock's time and returns the robot's true state.
func (a *Functional) GroundTruth() GroundTruth {
	s := a.sim
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	t := GroundTruth{
		Time: s.time, Pose: a.body.Pose(),
		LeftWheel: a.wheel[0], RightWheel: a.wheel[1], LeftSpeed: a.speed[0], RightSpeed: a.speed[1],
		Collided: a.body.Contact(), Collisions: a.collisions.count, InAir: a.inAir,
		Charge: a.battery.Charge(), Voltage: a.battery.Voltage(), Charging: a.battery.Charging(),
		Weak: a.battery.Weak(), Dead: a.battery.Dead(),
		LEDs: a.leds(), BoardLEDs: a.boardLamps, Melody: a.sound.Playing(s.time), Selector: world.DefaultSelector,
	}
	t.V, t.Omega = a.twist()
	return t
}

// Equipment returns what the robot carried when it was made.
func (a *Functional) Equipment() Equipment { return a.made.Equipment }

// Volume returns what the four microphones measure, right, left, back, front: peak to peak over 10 ms, counts.
func (c *Control) Volume() (v [4]uint16) {
	var at [4]float64
	c.a.sim.scene.Heard(c.a.body.Pose(), &at)
	for i := range v {
		v[i] = c.a.sound.Volume(c.a.microphones, i, c.a.sim.time, at[i])
	}
	return v
}

// PlayMelody starts melody 1 to 3 unless one is playing; other numbers do nothing.
func (c *Control) PlayMelody(number uint8) { c.a.sound.Play(c.a.sim.time, number) }

// Field returns what the magnetometer of the IMU measures in the robot's frame, T.
func (c *Control) Field() physics.Vec3 {
	a, s := c.a, c.a.sim
	return a.imu.Field(a.inertia.Magnetic(s.field, a.body.Pose().Theta, physics.Attitude{}), uint64(s.cycle))
}

// BoardField returns what the magnetometer of the Pi-puck board measures in the robot's frame, T.
func (c *Control) BoardField() physics.Vec3 {
	a, s := c.a, c.a.sim
	return a.compass.Field(a.inertia.Magnetic(s.field, a.body.Pose().Theta, physics.Attitude{}), uint64(s.cycle))
}

// SetBoardLED sets LED i (0 to 2, others do nothing) of the Pi-puck: 0b00000BGR.
func (c *Control) SetBoardLED(i int, colour byte) {
	if i >= 0 && i < len(c.a.boardLamps) {
		c.a.boardLamps[i] = colour & 7
	}
}

// Remote returns the latest code of a TV remote control, and how many there have been.
func (c *Control) Remote() (code uint8, presses uint64) { return c.a.remote, c.a.presses }

// SetSound sets the amplitude of the sound around the robot, in counts of its 16-bit microphones; 0 is silence.
func (a *Functional) SetSound(amplitude float64) { a.Do(func(*Control) { a.sound.Set(amplitude) }) }

// SendRemote points a TV remote at the robot and sends a command code, 0 to 127, else ErrRange. It reports it and does
// nothing else: what the codes do to a real robot is its firmware's.
func (a *Functional) SendRemote(code int) error {
	if code < 0 || code > 127 {
		return fmt.Errorf("%w: remote code %d, must be 0 to 127", ErrRange, code)
	}
	a.Do(func(*Control) { a.remote, a.presses = uint8(code), a.presses+1 })
	return nil
}
