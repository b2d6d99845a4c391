// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/driver/wheels"
	"github.com/epuck-ros2/epuck-driver/i2c/axes"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2/thread"
)

// stopTime is the default of Config.StopTime.
const stopTime = 450 * time.Millisecond

// openDevices opens the robot's devices and creates the wheels' loop on them.
func (d *Driver) openDevices(cfg *Config, set *table.Settings) error {
	opts, err := optionsOf(set, d.clock.Now)
	if err != nil {
		return err
	}
	opts.Needs = hardware.Needs{
		Infrared: func() bool { return d.outputs.Wanted() && wanted(d.infraredOutputs) },
		Sound:    func() bool { return d.outputs.Wanted() && wanted(d.soundOutputs) },
		ToF:      d.tofNeeded,
		IMU:      d.imuNeeded,
	}
	if d.devices, err = cfg.Hardware.Open(opts); err != nil {
		return err
	}
	stop := cfg.StopTime
	if stop == 0 {
		stop = stopTime
	}
	d.newTimer = d.wheelTimers(cfg.WheelTimer)
	d.loop, err = wheels.New(wheels.Config{
		NewProcessor: d.devices.NewProcessor, Guard: d.devices.Guard, Period: set.Period, StopTime: stop, Woken: d.woken,
		Now: d.clock.Now, NewTimer: d.newTimer,
	})
	if err == nil {
		d.loop.SetTimeout(set.Timeout)
	}
	return err
}

// minMagRate is the least rate of magnetometers, Hz; a lower parameter has no other effect.
const minMagRate = 0.1

// optionsOf returns the options of the devices.
func optionsOf(set *table.Settings, now func() time.Time) (*hardware.Options, error) {
	o := &hardware.Options{
		Now: now, IMURate: set.IMURate, ToFRate: set.ToFRate, GroundRate: set.GroundRate, ToFProfile: set.ToFProfile,
	}
	if set.MagRate > 0 {
		o.MagRate = max(set.MagRate, minMagRate)
	}
	if set.CameraSetup {
		o.Camera = &set.Camera
	}
	var errs [2]error
	o.IMURotation, errs[0] = axes.RotationOf(set.IMURotation[:])
	o.MagRotation, errs[1] = axes.RotationOf(set.MagRotation[:])
	if err := errors.Join(errs[:]...); err != nil {
		return nil, fmt.Errorf("%w: %w", hardware.ErrConfig, err)
	}
	return o, nil
}

// watch finds the outputs whose readings cost computing time on some hardware.
func (d *Driver) watch(outputs []table.Output) {
	d.infraredOutputs = span(outputs, table.TopicRange, table.TopicCounts, table.TopicLight, table.TopicScan)
	d.soundOutputs = span(outputs, table.TopicMic)
	for _, o := range span(outputs, table.TopicScan) {
		d.scan = o
	}
}

// span returns the outputs from the first to the last of the topics, which follow each other in the table of topics. It
// copies nothing: there may be a thousand robots.
func span(outputs []table.Output, topics ...string) []table.Output {
	among := func(o table.Output) bool {
		return slices.Contains(topics, strings.TrimRight(o.Status().Name, "0123456789"))
	}
	outputs = outputs[max(0, slices.IndexFunc(outputs, among)):]
	n := 0
	for i, o := range outputs {
		if among(o) {
			n = i + 1
		}
	}
	return outputs[:n]
}

// wanted reports whether one of the outputs has a subscriber.
func wanted(outputs []table.Output) bool { return slices.ContainsFunc(outputs, table.Output.Wanted) }

// wheelTimers returns the constructor of the timers of the wheels' loop. It never fails: an emergency stop needs a
// timer, too.
func (d *Driver) wheelTimers(own func(time.Duration) (wheels.Timer, error)) func(time.Duration) wheels.Timer {
	return func(after time.Duration) wheels.Timer {
		if own != nil {
			if t, err := own(after); err == nil {
				return t
			}
		}
		return d.clock.NewTimer(after)
	}
}

// closeDevices closes what openDevices has opened.
func (d *Driver) closeDevices() error {
	if d.devices == nil || d.devices.Close == nil {
		return nil
	}
	return d.devices.Close()
}

// controlLoop is the wheels' loop and the thread that runs it.
type controlLoop struct {
	loop       *wheels.Loop
	apply      func(thread.Config) error   // configures the calling thread
	configured chan struct{}               // closed when the thread is configured
	thread     atomic.Pointer[threadState] // nil until then
}

// threadState is what became of the parameters of the control loop's thread.
type threadState struct {
	description string // of what was requested
	err         error  // what the system refused; the rest was applied
}

// runLoop runs the wheels' loop until ctx ends: on this goroutine or, if cfg changes something, on a thread of its own,
// which ends with it. The loop runs, too, if the system refuses some of cfg: then the log and /diagnostics name the
// missing capability. Locked memory remains locked.
func (c *controlLoop) runLoop(ctx context.Context, cfg thread.Config) (err error) {
	if cfg.IsZero() {
		c.loop.Run(ctx)
		return nil
	}
	g := &task.Group{Panicked: func(p *task.Panic) { err = fmt.Errorf("%w: %w", errPanic, p) }}
	g.Go("control loop", func() {
		runtime.LockOSThread() // not unlocked: the thread ends with the goroutine
		c.configure(cfg)
		c.loop.Run(ctx)
	})
	g.Wait()
	return err
}

// configure applies each part of the configuration to the calling thread.
func (c *controlLoop) configure(cfg thread.Config) {
	var errs []error
	for _, part := range []thread.Config{
		{LockMemory: cfg.LockMemory}, {CPUs: cfg.CPUs}, {Policy: cfg.Policy, Priority: cfg.Priority},
	} {
		if !part.IsZero() {
			errs = append(errs, c.apply(part))
		}
	}
	c.thread.Store(&threadState{description: describeThread(cfg), err: errors.Join(errs...)})
	close(c.configured)
}

// logThread logs what became of the configuration. The loop does not wait for it.
func (c *controlLoop) logThread(ctx context.Context, cfg thread.Config, log *slog.Logger) {
	if cfg.IsZero() {
		return
	}
	select {
	case <-ctx.Done():
		return
	case <-c.configured:
	}
	state := c.thread.Load()
	if state.err != nil {
		log.Error("the control loop runs without some of what the parameters of its thread request",
			"thread", state.description, "error", state.err)
		return
	}
	log.Info("the control loop has a thread of its own", "thread", state.description)
}

// describeThread returns a configuration as /diagnostics shows it, such as "SCHED_FIFO 50, CPUs [3], memory locked".
func describeThread(cfg thread.Config) string {
	var parts []string
	if cfg.Policy != thread.Other {
		parts = append(parts, fmt.Sprintf("%v %d", cfg.Policy, cfg.Priority))
	}
	if len(cfg.CPUs) > 0 {
		parts = append(parts, fmt.Sprintf("CPUs %v", cfg.CPUs))
	}
	if cfg.LockMemory {
		parts = append(parts, "memory locked")
	}
	return strings.Join(parts, ", ")
}
