// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// linkFailed notes that the robot did not answer. When that makes it lost, the motion is forgotten, and it is found out
// and said why.
func (d *Driver) linkFailed(now time.Time, err error) {
	if d.bus.link.failed(now) != linkLost {
		return
	}
	d.motion.hold(holdLost)
	d.bus.sent = wheelSteps{}
	d.bus.ailment = d.dev.Probe()
	d.log.Error("the robot does not answer; commands are ignored until it does", "error", err, "advice", d.bus.ailment.Text)
}

// linkSucceeded notes that the robot answered.
func (d *Driver) linkSucceeded(now time.Time) {
	since := d.bus.link.since
	if d.bus.link.succeeded() != linkBack {
		return
	}
	d.motion.free(holdLost)
	d.bus.reading.first = true
	d.log.Info("the robot answers again; wheels stopped until the next cmd_vel", "after", now.Sub(since).Round(time.Millisecond))
}

// onEvent is told by the device, from within an exchange, what it found out.
func (d *Driver) onEvent(e mcu.Event) {
	d.tellCalibrated(e)
	switch e.Kind {
	case mcu.EventRestart:
		d.bus.rebase = true
		d.log.Warn("the robot was restarted; the pose goes on from where it was")
	case mcu.EventSelector:
		d.bus.turned = true // the device is locked here and can't be asked for its advice
	case mcu.EventFailed:
		d.log.Warn("the robot did not take a command", "error", e.Err, "attempts", e.Attempts)
	default:
		d.log.Debug(e.Kind.String(), "attempts", e.Attempts)
	}
}

// tellSelector says what a selector that is not where it belongs means, once per turn.
func (d *Driver) tellSelector() {
	if !d.bus.turned {
		return
	}
	d.bus.turned = false
	if text := d.dev.Diagnosis().Text; text != "" {
		d.log.Warn(text)
	}
}
