// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// Everything in this file may be called from any goroutine, and waits for no other.

// Drive asks for a motion. It reports whether that was accepted: it is not while there is a reason to stand.
func (l *Loop) Drive(s Speeds) bool {
	ok, news := l.motion.ask(s, l.cfg.Now().Sub(l.epoch))
	if news {
		l.Nudge()
	}
	return ok
}

// SetTimeout sets the time after which a motion ends that was not asked for again; 0: there is no such time. It holds
// for the motion in force, too.
func (l *Loop) SetTimeout(d time.Duration) {
	l.timeout.Store(int64(d))
	l.Nudge()
}

// Hold ends the motion and accepts no other until the reason is freed.
func (l *Loop) Hold(why Hold) {
	l.motion.hold(why)
	l.Nudge()
}

// Free takes back a reason to stand. What was asked for meanwhile stays forgotten.
func (l *Loop) Free(why Hold) { l.motion.free(why) }

// PlayMelody has a melody played once, with the next exchange; a newer one replaces it. The error matches
// mcu.ErrCommand.
func (l *Loop) PlayMelody(n int) error {
	if n < 1 || n > mcu.NumMelodies {
		return fmt.Errorf("%w: melody %d is not 1 to %d", mcu.ErrCommand, n, mcu.NumMelodies)
	}
	l.melody.Store(uint32(n))
	return nil
}

// CalibrateIR has the infrared sensors calibrated, see [mcu.Dev.CalibrateIR]. The outcome is a word.
func (l *Loop) CalibrateIR() { l.infrared.Store(true) }

// Counters gives the counters of the main processor.
func (l *Loop) Counters() mcu.Stats { return l.dev.Counters() }
