// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// WordKind names what has happened.
type WordKind uint8

// What can happen.
const (
	// WordExpired: no command came for the time-out, and the wheels were stopped.
	WordExpired WordKind = iota + 1
	// WordLost: the robot does not answer, Err and Text say why and what to do.
	WordLost
	// WordBack: the robot answers again; it did not for Took.
	WordBack
	// WordDevice: the main processor's Event, see [mcu.Event].
	WordDevice
	// WordSelector: the selector was turned, and Text says what that means.
	WordSelector
	// WordStuck: the loop has not come round for Took; the guard stops the wheels.
	WordStuck
	// WordGuarded: the guard has tried to, and Err tells how that went.
	WordGuarded
	// WordRound: the loop is back. It stops the wheels until the next command.
	WordRound
)

// Word is something that has happened, for the log.
type Word struct {
	Kind WordKind
	At   time.Time
	Took time.Duration
	Err  error
	Text string
	// Event is that of WordDevice; Calibrating tells that an infrared calibration goes on or waits.
	Event       mcu.Event
	Calibrating bool
}

// words is a bounded queue that drops what has no room, and counts it.
type words struct {
	queue   chan Word
	dropped atomic.Uint64
}

func (w *words) say(word Word) {
	select {
	case w.queue <- word:
	default:
		w.dropped.Add(1)
	}
}

// Words is where words come out.
func (l *Loop) Words() <-chan Word { return l.words.queue }

// Dropped counts the words that had no room.
func (l *Loop) Dropped() uint64 { return l.words.dropped.Load() }
