// SPDX-License-Identifier: Apache-2.0

// Package presence keeps track of a part of the robot that may be missing, and may come or go while the driver runs.
//
// A [Tracker] makes no transactions and has no clock: the device asks it whether to try now ([Tracker.Due]) and tells
// it what came of it ([Tracker.Seen], [Tracker.Missed]). An absent part is asked for once in a while, a present one
// that stops answering is given up after a few failures in a row.
package presence

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// Defaults of [Config].
const (
	DefaultProbeEvery = time.Second
	DefaultLostAfter  = 5
)

// Event is a change of what is there.
type Event uint8

// The events.
const (
	// None: nothing has changed.
	None Event = iota
	// Found: the part answers; it did not before.
	Found
	// Lost: the part has stopped answering.
	Lost
	// Restarted: the part is there, but has forgotten what it was told; the device tells it again.
	Restarted
)

var names = [...]string{"none", "found", "lost", "restarted"}

// String gives the event in one word.
func (e Event) String() string {
	if int(e) < len(names) {
		return names[e]
	}
	return fmt.Sprintf("event %d", uint8(e))
}

// Config says how patient a [Tracker] is. The zero value of each field means its default.
type Config struct {
	// ProbeEvery is the time between two attempts to find an absent part. It defaults to 1 s.
	ProbeEvery time.Duration
	// LostAfter is the number of failures in a row after which a present part is absent. It defaults to 5.
	LostAfter int
}

// Stats are the counters of a [Tracker] since it was made.
type Stats struct {
	Good    uint64 // answers
	Failed  uint64 // attempts without one while the part was present
	Probes  uint64 // attempts to find it that failed
	Found   uint64 // times it appeared
	Lost    uint64 // times it disappeared
	LastErr error  // the last failure, nil if none
}

// Tracker is the presence of one part. The zero value is an absent part with the default patience. It belongs to one
// goroutine.
type Tracker struct {
	cfg     Config
	present bool
	inRow   int
	next    time.Time // of an absent part
	stats   Stats
}

// New makes a tracker of an absent part; negative values mean the defaults.
func New(cfg Config) Tracker { return Tracker{cfg: cfg} }

// Present reports whether the part is there.
func (t *Tracker) Present() bool { return t.present }

// State says the same as a chip that is brought up does: Absent or Running.
func (t *Tracker) State() device.State {
	if t.present {
		return device.Running
	}
	return device.Absent
}

// Stats gives a snapshot of the counters.
func (t *Tracker) Stats() Stats { return t.stats }

// Due reports whether the part may be asked now: always while it is present, now and then while it is absent.
func (t *Tracker) Due(now time.Time) bool { return t.present || !now.Before(t.next) }

// Next gives the time of the next attempt to find an absent part; zero while it is present or may be tried at once.
func (t *Tracker) Next() time.Time {
	if t.present {
		return time.Time{}
	}
	return t.next
}

// Seen records an answer.
func (t *Tracker) Seen() Event {
	t.inRow = 0
	t.stats.Good++
	if t.present {
		return None
	}
	t.present = true
	t.stats.Found++
	return Found
}

// Missed records an attempt that failed, and why.
func (t *Tracker) Missed(now time.Time, err error) Event {
	t.stats.LastErr = err
	if !t.present {
		t.stats.Probes++
		t.next = now.Add(t.every())
		return None
	}
	t.stats.Failed++
	t.inRow++
	if t.inRow < t.limit() {
		return None
	}
	t.present, t.inRow = false, 0
	t.next = now.Add(t.every())
	t.stats.Lost++
	return Lost
}

// Lose records that the part is gone, and why, however patient the tracker is.
func (t *Tracker) Lose(now time.Time, err error) Event {
	if t.present {
		t.inRow = t.limit() - 1
	}
	return t.Missed(now, err)
}

func (t *Tracker) every() time.Duration {
	if t.cfg.ProbeEvery > 0 {
		return t.cfg.ProbeEvery
	}
	return DefaultProbeEvery
}

func (t *Tracker) limit() int {
	if t.cfg.LostAfter > 0 {
		return t.cfg.LostAfter
	}
	return DefaultLostAfter
}
