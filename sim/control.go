// SPDX-License-Identifier: Apache-2.0

package sim

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
	"github.com/epuck-ros2/epuck-driver/sim/kernel"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Controller decides what a functional robot does. The world calls Step once in each control period, for several robots
// at once on different goroutines, each time with the same Control for the same robot. Step must not block, not call
// the simulation, and not share anything with other controllers that is not constant: that would end the promise that
// a run repeats.
type Controller interface{ Step(c *Control) }

// SetController sets the robot's controller, whose Step is called first at the next multiple of the period (a positive
// multiple of 10 ms, else ErrRange). nil removes the controller; the robot keeps its speeds.
func (r *Functional) SetController(c Controller, period time.Duration) error {
	if c != nil && (period <= 0 || period%vmcu.SamplePeriod != 0) {
		return fmt.Errorf("%w: control period %v, must be a multiple of %v", ErrRange, period, vmcu.SamplePeriod)
	}
	s := r.sim
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	if r.controller != nil {
		s.kernel.RemoveController()
	}
	r.controller = c
	if c != nil {
		r.period = int64(period / vmcu.SamplePeriod)
		r.next = (s.kernel.Cycle()/r.period + 1) * r.period
		s.kernel.AddController(r.period)
	}
	return nil
}

// think implements plant.
func (r *Functional) think() {
	if r.controller == nil || r.sim.kernel.Cycle() < r.next {
		return
	}
	r.next += r.period
	if r.battery.Dead() { // so is its computer
		return
	}
	r.controller.Step(&r.control)
}

// onLeave implements plant.
func (r *Functional) onLeave() {
	if r.controller != nil {
		r.sim.kernel.RemoveController()
	}
}

// saveController implements plant.
func (r *Functional) saveController() (state []byte, controlled bool, err error) {
	if m, ok := r.controller.(encoding.BinaryMarshaler); ok {
		state, err = m.MarshalBinary()
	}
	return state, r.controller != nil, err
}

// loadController implements plant.
func (r *Functional) loadController(state []byte, maker func(*Functional) Controller) (controlled bool, err error) {
	if r.controller = maker(r); r.controller == nil {
		return false, nil
	}
	r.sim.kernel.ResumeController(r.period)
	if m, ok := r.controller.(encoding.BinaryUnmarshaler); ok && state != nil {
		err = m.UnmarshalBinary(state)
	}
	return true, err
}

// Control is a functional robot's sensors and actuators, at one time. Measuring twice at one time gives the same; what
// is not asked for costs nothing. It is valid while Step or the function given to Do runs.
type Control struct{ r *Functional }

// Name returns the robot's name.
func (c *Control) Name() string { return c.r.name }

// Time returns the age of the world.
func (c *Control) Time() time.Duration {
	return time.Duration(c.r.sim.kernel.Steps()) * kernel.StepPeriod
}

// Pose returns where the robot really is, which a real one does not know.
func (c *Control) Pose() Pose { return c.r.body.Pose() }

// Proximity returns what the infrared sensors ps0 to ps7 read less what they read with nothing before them, counts of 0
// to 4095: the nearer, the more, and the less the brighter it is.
func (c *Control) Proximity() [8]float64 {
	r := c.r
	var p [8]float64
	if !r.sim.scene.Bright() {
		r.eyes.Reflected(r.sim.scene, r.sampled, r.near(), r.sampledInAir, r.sim.kernel.Cycle(), &p)
		return p
	}
	var ambient, reflected [8]uint16
	r.eyes.Measure(r.sim.scene, r.sampled, r.othersSampled(), r.sampledInAir, r.sim.kernel.Cycle(), &ambient, &reflected)
	for i, v := range reflected {
		p[i] = max(0, float64(v)-math.Round(r.eyes.Offset(i)))
	}
	return p
}

