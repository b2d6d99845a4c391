// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// All methods in this file are safe for concurrent use and do not block.

// Drive requests a motion. It reports whether it was accepted: it is not while there is a [Hold].
func (l *Loop) Drive(s Speeds) bool {
	ok, news := l.motion.ask(s, l.cfg.Now().Sub(l.epoch))
	if news {
		l.wakeUp()
	}
	return ok
}

// SetTimeout sets the time after which a motion ends that was not requested again; 0 disables that. It also applies to
// the current motion.
func (l *Loop) SetTimeout(d time.Duration) {
	l.timeout.Store(int64(d))
	l.wakeUp()
}

// Hold ends the motion and rejects others until the reason is freed.
func (l *Loop) Hold(why Hold) {
	l.motion.hold(why)
	l.wakeUp()
}

// Free removes a reason. Motions requested meanwhile stay rejected.
func (l *Loop) Free(why Hold) { l.motion.free(why) }

// PlayMelody plays a melody once, with the next exchange; a newer one replaces it. The error matches mcu.ErrCommand.
func (l *Loop) PlayMelody(n int) error {
	if n < 1 || n > mcu.NumMelodies {
		return fmt.Errorf("%w: melody %d is not 1 to %d", mcu.ErrCommand, n, mcu.NumMelodies)
	}
	l.melody.Store(uint32(n))
	return nil
}

// CalibrateIR calibrates the infrared sensors, see [mcu.Dev.CalibrateIR]. The outcome is an event.
func (l *Loop) CalibrateIR() { l.infrared.Store(true) }

// Counters returns the counters of the main processor's device.
func (l *Loop) Counters() mcu.Stats { return l.dev.Counters() }
