// SPDX-License-Identifier: Apache-2.0

// Package twin makes simulated robots that measure what the report of an acceptance test states about another
// robot.
//
// A twin has the faults that the report names, and these parameters of what it measured: offset and gain of each
// proximity sensor, gain of the microphones, bias and noise of the inertial sensor, offset and noise of the
// time-of-flight sensor, gain of the ground sensors, radii of the wheels, steps that are counted, delay of the first
// step, charge of the battery, selector, and errors of the bus. The light around, the drop of the battery's
// voltage and the computer are not those of the twin; its noise is at least that of the simulated chips.
package twin

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/acceptance/checks"
	"github.com/epuck-ros2/epuck-driver/acceptance/misbuilt"
	"github.com/epuck-ros2/epuck-driver/acceptance/report"
	"github.com/epuck-ros2/epuck-driver/acceptance/simulated"
	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// ErrReport is matched when no robot can be like the report: nothing was measured, or a value cannot be.
var ErrReport = errors.New("twin: unusable report")

// Twin is what a report says of its robot. It does not change and is safe for concurrent use.
type Twin struct {
	values map[string]float64 // by check/measurement
	named  []string           // faults of package misbuilt that the report names, sorted
}

// Of reads a report. The error matches [ErrReport] and names the measurement.
func Of(r *report.Report) (*Twin, error) {
	t := &Twin{values: map[string]float64{}}
	for _, c := range r.Results {
		for _, m := range c.Measurements {
			if math.IsNaN(m.Value) || math.Abs(m.Value) > math.MaxUint16 {
				return nil, fmt.Errorf("%w: %s: %s: %g %s is out of range", ErrReport, c.Name, m.Name, m.Value, m.Unit)
			}
			t.values[c.Name+"/"+m.Name] = m.Value
		}
		for _, f := range c.Faults {
			if _, err := misbuilt.Find(f.Name); err == nil {
				t.named = append(t.named, f.Name)
			}
		}
	}
	if len(t.values) == 0 {
		return nil, fmt.Errorf("%w: it has no measurements", ErrReport)
	}
	slices.Sort(t.named)
	t.named = slices.Compact(t.named)
	if t.has("selector-wrong") { // it is where it is, turned or not
		t.named = slices.DeleteFunc(t.named, func(name string) bool { return name == "selector-stuck" })
	}
	if t.has("imu-upside-down") { // which explains the wrong signs that have other causes otherwise
		t.named = slices.DeleteFunc(t.named, func(name string) bool { return name == "motors-swapped" || name == "imu-x-mirrored" })
	}
	return t, nil
}

// Measurements returns how many measurements the report has.
func (t *Twin) Measurements() int { return len(t.values) }

// Named returns the names of the faults that the twin has by name.
func (t *Twin) Named() []string { return slices.DeleteFunc(slices.Clone(t.named), parametric) }

// value returns a measurement of a check; ok is false without it.
func (t *Twin) value(check, name string) (v float64, ok bool) {
	v, ok = t.values[check+"/"+name]
	return v, ok
}

// has reports whether the report names a fault.
func (t *Twin) has(name string) bool { return slices.Contains(t.named, name) }

// Fit gives a described robot the wheels and the battery of the report. What the report does not have stays as it is.
func (t *Twin) Fit(r *world.Robot) {
	if radii, ok := t.radii(); ok {
		r.Variation.WheelRadii = radii
	}
	if v, ok := t.value("battery", "voltage at rest"); ok {
		r.Battery.Charge = charge(r.Battery.Capacity, v)
	}
}

// radii returns the wheels' radii by the body's turning, for the counters count the motors' steps. The gyroscope's
// error of scale, 3 %, is in them.
func (t *Twin) radii() (radii world.Radii, ok bool) {
	left, has := t.value("wheels", "turning, left wheel commanded")
	right, both := t.value("wheels", "turning, right wheel commanded")
	if !has || !both {
		return radii, false
	}
	if t.has("motors-swapped") {
		left, right = right, left
	}
	drawn := world.Radii{robot.WheelRadius, robot.WheelRadius}
	for i, rate := range [2]float64{left, right} {
		radii[i] = robot.WheelRadius * math.Abs(rate) / checks.TurnRate
		if radii[i] < 0.01 || radii[i] > 0.05 { // a wheel that does not turn says nothing of its radius
			return drawn, true
		}
	}
	return radii, true
}

// charge returns the share of a cell's capacity (C) with which it has a voltage while the robot rests.
func charge(capacity, volts float64) float64 {
	low, high := 0.0, 1.0
	for range 40 {
		middle := (low + high) / 2
		if physics.NewBattery(capacity, middle).Voltage() < volts {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// Faults returns what a robot of a simulation needs to measure what the report says: r describes it, after Fit, and the
// seed is that of the simulation. It tests such a robot without faults first, which takes a tenth of a second.
func (t *Twin) Faults(r world.Robot, seed uint64) ([]misbuilt.Fault, error) {
	right, err := simulated.Make(r, seed)
	if err != nil {
		return nil, err
	}
	results, err := checks.Run(context.Background(), right.Tested, right, checks.Options{})
	if err != nil {
		return nil, fmt.Errorf("twin: the robot without faults: %w", err)
	}
	own, err := Of(&report.Report{Results: results})
	if err != nil {
		return nil, err
	}
	likeness, err := t.likeness(own)
	if err != nil {
		return nil, err
	}
	named, err := misbuilt.FindAll(t.Named()...)
	if err != nil {
		return nil, err
	}
	return append(append([]misbuilt.Fault{likeness.Fault()}, named...), t.counters(own)...), nil
}

// counters returns the fault of step counters that are not as commanded, if no named fault makes them so.
func (t *Twin) counters(own *Twin) []misbuilt.Fault {
	share := [2]float64{1, 1}
	for i, side := range []string{"left", "right"} {
		name := side + " counter, " + side + " wheel commanded"
		v, ok := t.value("wheels", name)
		from, measured := own.value("wheels", name)
		if s := math.Abs(v / from); ok && measured && from != 0 && math.Abs(s-1) < 0.4 {
			share[i] = s
		}
	}
	if math.Abs(share[0]-1) < 0.01 && math.Abs(share[1]-1) < 0.01 {
		return nil
	}
	return []misbuilt.Fault{misbuilt.Counters(share[0], share[1])}
}
