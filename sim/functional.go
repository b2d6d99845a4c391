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
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/kernel"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Functional is an e-puck2 at the functional level: its body obeys the same limits as that of a [Firmware] and its
// sensors measure by the same formulas with the same noise, but there are no bytes, no buses and no motor ticks. It
// costs a fraction of a Firmware and is for worlds of hundreds of robots.
//
// What it has is reached through [Functional.Do], or by a [Controller] that the world calls.
type Functional struct {
	epuck

	wanted       [2]float64 // wheel speeds, rad/s: left, right
	speed        [2]float64 // as the motors make them, rad/s
	wheel        [2]float64 // angles since the beginning, rad
	override     vmcu.MotorOverride
	lamps        vmcu.LEDs
	controller   Controller `checkpoint:"-"`
	period, next int64      // of the controller, in infrared cycles
	control      Control
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

// cycleSeconds is the length of an infrared cycle, s: the step of the functional level.
const cycleSeconds = float64(vmcu.SamplePeriod) / float64(time.Second)

func newFunctional(s *Simulation, w *world.Robot, src noise.Source) *Functional {
	r := &Functional{
		epuck:       newEpuck(s, w, src),
		echo:        src.Named("tof"),
		chance:      src.Named("controller"),
		microphones: src.Named("microphones"),
		imu:         vimu.NewInertial(vimu.Config{Model: imuModel(w), Noise: src.Named("imu"), Perfect: s.opts.Quiet}),
		compass:     vmag.NewSensor(src.Named("magnetometer"), warm, s.opts.Quiet),
		ranging:     vtof.LongRange(),
	}
	for i := range r.feet {
		r.feet[i] = src.Named("ground").Stream(uint64(i))
	}
	r.converter = src.Named("battery monitor")
	r.off = slices.DeleteFunc(world.Parts(), w.Has)
	r.plant, r.timing = r, eachCycle
	r.control.r = r
	return r
}

// commanded returns the speeds of the wheels that the motors are set to, rad/s: those of the latest command, unless an
// override changes them or the battery is empty.
func (r *Functional) commanded() [2]float64 {
	if r.battery.Weak() {
		return [2]float64{}
	}
	if r.override == (vmcu.MotorOverride{}) {
		return r.wanted
	}
	left, right := r.override.Apply(int(math.Round(stepsPerSecond(r.wanted[0]))), int(math.Round(stepsPerSecond(r.wanted[1]))))
	const perStep = 2 * math.Pi / vmcu.StepsPerTurn
	return [2]float64{motorSpeed(float64(float64(left) * perStep)), motorSpeed(float64(float64(right) * perStep))}
}

// The methods below implement plant.

func (r *Functional) move() (at geom.Pose, touched bool) {
	left, right := stepsPerSecond(r.speed[0]), stepsPerSecond(r.speed[1])
	r.battery.Advance(kernel.StepsPerCycle, left, right)
	r.speed = r.commanded() // a motor takes over a new speed when a period of its timer ends, within 10 ms
	left, right = stepsPerSecond(r.speed[0]), stepsPerSecond(r.speed[1])
	r.motion.Cycle(r.twist())
	if r.speed == [2]float64{} {
		return r.moved()
	}
	for i, v := range r.speed {
		r.wheel[i] += float64(v * cycleSeconds)
	}
	if !r.inAir {
		const halfSteps = 2 * cycleSeconds
		r.body.Glide(r.sim.scene, r.touching(), float64(left*halfSteps), float64(right*halfSteps))
	}
	return r.moved()
}

// twist returns the speed forward (m/s) and the turning speed (rad/s) that the wheels make and obstacles leave.
func (r *Functional) twist() (v, omega float64) {
	if r.inAir {
		return 0, 0
	}
	return r.epuck.twist(stepsPerSecond(r.speed[0]), stepsPerSecond(r.speed[1]))
}

func (r *Functional) still() bool {
	return r.commanded() == [2]float64{} && r.speed == [2]float64{} && r.motion.Settled()
}

func (r *Functional) overrideMotors(o MotorOverride) { r.override = r.motorOverride(o) }
func (r *Functional) commandedLEDs() vmcu.LEDs       { return r.lamps }

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

// Do runs f with the robot's sensors and actuators at the present time, while the world does not advance. f must not
// call the simulation.
func (r *Functional) Do(f func(*Control)) {
	s := r.sim
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	s.muster() // a robot may have left
	f(&r.control)
}

// GroundTruth advances the world to the clock's time and returns the robot's true state.
func (r *Functional) GroundTruth() GroundTruth {
	s := r.sim
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	t := r.groundTruth()
	t.LeftWheel, t.RightWheel, t.LeftSpeed, t.RightSpeed = r.wheel[0], r.wheel[1], r.speed[0], r.speed[1]
	t.BoardLEDs, t.Melody, t.Selector = r.boardLamps, r.sound.Playing(s.kernel.Time()), world.DefaultSelector
	t.V, t.Omega = r.twist()
	return t
}

// Equipment returns what the robot carried when it was made.
func (r *Functional) Equipment() Equipment { return r.made.Equipment }

// Volume returns what the four microphones measure, right, left, back, front: peak to peak over 10 ms, counts.
func (c *Control) Volume() (v [4]uint16) {
	var at [4]float64
	c.r.sim.scene.Heard(c.r.body.Pose(), &at)
	for i := range v {
		v[i] = c.r.sound.Volume(c.r.microphones, i, c.r.sim.kernel.Time(), at[i])
	}
	return v
}

// PlayMelody starts melody 1 to 3 unless one is playing; other numbers do nothing.
func (c *Control) PlayMelody(number uint8) { c.r.sound.Play(c.r.sim.kernel.Time(), number) }

// Field returns what the magnetometer of the IMU measures in the robot's frame, T.
func (c *Control) Field() physics.Vec3 {
	r, s := c.r, c.r.sim
	return r.imu.Field(r.inertia.Magnetic(s.field, r.body.Pose().Theta, physics.Attitude{}), uint64(s.kernel.Cycle()))
}

// BoardField returns what the magnetometer of the Pi-puck board measures in the robot's frame, T.
func (c *Control) BoardField() physics.Vec3 {
	r, s := c.r, c.r.sim
	return r.compass.Field(r.inertia.Magnetic(s.field, r.body.Pose().Theta, physics.Attitude{}), uint64(s.kernel.Cycle()))
}

// SetBoardLED sets LED i (0 to 2, others do nothing) of the Pi-puck: 0b00000BGR.
func (c *Control) SetBoardLED(i int, colour byte) {
	if i >= 0 && i < len(c.r.boardLamps) {
		c.r.boardLamps[i] = colour & 7
	}
}

// Remote returns the latest code of a TV remote control, and how many there have been.
func (c *Control) Remote() (code uint8, presses uint64) { return c.r.remote, c.r.presses }

// SetSound sets the amplitude of the sound around the robot, in counts of its 16-bit microphones; 0 is silence.
func (r *Functional) SetSound(amplitude float64) { r.Do(func(*Control) { r.sound.Set(amplitude) }) }

// SendRemote points a TV remote at the robot and sends a command code, 0 to 127, else ErrRange. It reports it and does
// nothing else: what the codes do to a real robot is its firmware's.
func (r *Functional) SendRemote(code int) error {
	if code < 0 || code > 127 {
		return fmt.Errorf("%w: remote code %d, must be 0 to 127", ErrRange, code)
	}
	r.Do(func(*Control) { r.remote, r.presses = uint8(code), r.presses+1 })
	return nil
}
