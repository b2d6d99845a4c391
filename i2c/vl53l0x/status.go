// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import "fmt"

// Status is the chip's own verdict on a measurement: bits 3 to 6 of register 0x14.
type Status uint8

// The verdicts, after ST's get_pal_range_status. The others mean that there was no measurement.
const (
	StatusVCSELContinuity Status = 1  // the laser's circuit is open
	StatusVCSELWatchdog   Status = 2  // the laser did not fire as it should
	StatusNoVHV           Status = 3  // the bias of the photodiodes is not calibrated
	StatusNoTarget        Status = 4  // too little light came back
	StatusPhasePre        Status = 6  // the phase is out of range: beyond the unambiguous distance
	StatusTooNear         Status = 8  // nearer than the chip can tell
	StatusPhaseFinal      Status = 9  // as 6, in the final stage
	StatusClipped         Status = 10 // clipped at the least distance
	StatusValid           Status = 11 // the distance is good
)

// class is what is made of a status.
type class uint8

const (
	classNone class = iota // no measurement
	classValid
	classFar   // nothing within range
	classNear  // too near
	classFault // the hardware failed
)

func (s Status) class() class {
	switch s {
	case StatusValid:
		return classValid
	case StatusNoTarget, StatusPhasePre, StatusPhaseFinal:
		return classFar
	case StatusTooNear, StatusClipped:
		return classNear
	case StatusVCSELContinuity, StatusVCSELWatchdog, StatusNoVHV:
		return classFault
	}
	return classNone
}

// String returns the verdict in words.
func (s Status) String() string {
	switch s {
	case StatusValid:
		return "valid"
	case StatusNoTarget:
		return "no target"
	case StatusPhasePre, StatusPhaseFinal:
		return "phase out of range"
	case StatusTooNear, StatusClipped:
		return "too near"
	case StatusVCSELContinuity:
		return "laser open"
	case StatusVCSELWatchdog:
		return "laser watchdog"
	case StatusNoVHV:
		return "not calibrated"
	}
	return fmt.Sprintf("no update (%d)", uint8(s))
}
