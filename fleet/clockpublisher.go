// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/core"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

const (
	// reportPeriod is the period of /diagnostics, of the machine's time.
	reportPeriod = time.Second
	// lateShare is the share of lost time from which the status is a warning.
	lateShare = 0.01
)

// ClockPublisher publishes a simulation's time on /clock and its lateness on /diagnostics, and formats both as a
// status line. It is safe for concurrent use.
type ClockPublisher struct {
	time        *simclock.Clock
	sim         *sim.Simulation
	clock       *simclock.Topic
	diagnostics *ros2.Publisher[diagnostic_msgs.DiagnosticArray]

	cores  func() []core.Report // nil: no simulated processors
	mu     sync.Mutex
	busy   string        // part of the status line about the processors
	at     time.Time     // of the latest report, on the machine's clock
	since  time.Time     // simulated time at that report
	lost   time.Duration // lateness at that report
	factor float64       // real-time factor over the latest period
	late   time.Duration // time lost in that period
}

// NewClockPublisher creates the publishers on a node.
func NewClockPublisher(n *ros2.Node, c *simclock.Clock, s *sim.Simulation) (*ClockPublisher, error) {
	t := &ClockPublisher{time: c, sim: s, at: time.Now(), since: c.Now(), factor: c.Factor()}
	var err error
	if t.clock, err = simclock.NewTopic(n, c); err != nil {
		return nil, fmt.Errorf("fleet: %w", err)
	}
	t.diagnostics, err = ros2.NewPublisher[diagnostic_msgs.DiagnosticArray](n, "/diagnostics", ros2.DefaultQoS().WithDepth(1))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("fleet: %w", err), t.Close())
	}
	return t, nil
}

// Tick publishes the time if it is due, and every reportPeriod the diagnostics. Failed publications are ignored: the
// next ones follow.
func (t *ClockPublisher) Tick() {
	t.clock.Tick()
	now := t.time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	passed := time.Since(t.at)
	if passed < reportPeriod {
		return
	}
	late := t.time.Late()
	t.factor, t.late = now.Sub(t.since).Seconds()/passed.Seconds(), late-t.lost
	t.at, t.since, t.lost = time.Now(), now, late
	if t.cores != nil {
		t.busy = busiest(t.cores())
	}
	if t.diagnostics.HasSubscribers() {
		_ = t.diagnostics.Publish(t.report(now, passed))
	}
}

// report returns the diagnostics. The caller holds mu.
func (t *ClockPublisher) report(now time.Time, passed time.Duration) *diagnostic_msgs.DiagnosticArray {
	s := diagnostic_msgs.DiagnosticStatus{Name: "simulation: time", HardwareID: "simulation", Level: diagnostic_msgs.DiagnosticStatusOK, Message: "in time"}
	if t.late.Seconds() > lateShare*passed.Seconds() {
		s.Level, s.Message = diagnostic_msgs.DiagnosticStatusWarn, "the machine is too slow: simulated time is slower than requested"
	}
	add := func(key, value string) { s.Values = append(s.Values, diagnostic_msgs.KeyValue{Key: key, Value: value}) }
	add("speed asked for", fmt.Sprintf("%g", t.time.Factor()))
	add("simulated seconds a second", fmt.Sprintf("%.3f", t.factor))
	add("late in the last second (s)", fmt.Sprintf("%.3f", t.late.Seconds()))
	add("late in all (s)", fmt.Sprintf("%.3f", t.lost.Seconds()))
	source := t.time.Status()
	add("time source", source.By)
	add("waits for", source.Waits)
	add("robots", fmt.Sprint(len(t.sim.Robots())))
	m := &diagnostic_msgs.DiagnosticArray{Status: []diagnostic_msgs.DiagnosticStatus{s}}
	if t.cores != nil {
		for _, r := range t.cores() {
			m.Status = append(m.Status, diagnosis(r))
		}
	}
	m.Header.Stamp = builtin_interfaces.TimeOf(now)
	return m
}

// Repeat publishes the time and the diagnostics until ctx ends: while the simulation is paused nothing else calls
// [ClockPublisher.Tick].
func (t *ClockPublisher) Repeat(ctx context.Context) {
	simclock.Repeat(ctx, t.Tick)
}

// Status returns a status line: robots, simulated time, real-time factor, lateness, processors and time source.
func (t *ClockPublisher) Status() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	line := fmt.Sprintf("%d robots | %.1f s | %.2f × real time", len(t.sim.Robots()), t.sim.Elapsed().Seconds(), t.factor)
	if t.lost > 0 {
		line += fmt.Sprintf(" | late by %.3f s", t.lost.Seconds())
	}
	return line + t.busy + " | " + t.time.Status().String()
}

// Close closes the publishers.
func (t *ClockPublisher) Close() error {
	var errs []error
	errs = append(errs, t.clock.Close())
	if t.diagnostics != nil {
		errs = append(errs, t.diagnostics.Close())
	}
	return errors.Join(errs...)
}
