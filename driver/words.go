// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/wheels"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// listenToWheels writes what the wheels' loop and its guard say into the log until the context ends. The loop does not
// wait for that.
func (d *Driver) listenToWheels(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case w := <-d.loop.Words():
			d.logWord(&w)
		}
	}
}

// tellAll writes what is waiting.
func (d *Driver) tellAll() {
	for {
		select {
		case w := <-d.loop.Words():
			d.logWord(&w)
		default:
			return
		}
	}
}

func (d *Driver) logWord(w *wheels.Word) {
	switch w.Kind {
	case wheels.WordExpired:
		if d.expiries.Allow(w.At) {
			d.log.Info("no cmd_vel any more: wheels stopped", "cmd_vel_timeout", w.Took)
		}
	case wheels.WordLost:
		d.log.Error("the robot does not answer; commands are ignored until it does", "error", w.Err, "advice", w.Text)
	case wheels.WordBack:
		d.log.Info("the robot answers again; wheels stopped until the next cmd_vel", "after", w.Took.Round(time.Millisecond))
	case wheels.WordSelector:
		d.log.Warn(w.Text)
	case wheels.WordDevice:
		d.tellEvent(w)
	case wheels.WordStuck:
		d.log.Error("the control loop hangs, probably in the I2C driver of the kernel; its guard stops the wheels", "for", w.Took.Round(time.Millisecond))
	case wheels.WordGuarded:
		if w.Err != nil {
			d.log.Error("the guard could not stop the wheels, and goes on trying: switch the robot off", "error", w.Err)
			return
		}
		d.log.Warn("the guard has stopped the wheels")
	case wheels.WordRound:
		d.log.Warn("the control loop goes on; wheels stopped until the next cmd_vel")
	}
}

// tellEvent writes what the main processor's device has found out.
func (d *Driver) tellEvent(w *wheels.Word) {
	e := w.Event
	switch e.Kind {
	case mcu.EventRestart:
		d.log.Warn("the robot was restarted; the pose goes on from where it was")
	case mcu.EventSelector: // has a word of its own
	case mcu.EventRefused:
		if d.strange.Allow(w.At) {
			d.log.Warn("the robot sent values that its sensors can't measure; they are left out, the rest goes on", "values", e.Refused.String())
		}
	case mcu.EventFailed:
		d.log.Warn("the robot did not take a command", "error", e.Err, "attempts", e.Attempts)
		if !w.Calibrating { // it was no melody
			d.infraredDone(fmt.Errorf("%w: %w", ErrFailed, e.Err))
		}
	case mcu.EventCalibrated:
		d.log.Debug(e.Kind.String(), "attempts", e.Attempts)
		d.infraredDone(nil)
	default:
		d.log.Debug(e.Kind.String(), "attempts", e.Attempts)
	}
}

// infraredDone passes the outcome of an infrared calibration on to the caller that waits for it.
func (d *Driver) infraredDone(err error) {
	if outcome := d.infrared.Swap(nil); outcome != nil {
		*outcome <- err
	}
}
