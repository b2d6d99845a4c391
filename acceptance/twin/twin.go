// SPDX-License-Identifier: Apache-2.0

// Package twin makes simulated robots that measure what the report of an acceptance test states about another robot.
//
// A twin has the faults that the report names, and these parameters from its measurements: offset and gain of each
// proximity sensor, gain of the microphones, bias and noise of the inertial sensor, offset and noise of the
// time-of-flight sensor, gain of the ground sensors, radii of the wheels, scale of the step counters, delay of the
// first step, charge of the battery, selector, and errors of the bus. Ambient light, the drop of the battery's
// voltage and the computer are not reproduced; the noise is at least that of the simulated chips.
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

// ErrReport is matched when a report can't be reproduced: it has no measurements, or an impossible value.
var ErrReport = errors.New("twin: unusable report")

// Twin holds the measurements and faults of a report. It is immutable and safe for concurrent use.
type Twin struct {
	values map[string]float64 // by check/measurement
	named  []string           // faults of package misbuilt that the report names, sorted
}

// Of returns the twin of a report. The error matches [ErrReport] and names the measurement.
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
	if t.has("selector-wrong") { // which implies that it is stuck
		t.named = slices.DeleteFunc(t.named, func(name string) bool { return name == "selector-stuck" })
	}
	if t.has("imu-upside-down") { // which explains the wrong signs
		t.named = slices.DeleteFunc(t.named, func(name string) bool { return name == "motors-swapped" || name == "imu-x-mirrored" })
	}
	return t, nil
}

// Measurements returns the number of measurements of the report.
func (t *Twin) Measurements() int { return len(t.values) }

// Named returns the names of the faults that the parameters do not represent.
func (t *Twin) Named() []string { return slices.DeleteFunc(slices.Clone(t.named), parametric) }

// value returns a measurement of a check; ok is false if it is missing.
func (t *Twin) value(check, name string) (v float64, ok bool) {
	v, ok = t.values[check+"/"+name]
	return v, ok
}

// has reports whether the report names a fault.
func (t *Twin) has(name string) bool { return slices.Contains(t.named, name) }

// Fit sets wheels and battery of a described robot to those of the report. Values that the report does not have are
// not changed.
func (t *Twin) Fit(r *world.Robot) {
	if radii, ok := t.radii(); ok {
		r.Variation.WheelRadii = radii
	}
	if v, ok := t.value("battery", "voltage at rest"); ok {
		r.Battery.Charge = charge(r.Battery.Capacity, v)
	}
}

// radii returns the wheels' radii from the body's rotation, because the counters count the motors' steps. They
// include the error of the gyroscope's scale, 3 %.
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
		if radii[i] < 0.01 || radii[i] > 0.05 { // a wheel that does not turn does not determine its radius
			return drawn, true
		}
	}
	return radii, true
}

// charge returns the state of charge (0 to 1) at which a cell of a capacity (C) has a voltage while the robot rests.
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

// Faults returns the faults with which a simulated robot reproduces the report: r describes the robot, after Fit, and
// seed is the simulation's. It first tests such a robot without faults, which takes about 0.1 s.
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

// counters returns the fault of step counters that deviate from the command, unless a named fault explains it.
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
