// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package acceptance

import (
	"fmt"
	"slices"

	"github.com/epuck-ros2/epuck-driver/acceptance/misbuilt"
	"github.com/epuck-ros2/epuck-driver/acceptance/report"
	"github.com/epuck-ros2/epuck-driver/acceptance/simulated"
	"github.com/epuck-ros2/epuck-driver/acceptance/twin"
)

// simulate opens a simulated robot.
func (o *options) simulate() (*tested, error) {
	r, err := o.makeRobot()
	if err != nil {
		return nil, err
	}
	return &tested{robot: r.Tested, person: r, computer: r.Tested.Files, close: func() error { return nil }}, nil
}

// makeRobot creates the simulated robot, with --like one that measures the values of a report.
func (o *options) makeRobot() (*simulated.Robot, error) {
	if o.like == "" {
		return simulated.New(o.seed, o.faults...)
	}
	named, err := misbuilt.FindAll(o.faults...)
	if err != nil {
		return nil, err
	}
	r, err := report.ReadFile(o.like)
	if err != nil {
		return nil, fmt.Errorf("--like: %w", err)
	}
	t, err := twin.Of(r)
	if err != nil {
		return nil, fmt.Errorf("--like %s: %w", o.like, err)
	}
	d, err := simulated.Faultless()
	if err != nil {
		return nil, err
	}
	t.Fit(&d)
	faults, err := t.Faults(d, o.seed)
	if err != nil {
		return nil, fmt.Errorf("--like %s: %w", o.like, err)
	}
	return simulated.Make(d, o.seed, slices.Concat(faults, named)...)
}
