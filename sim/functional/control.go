// SPDX-License-Identifier: Apache-2.0

package functional

import (
	"encoding"
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vbattery"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vground"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/kernel"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/plant"
	"github.com/epuck-ros2/epuck-driver/sim/scene"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Controller decides what a functional robot does. The world calls Step once in each control period, for several robots
// at once on different goroutines, each time with the same Control for the same robot. Step must not block, not call
// the simulation, and not share anything with other controllers that is not constant: that would end the promise that
// a run repeats.
type Controller interface{ Step(c *Control) }

// SetController sets the robot's controller, whose Step is called first at the next multiple of the period (a positive
// multiple of 10 ms, else ErrRange). nil removes the controller; the robot keeps its speeds.
func (r *Robot) SetController(c Controller, period time.Duration) error {
	if c != nil && (period <= 0 || period%vmcu.SamplePeriod != 0) {
		return fmt.Errorf("%w: control period %v, must be a multiple of %v", scene.ErrRange, period, vmcu.SamplePeriod)
	}
	d, x := &r.d, r.d.World()
	x.Enter()
	defer x.Unlock()
	if d.controller != nil {
		x.Kernel.RemoveController()
	}
	d.controller = c
	if c != nil {
		d.period = int64(period / vmcu.SamplePeriod)
		d.next = (x.Kernel.Cycle()/d.period + 1) * d.period
		x.Kernel.AddController(d.period)
	}
	return nil
}

// Think implements kernel.Body.
func (r *dynamics) Think() {
	if r.controller == nil || r.World().Kernel.Cycle() < r.next {
		return
	}
	r.next += r.period
	if r.Battery().Dead() { // so is its computer
		return
	}
	r.controller.Step(&r.control)
}

// OnLeave implements plant.Plant.
func (r *dynamics) OnLeave() {
	if r.controller != nil {
		r.World().Kernel.RemoveController()
	}
}

// SaveController returns the state of the robot's controller, nil if it does not write one, and whether the robot has a
// controller.
func (r *dynamics) SaveController() (state []byte, controlled bool, err error) {
	if m, ok := r.controller.(encoding.BinaryMarshaler); ok {
		state, err = m.MarshalBinary()
	}
	return state, r.controller != nil, err
}

// LoadController asks maker for a controller that continues from a state, and reports whether the robot has one then.
func (r *dynamics) LoadController(state []byte, maker func(*Robot) Controller) (controlled bool, err error) {
	if r.controller = maker(r.robot); r.controller == nil {
		return false, nil
	}
	r.World().Kernel.ResumeController(r.period)
	if m, ok := r.controller.(encoding.BinaryUnmarshaler); ok && state != nil {
		err = m.UnmarshalBinary(state)
	}
	return true, err
}

// Control is a functional robot's sensors and actuators, at one time. Measuring twice at one time gives the same; what
// is not asked for costs nothing. It is valid while Step or the function given to Do runs.
type Control struct{ r *dynamics }

// Name returns the robot's name.
func (c *Control) Name() string { return c.r.Unit.Name() }

// Time returns the age of the world.
func (c *Control) Time() time.Duration {
	return time.Duration(c.r.World().Kernel.Steps()) * kernel.StepPeriod
}

// Pose returns where the robot really is, which a real one does not know.
func (c *Control) Pose() geom.Pose { return c.r.Chassis.Pose() }

// Proximity returns what the infrared sensors ps0 to ps7 read less what they read with nothing before them, counts of 0
// to 4095: the nearer, the more, and the less the brighter it is.
func (c *Control) Proximity() [8]float64 {
	r, x := c.r, c.r.World()
	var p [8]float64
	if !x.Physics.Bright() {
		at, inAir := r.Sampled()
		r.Eyes.Reflected(x.Physics, at, r.NearSampled(), inAir, x.Kernel.Cycle(), &p)
		return p
	}
	var ambient, reflected [8]uint16
	r.measure(x.Kernel.Cycle(), &ambient, &reflected)
	for i, v := range reflected {
		p[i] = max(0, float64(v)-math.Round(r.Eyes.Offset(i)))
	}
	return p
}

// measure measures with the infrared sensors, with the noise of a cycle.
func (r *dynamics) measure(cycle int64, ambient, reflected *[8]uint16) {
	at, inAir := r.Sampled()
	r.Eyes.Measure(r.World().Physics, at, r.OthersSampled(), inAir, cycle, ambient, reflected)
}

// Infrared returns what the infrared sensors measure, counts: ambient light as the converter gives it, and reflected
// light as the firmware gives it, less the offset found by [Control.CalibrateInfrared], 0 before.
func (c *Control) Infrared() (ambient, reflected [8]uint16) {
	r := c.r
	r.measure(r.World().Kernel.Cycle(), &ambient, &reflected)
	for i, zero := range r.zero {
		reflected[i] -= min(zero, reflected[i])
	}
	return ambient, reflected
}

// calibrationCycles is how many cycles of the infrared sensors a calibration averages (firmware proximity.c).
const calibrationCycles = 100

// CalibrateInfrared takes the mean of what the infrared sensors measure now over a second as their offsets, as the
// firmware does of the second that follows.
func (c *Control) CalibrateInfrared() {
	r := c.r
	var sum [8]int
	var ambient, reflected [8]uint16
	for k := range int64(calibrationCycles) {
		r.measure(r.World().Kernel.Cycle()-k, &ambient, &reflected)
		for i, v := range reflected {
			sum[i] += int(v)
		}
	}
	for i, v := range sum {
		r.zero[i] = uint16(v / calibrationCycles)
	}
}

// Distance returns what the time-of-flight sensor ahead reads, m, which is a little more than the distance (see
// vtof.Response); +Inf if it sees nothing.
func (c *Control) Distance() float64 {
	if !c.r.Carries(world.ToF) {
		return math.Inf(1)
	}
	r, x := c.r, c.r.World()
	if r.Ranger == nil {
		r.Ranger = physics.NewRanger()
	}
	draw := 0.0
	if !x.Config.Quiet {
		draw = r.echo.Normal(uint64(x.Kernel.Cycle()))
	}
	return r.ranging.Range(r.Target(), draw)
}

// SetRanging sets how the time-of-flight sensor measures; before, as in its long-range profile.
func (c *Control) SetRanging(s vtof.Setting) { c.r.ranging = s }

// SetIMUBandwidth sets the bandwidth of the IMU's filters to the nearest that they have, Hz; before, about 10 Hz.
func (c *Control) SetIMUBandwidth(hz float64) { c.r.imu = c.r.imu.WithBandwidth(hz) }

// Ground returns what the ground sensors left, centre and right read, counts of 0 (black, or no floor) to 1023.
func (c *Control) Ground() [3]float64 {
	if !c.r.Carries(world.Ground) {
		return [3]float64{}
	}
	r, x := c.r, c.r.World()
	var g [3]float64
	if r.InAir() {
		return g
	}
	for i, at := range physics.GroundSensors() {
		v := float64(vground.Response(0) * x.Physics.Reflectance(r.Chassis.Pose().Transform(at)))
		if !x.Config.Quiet {
			v = float64(v * (1 + float64(vground.DefaultNoiseLevel*r.feet[i].Normal(uint64(x.Kernel.Cycle())))))
		}
		g[i] = max(0, min(1023, math.Round(v)))
	}
	return g
}

// Inertial returns what the IMU measures in the robot's frame, with its biases: acceleration with gravity (m/s²) and
// angular velocity (rad/s).
func (c *Control) Inertial() (acceleration, rotation physics.Vec3) {
	r := c.r
	n := uint64(r.World().Kernel.Time() / time.Microsecond)
	m := vimu.Motion{
		Accel: r.Inertia.Acceleration(r.Motion, physics.Attitude{}, n),
		Gyro:  r.Inertia.Rotation(r.Motion, physics.Attitude{}, n),
	}
	accel, gyro := r.imu.Measure(&m, uint64(r.World().Kernel.Cycle()))
	return accel, gyro
}

// Wheels returns the angles (rad) that the left and the right wheel have turned, and their speeds (rad/s).
func (c *Control) Wheels() (angle, speed [2]float64) { return c.r.wheel, c.r.speed }

// Voltage returns the battery's voltage, V.
func (c *Control) Voltage() float64 { return c.r.Battery().Voltage() }

// MeasuredVoltage returns what the Pi-puck's converter measures of it, V.
func (c *Control) MeasuredVoltage() float64 {
	r := c.r
	return vbattery.Measured(r.Battery().Voltage(), r.converter, r.World().Config.Quiet, r.World().Kernel.Time())
}

// Charging reports whether the charger is plugged in.
func (c *Control) Charging() bool { return c.r.Battery().Charging() }

// Charge returns the charge in the battery, C.
func (c *Control) Charge() float64 { return c.r.Battery().Content() }

// SetWheels sets the speeds of the wheels, rad/s, which they keep. Beyond what the motors can do (6.91 rad/s) they are
// clipped; NaN is 0.
func (c *Control) SetWheels(left, right float64) {
	c.r.wanted = [2]float64{motorSpeed(left), motorSpeed(right)}
}

// SetLEDs sets what the LEDs show.
func (c *Control) SetLEDs(l vmcu.LEDs) { c.r.lamps = l }

// Random returns a random number of the robot's own, uniform in [0, 1).
func (c *Control) Random() float64 {
	c.r.drawn++
	return c.r.chance.Float64(c.r.drawn)
}

// Volume returns what the four microphones measure, right, left, back, front: peak to peak over 10 ms, counts.
func (c *Control) Volume() (v [4]uint16) {
	var at [4]float64
	c.r.World().Physics.Heard(c.r.Chassis.Pose(), &at)
	for i := range v {
		v[i] = c.r.sound.Volume(c.r.microphones, i, c.r.World().Kernel.Time(), at[i])
	}
	return v
}

// PlayMelody starts melody 1 to 3 unless one is playing; other numbers do nothing.
func (c *Control) PlayMelody(number uint8) { c.r.sound.Play(c.r.World().Kernel.Time(), number) }

// Field returns what the magnetometer of the IMU measures in the robot's frame, T.
func (c *Control) Field() physics.Vec3 {
	r, x := c.r, c.r.World()
	return r.imu.Field(r.Inertia.Magnetic(x.Field, r.Chassis.Pose().Theta, physics.Attitude{}), uint64(x.Kernel.Cycle()))
}

// BoardField returns what the magnetometer of the Pi-puck board measures in the robot's frame, T.
func (c *Control) BoardField() physics.Vec3 {
	r, x := c.r, c.r.World()
	return r.compass.Field(r.Inertia.Magnetic(x.Field, r.Chassis.Pose().Theta, physics.Attitude{}), uint64(x.Kernel.Cycle()))
}

// SetBoardLED sets LED i (0 to 2, others do nothing) of the Pi-puck: 0b00000BGR.
func (c *Control) SetBoardLED(i int, colour byte) {
	if i >= 0 && i < len(c.r.boardLamps) {
		c.r.boardLamps[i] = colour & 7
	}
}

// Remote returns the latest code of a TV remote control, and how many there have been.
func (c *Control) Remote() (code uint8, presses uint64) { return c.r.remote, c.r.presses }

// Say sends a message of at most MaxMessage bytes, else ErrRange, to all robots around at the next exchange. The latest
// one counts.
func (c *Control) Say(payload []byte) error { return c.r.Say(payload) }

// Heard returns the messages of the latest exchange. The slice is valid until the next one. Who asks for the first time
// in between hears from the next exchange on.
func (c *Control) Heard() []plant.Heard {
	c.r.Listen()
	return c.r.Unit.Heard()
}
