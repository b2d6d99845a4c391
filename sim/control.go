// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vground"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// Controller decides what an agent does. The world calls Step once in each control period, for several agents at once
// on different goroutines, each time with the same Control for the same agent. Step must not block, not call the
// simulation, and not share anything with other controllers that is not constant: that would end the promise that a run
// repeats.
type Controller interface{ Step(c *Control) }

// SetController lets c decide what the agent does, first at the next multiple of the period (a positive multiple of 10
// ms, else ErrRange); nil leaves it to others and keeps the speeds.
func (a *Agent) SetController(c Controller, period time.Duration) error {
	if c != nil && (period <= 0 || period%vmcu.SamplePeriod != 0) {
		return fmt.Errorf("%w: control period %v, must be a multiple of %v", ErrRange, period, vmcu.SamplePeriod)
	}
	s := a.sim
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	if a.controller != nil {
		s.controlled--
	}
	a.controller = c
	if c != nil {
		s.controlled++
		a.period = int64(period / vmcu.SamplePeriod)
		a.next = (s.cycle/a.period + 1) * a.period
		s.beat = divisor(s.beat, a.period)
	}
	return nil
}

// divisor returns the greatest common divisor of two numbers; 0 stands for none.
func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// think runs the controllers that are due, each by itself, for nothing moves meanwhile: also those of one island, which
// in a dense world has most robots. They come in the order of the islands, so that most are in the cache of the
// processor that has moved them.
func (s *Simulation) think() {
	s.exchangeMessages()
	if s.controlled > 0 && s.cycle%s.beat == 0 {
		s.each(len(s.islands.store), s.jobs.think)
	}
}

// think runs the unit's controller if it has one and that is due.
func (u *unit) think() {
	a := u.agent
	if a == nil || a.controller == nil || u.sim.cycle < a.next {
		return
	}
	a.next += a.period
	a.controller.Step(&a.control)
}

// Control is an agent's sensors and actuators, at one time. Measuring twice at one time gives the same; what is not
// asked for costs nothing. It is valid while Step or the function given to Do runs.
type Control struct{ a *Agent }

// Name returns the robot's name.
func (c *Control) Name() string { return c.a.name }

// Time returns the age of the world.
func (c *Control) Time() time.Duration { return time.Duration(c.a.sim.steps) * stepPeriod }

// Pose returns where the robot really is, which a real one does not know.
func (c *Control) Pose() Pose { return c.a.body.Pose() }

// Proximity returns what the infrared sensors ps0 to ps7 read less what they read with nothing before them, counts of 0
// to 4095: the nearer, the more (see physics.Response).
func (c *Control) Proximity() [8]float64 {
	a := c.a
	var p [8]float64
	a.eyes.Reflected(a.sim.scene, a.sampled, a.near(), a.sampledInAir, a.sim.cycle, &p)
	return p
}

// Infrared returns what the infrared sensors measure in counts of the converter, ambient light and reflected.
func (c *Control) Infrared() (ambient, reflected [8]uint16) {
	a := c.a
	a.eyes.Measure(a.sim.scene, a.sampled, a.othersSampled(), a.sampledInAir, a.sim.cycle, &ambient, &reflected)
	return ambient, reflected
}

// near returns the middles of the units that the agent's infrared sensors may see.
func (a *Agent) near() []geom.Vec {
	s := a.sim
	a.numbers = s.crowd.Around(a.sampled.Position(), physics.SenseReach, a.numbers[:0])
	return a.standingSampled(a.numbers)
}

// Distance returns what the time-of-flight sensor ahead reads, m; +Inf if it sees nothing.
func (c *Control) Distance() float64 {
	a, s := c.a, c.a.sim
	if a.ranger == nil {
		a.ranger = physics.NewRanger()
	}
	a.numbers = s.scene.RangeWitnesses(&s.crowd, a.body.Position(), a.numbers[:0])
	d := a.ranger.Look(s.scene, a.body.Pose(), a.standing(a.numbers), a.inAir).Distance
	if math.IsInf(d, 1) {
		return d
	}
	mean, sigma := vtof.Response(max(0, d))
	if s.opts.Quiet {
		return mean
	}
	return max(0, mean+float64(sigma*a.echo.Normal(uint64(s.cycle))))
}

// Ground returns what the ground sensors left, centre and right read, counts of 0 (black, or no floor) to 1023.
func (c *Control) Ground() [3]float64 {
	a, s := c.a, c.a.sim
	var g [3]float64
	if a.inAir {
		return g
	}
	for i, at := range physics.GroundSensors() {
		v := float64(vground.Response(0) * s.scene.Reflectance(a.body.Pose().Transform(at)))
		if !s.opts.Quiet {
			v = float64(v * (1 + float64(vground.DefaultNoiseLevel*a.feet[i].Normal(uint64(s.cycle)))))
		}
		g[i] = max(0, min(1023, math.Round(v)))
	}
	return g
}

// Inertial returns acceleration with gravity (m/s²) and angular velocity (rad/s) in the robot's frame.
func (c *Control) Inertial() (acceleration, rotation physics.Vec3) {
	a := c.a
	m := physics.Motion{A: a.acceleration}
	m.V, m.Omega = a.twist()
	n := uint64(a.sim.time / time.Microsecond)
	return a.inertia.Acceleration(m, physics.Attitude{}, n), a.inertia.Rotation(m, physics.Attitude{}, n)
}

// Wheels returns the angles (rad) that the left and the right wheel have turned, and their speeds (rad/s).
func (c *Control) Wheels() (angle, speed [2]float64) { return c.a.wheel, c.a.speed }

// Voltage returns the battery's voltage, V.
func (c *Control) Voltage() float64 { return c.a.battery.Voltage() }

// Charge returns the charge in the battery, C.
func (c *Control) Charge() float64 { return c.a.battery.Content() }

// SetWheels sets the speeds of the wheels, rad/s, which they keep. Beyond what the motors can do (6.91 rad/s) they are
// clipped; NaN is 0.
func (c *Control) SetWheels(left, right float64) {
	c.a.wanted = [2]float64{motorSpeed(left), motorSpeed(right)}
}

// SetLEDs sets what the LEDs show.
func (c *Control) SetLEDs(l vmcu.LEDs) { c.a.lamps = l }

// Random returns a random number of the robot's own, uniform in [0, 1).
func (c *Control) Random() float64 {
	c.a.drawn++
	return c.a.chance.Float64(c.a.drawn)
}
