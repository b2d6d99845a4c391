// SPDX-License-Identifier: Apache-2.0

package checks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// Robot gives the checks access to a robot.
type Robot struct {
	Bus   i2c.Bus // of the robot's chips
	Board i2c.Bus // of the chips on the Pi-puck board; nil without one
	Files fs.FS   // of the robot's computer; nil skips the checks that need them
	// Now is the clock, Sleep waits on it.
	Now   func() time.Time
	Sleep func(time.Duration)
}

// Options configure the test.
type Options struct {
	// Quick skips the checks that need a person after the start, and shortens the others.
	Quick bool
	// Report is called with each result, while the wheels are stopped. It may be nil.
	Report func(*Result)
	// Begin is called before each check, with its name and what it does. It may be nil.
	Begin func(name, does string)
}

// ErrNotStopped is matched when the wheels could not be stopped.
var ErrNotStopped = errors.New("acceptance: the wheels could not be stopped: lift the robot and switch it off")

// errSkipped is returned by a check that the person skips.
var errSkipped = errors.New("skipped")

const (
	period   = 50 * time.Millisecond // 20 Hz, as GCtronic's examples exchange packets
	tick     = 10 * time.Millisecond // polling period of the inertial sensor
	stopping = 100                   // attempts to stop the wheels, period apart: 5 s and more
)

// session is a running test.
type session struct {
	Robot
	ctx    context.Context
	opts   Options
	person Person
	dev    *mcu.Dev
	result *Result
	driven bool // the wheels were commanded to turn
}

// check is one check of the test.
type check struct {
	name, does string
	quick      bool // needs no person, so that it is part of a quick test
	run        func(*session) error
}

// Run tests a robot and returns the results, also those before an error. The wheels are stopped when the person is
// asked and when it returns (TestInterruptStopsTheWheelsAtAnyMoment, TestClosedTerminalEndsTheTest). The error matches
// [ErrNotStopped] if they could not be stopped, or is the context's cause or the person's.
func Run(ctx context.Context, r Robot, p Person, opts Options) (results []Result, err error) {
	dev, err := mcu.New(r.Bus, &mcu.Opts{Now: r.Now})
	if err != nil {
		return nil, err
	}
	s := &session{Robot: r, ctx: ctx, opts: opts, person: p, dev: dev}
	remove := task.AtPanic(func(*task.Panic) { _ = s.stop() })
	defer remove()
	defer func() { err = errors.Join(err, s.stopAtEnd()) }()
	if a, err := p.Do(ctx, Request{Task: OnFloor}); err != nil || a.Choice == Skip {
		return nil, err
	}
	for _, c := range list() {
		if opts.Quick && !c.quick {
			continue
		}
		out, err := s.check(c)
		results = append(results, out)
		if err != nil {
			return results, err
		}
	}
	return results, nil
}

// check runs a check, again while the person answers Repeat.
func (s *session) check(c check) (Result, error) {
	for {
		r := Result{Name: c.name, Does: c.does}
		s.result = &r
		if s.opts.Begin != nil {
			s.opts.Begin(c.name, c.does)
		}
		began := s.Now()
		err := c.run(s)
		if errors.Is(err, errSkipped) {
			r.Verdict, err = Skipped, nil
		}
		if cause := context.Cause(s.ctx); cause != nil {
			err = errors.Join(err, cause)
		}
		if err != nil && !s.isEnd(err) {
			s.fault("unmeasured-"+c.name, "%v", err)
			err = nil
		}
		if err != nil {
			err = errors.Join(err, s.stopAtEnd()) // before Report, which may block on a terminal
		}
		r.conclude(s.Now().Sub(began))
		if s.opts.Report != nil {
			s.opts.Report(&r)
		}
		if err != nil {
			return r, err
		}
		a, err := s.person.Judge(s.ctx, &r)
		if a.Note != "" {
			r.Note = strings.TrimPrefix(r.Note+"; "+a.Note, "; ")
			r.Verdict = Failed
		}
		if err != nil || a.Choice != Repeat {
			return r, err
		}
	}
}

// endError marks an error that ends the test.
type endError struct{ error }

func (e endError) Unwrap() error { return e.error }

// isEnd reports whether an error ends the test, not only the check.
func (s *session) isEnd(err error) bool {
	var end endError
	return errors.As(err, &end) || errors.Is(err, ErrNotStopped) || s.ctx.Err() != nil
}

// ask sends a request to the person. The wheels are stopped: every function that starts them stops them.
func (s *session) ask(r Request) error {
	s.result.Needs = append(s.result.Needs, r.String())
	a, err := s.person.Do(s.ctx, r)
	if err != nil {
		return endError{err}
	}
	if a.Choice == Skip {
		return errSkipped
	}
	return nil
}

// see calls show, again while the person answers Repeat, and asks whether the request is fulfilled. It returns false,
// and stores the note, if the answer has one.
func (s *session) see(show func() error, r Request) (bool, error) {
	s.result.Needs = append(s.result.Needs, r.String())
	for {
		if err := show(); err != nil {
			return false, err
		}
		a, err := s.person.Do(s.ctx, r)
		switch {
		case err != nil:
			return false, endError{err}
		case a.Choice == Skip:
			return false, errSkipped
		case a.Choice == Repeat:
			continue
		case a.Note != "":
			s.result.Note = strings.TrimPrefix(s.result.Note+"; "+a.Note, "; ")
		}
		return a.Note == "", nil
	}
}

// fault adds a fault to the result.
func (s *session) fault(name, format string, args ...any) {
	s.result.Faults = append(s.result.Faults, Fault{Name: name, Text: fmt.Sprintf(format, args...)})
}

// expect adds a measurement to the result and reports whether it is in the expected interval.
func (s *session) expect(name string, v float64, unit string, low, high float64, source string) bool {
	m := Measurement{Name: name, Value: v, Unit: unit, Low: low, High: high, Source: source}
	s.result.Measurements = append(s.result.Measurements, m)
	return m.Expected()
}

// stop stops the wheels. It repeats the command for at least 5 s until the robot has confirmed it: the main processor
// has no watchdog and keeps the last speed forever (firmware, gumstix.c).
func (s *session) stop() (err error) {
	for range stopping {
		if err = s.dev.Halt(); err == nil {
			return nil
		}
		s.Sleep(period)
	}
	return fmt.Errorf("%w: %w", ErrNotStopped, err)
}

// stopAtEnd stops the wheels at the end. If they were never started it ignores errors: the robot may not respond at
// all.
func (s *session) stopAtEnd() error {
	if !s.driven {
		_ = s.dev.Halt() // in case the wheels turned before the test
		return nil
	}
	return s.stop()
}
