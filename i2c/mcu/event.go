// SPDX-License-Identifier: Apache-2.0

package mcu

import "fmt"

// EventKind is the kind of an [Event].
type EventKind uint8

// The events.
const (
	// EventMelody: the MCU accepted a melody. (It ignores one while another is playing.)
	EventMelody EventKind = iota + 1
	// EventSteps: the MCU set its step counters.
	EventSteps
	// EventCalibrating: the MCU started the IR calibration; it takes about a second, proximity is uncalibrated
	// meanwhile.
	EventCalibrating
	// EventCalibrated: the IR calibration is done.
	EventCalibrated
	// EventFailed: a one-shot was given up; Err names the one-shot and has the number of packets that were sent.
	EventFailed
	// EventRestart: the MCU was restarted; its step counters, offsets and lights start again from zero.
	EventRestart
	// EventRefused: a measurement has impossible values, unlike the previous one; Refused is the set of them.
	EventRefused
	// EventSelector: the selector was turned; Err is nil. See [Dev.Diagnosis].
	EventSelector
)

var eventNames = [...]string{
	EventMelody: "melody accepted", EventSteps: "step counters set", EventCalibrating: "IR calibration started",
	EventCalibrated: "IR calibration done", EventFailed: "one-shot given up", EventRestart: "MCU restarted",
	EventRefused: "impossible values refused", EventSelector: "selector turned",
}

// String returns the event in words.
func (k EventKind) String() string {
	if k > 0 && int(k) < len(eventNames) {
		return eventNames[k]
	}
	return fmt.Sprintf("event %d", uint8(k))
}

// Event is reported by a [Dev] during [Dev.Exchange].
type Event struct {
	Kind     EventKind
	Err      error  // why, for EventFailed
	Attempts int    // packets sent, for a one-shot
	Refused  Values // which, for EventRefused
}
