// SPDX-License-Identifier: Apache-2.0

// Package checks is the acceptance test of a robot: it measures, one at a time, the properties that the driver
// assumes, and compares each measurement with an interval whose source it names. It needs the robot's buses and a
// person, or a simulated robot and a program that acts as the person.
package checks

import (
	"slices"
	"time"
)

// Measurement is a value with the interval that is expected.
type Measurement struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	// Low and High are the bounds of the interval, both expected values.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// Source is the source of the interval: a data sheet, a file of the firmware, a measured value of
	// package robot.
	Source string `json:"source"`
}

// Expected reports whether the value is in the interval.
func (m *Measurement) Expected() bool { return m.Low <= m.Value && m.Value <= m.High }

// Fault is a conclusion of a check: its name is that of a fault in package acceptance/misbuilt if there is one.
type Fault struct {
	Name string `json:"name"`
	Text string `json:"text"` // the observation, one sentence
}

// Verdict is the outcome of a check.
type Verdict string

// The verdicts.
const (
	Passed  Verdict = "passed"
	Failed  Verdict = "failed"
	Skipped Verdict = "skipped"
	// Absent: the robot does not have the device, which is not a fault.
	Absent Verdict = "absent"
)

// Result is the outcome of a check with all its measurements.
type Result struct {
	Name         string        `json:"name"`
	Does         string        `json:"does"`
	Needs        []string      `json:"needs,omitempty"` // requests to the person
	Verdict      Verdict       `json:"verdict"`
	Measurements []Measurement `json:"measurements,omitempty"`
	Faults       []Fault       `json:"faults,omitempty"`
	Note         string        `json:"note,omitempty"` // what was not as expected according to the person
	Seconds      float64       `json:"seconds"`
}

// Unexpected returns the measurements that are outside of their intervals.
func (r *Result) Unexpected() (list []Measurement) {
	for _, m := range r.Measurements {
		if !m.Expected() {
			list = append(list, m)
		}
	}
	return list
}

// Value returns the measurement with a name.
func (r *Result) Value(name string) (float64, bool) {
	i := slices.IndexFunc(r.Measurements, func(m Measurement) bool { return m.Name == name })
	if i < 0 {
		return 0, false
	}
	return r.Measurements[i].Value, true
}

// conclude sets duration and verdict of a check that has run for a time.
func (r *Result) conclude(took time.Duration) {
	r.Seconds = took.Seconds()
	switch {
	case r.Verdict != "":
	case len(r.Faults) > 0 || len(r.Unexpected()) > 0:
		r.Verdict = Failed
	default:
		r.Verdict = Passed
	}
}