// Infrared returns what the infrared sensors measure, counts: ambient light as the converter gives it, and reflected
// light as the firmware gives it, less the offset found by [Control.CalibrateInfrared], 0 before.
func (c *Control) Infrared() (ambient, reflected [8]uint16) {
	r := c.r
	r.eyes.Measure(r.sim.scene, r.sampled, r.othersSampled(), r.sampledInAir, r.sim.kernel.Cycle(), &ambient, &reflected)
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
		r.eyes.Measure(r.sim.scene, r.sampled, r.othersSampled(), r.sampledInAir, r.sim.kernel.Cycle()-k, &ambient, &reflected)
		for i, v := range reflected {
			sum[i] += int(v)
		}
	}
	for i, v := range sum {
		r.zero[i] = uint16(v / calibrationCycles)
	}
}

// near returns the middles of the units that the robot's infrared sensors may see.
func (r *Functional) near() *physics.Others {
	s := r.sim
	r.numbers = s.crowd.Around(r.sampled.Position(), physics.SenseReach, r.numbers[:0])
	return r.onFloorSampled(r.numbers)
}

// Distance returns what the time-of-flight sensor ahead reads, m, which is a little more than the distance (see
// vtof.Response); +Inf if it sees nothing.
func (c *Control) Distance() float64 {
	if !c.carries(world.ToF) {
		return math.Inf(1)
	}
	r, s := c.r, c.r.sim
	if r.ranger == nil {
		r.ranger = physics.NewRanger()
	}
	r.numbers = s.scene.RangeWitnesses(&s.crowd, r.body.Position(), r.numbers[:0])
	draw := 0.0
	if !s.opts.Quiet {
		draw = r.echo.Normal(uint64(s.kernel.Cycle()))
	}
	return r.ranging.Range(target(r.ranger.Look(s.scene, r.body.Pose(), r.onFloor(r.numbers), r.inAir)), draw)
}

// SetRanging sets how the time-of-flight sensor measures; before, as in its long-range profile.
func (c *Control) SetRanging(s vtof.Setting) { c.r.ranging = s }

// SetIMUBandwidth sets the bandwidth of the IMU's filters to the nearest that they have, Hz; before, about 10 Hz.
func (c *Control) SetIMUBandwidth(hz float64) { c.r.imu = c.r.imu.WithBandwidth(hz) }

// Ground returns what the ground sensors left, centre and right read, counts of 0 (black, or no floor) to 1023.
func (c *Control) Ground() [3]float64 {
	if !c.carries(world.Ground) {
		return [3]float64{}
	}
	r, s := c.r, c.r.sim
	var g [3]float64
	if r.inAir {
		return g
	}
	for i, at := range physics.GroundSensors() {
		v := float64(vground.Response(0) * s.scene.Reflectance(r.body.Pose().Transform(at)))
		if !s.opts.Quiet {
			v = float64(v * (1 + float64(vground.DefaultNoiseLevel*r.feet[i].Normal(uint64(s.kernel.Cycle())))))
		}
		g[i] = max(0, min(1023, math.Round(v)))
	}
	return g
}

// Inertial returns what the IMU measures in the robot's frame, with its biases: acceleration with gravity (m/s²) and
// angular velocity (rad/s).
func (c *Control) Inertial() (acceleration, rotation physics.Vec3) {
	r := c.r
	n := uint64(r.sim.kernel.Time() / time.Microsecond)
	m := vimu.Motion{
		Accel: r.inertia.Acceleration(r.motion, physics.Attitude{}, n),
		Gyro:  r.inertia.Rotation(r.motion, physics.Attitude{}, n),
	}
	accel, gyro := r.imu.Measure(&m, uint64(r.sim.kernel.Cycle()))
	return accel, gyro
}

// Wheels returns the angles (rad) that the left and the right wheel have turned, and their speeds (rad/s).
func (c *Control) Wheels() (angle, speed [2]float64) { return c.r.wheel, c.r.speed }

// Voltage returns the battery's voltage, V.
func (c *Control) Voltage() float64 { return c.r.battery.Voltage() }

// MeasuredVoltage returns what the Pi-puck's converter measures of it, V.
func (c *Control) MeasuredVoltage() float64 {
	r := c.r
	return vbattery.Measured(r.battery.Voltage(), r.converter, r.sim.opts.Quiet, r.sim.kernel.Time())
}

// Charging reports whether the charger is plugged in.
func (c *Control) Charging() bool { return c.r.battery.Charging() }

// Charge returns the charge in the battery, C.
func (c *Control) Charge() float64 { return c.r.battery.Content() }

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
