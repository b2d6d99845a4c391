// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/wheels"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// logWheelEvents logs the events of the wheels' loop and its guard until the context ends. The loop does not wait for
// it.
func (d *Driver) logWheelEvents(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case w := <-d.loop.Events():
			d.logWheelEvent(w)
		}
	}
}

// logPending logs the events that are queued.
func (d *Driver) logPending() {
	for events := d.loop.Events(); len(events) > 0; { // only this goroutine receives
		d.logWheelEvent(<-events)
	}
}

func (d *Driver) logWheelEvent(w *wheels.Event) {
	switch w.Kind {
	case wheels.EventExpired:
		if d.expiries.Allow(w.At) {
			d.log.Info("no cmd_vel: wheels stopped", "cmd_vel_timeout", w.Took)
		}
	case wheels.EventLost:
		d.log.Error("the robot does not answer; commands are ignored until it does", "error", w.Err, "advice", w.Text)
	case wheels.EventBack:
		d.log.Info("the robot answers again; wheels stopped until the next cmd_vel", "after", w.Took.Round(time.Millisecond))
	case wheels.EventSelector:
		d.log.Warn(w.Text)
	case wheels.EventDevice:
		d.logDeviceEvent(w)
	case wheels.EventStuck:
		d.log.Error("the control loop hangs, probably in the I2C driver of the kernel; its guard stops the wheels", "for", w.Took.Round(time.Millisecond))
	case wheels.EventGuarded:
		if w.Err != nil {
			d.log.Error("the guard can't stop the wheels and keeps trying: switch the robot off", "error", w.Err)
			return
		}
		d.log.Warn("the guard has stopped the wheels")
	case wheels.EventResumed:
		d.log.Warn("the control loop continues; wheels stopped until the next cmd_vel")
	}
}

// logDeviceEvent logs an event of the main processor's device.
func (d *Driver) logDeviceEvent(w *wheels.Event) {
	e := w.Device
	switch e.Kind {
	case mcu.EventRestart:
		d.log.Warn("the robot was restarted; the pose continues from where it was")
	case mcu.EventSelector: // logged as EventSelector
	case mcu.EventRefused:
		if d.strange.Allow(w.At) {
			d.log.Warn("the robot sent values that its sensors can't measure; they are ignored, the other values are used", "values", e.Refused.String())
		}
	case mcu.EventFailed:
		d.log.Warn("the robot did not accept a command", "error", e.Err, "attempts", e.Attempts)
		if !w.Calibrating { // else it was the calibration
			d.infraredDone(fmt.Errorf("%w: %w", ErrFailed, e.Err))
		}
	case mcu.EventCalibrated:
		d.log.Debug(e.Kind.String(), "attempts", e.Attempts)
		d.infraredDone(nil)
	default:
		d.log.Debug(e.Kind.String(), "attempts", e.Attempts)
	}
}

// infraredDone passes the outcome of an infrared calibration to the waiting caller.
func (d *Driver) infraredDone(err error) {
	if outcome := d.infrared.Swap(nil); outcome != nil {
		*outcome <- err
	}
}
