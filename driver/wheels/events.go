// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// EventKind is the kind of an [Event].
type EventKind uint8

// The kinds.
const (
	// EventExpired: no command arrived within the timeout, and the wheels were stopped.
	EventExpired EventKind = iota + 1
	// EventLost: the robot does not answer; Err is the reason, Text the advice.
	EventLost
	// EventBack: the robot answers again after Took.
	EventBack
	// EventDevice: an event of the main processor's device, see [mcu.Event].
	EventDevice
	// EventSelector: the selector was turned; Text is the consequence.
	EventSelector
	// EventStuck: the loop has hung for Took; the guard stops the wheels.
	EventStuck
	// EventGuarded: the guard has tried to stop the wheels; Err is the result.
	EventGuarded
	// EventResumed: the loop runs again. It stops the wheels until the next command.
	EventResumed
)

// Event is an event of the loop or its guard, for the log.
type Event struct {
	Kind EventKind
	At   time.Time
	Took time.Duration
	Err  error
	Text string
	// Device is the event of EventDevice; Calibrating is whether an infrared calibration is running or waiting.
	Device      mcu.Event
	Calibrating bool
}

// events is a bounded queue that counts the events it drops. It has pointers: it is usually empty, and there may be a
// thousand loops.
type events struct {
	queue   chan *Event
	dropped atomic.Uint64
}

func (q *events) push(event Event) {
	select {
	case q.queue <- &event:
	default:
		q.dropped.Add(1)
	}
}

// Events returns the channel of the events.
func (l *Loop) Events() <-chan *Event { return l.events.queue }
