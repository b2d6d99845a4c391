// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import "fmt"

// Status is the chip's status of a measurement: bits 3 to 6 of register 0x14.
type Status uint8

// The statuses, from ST's get_pal_range_status. The others mean that there was no measurement.
const (
	statusVCSELContinuity Status = 1  // the laser's circuit is open
	statusVCSELWatchdog   Status = 2  // the laser did not emit as required
	statusNoVHV           Status = 3  // the bias of the photodiodes is not calibrated
	statusNoTarget        Status = 4  // too little light was reflected
	statusPhasePre        Status = 6  // the phase is out of range: beyond the unambiguous distance
	statusTooNear         Status = 8  // nearer than the chip can measure
	statusPhaseFinal      Status = 9  // as 6, in the final stage
	statusClipped         Status = 10 // clipped at the least distance
	statusValid           Status = 11 // the distance is valid
)

// class is the meaning of a status.
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
	case statusValid:
		return classValid
	case statusNoTarget, statusPhasePre, statusPhaseFinal:
		return classFar
	case statusTooNear, statusClipped:
		return classNear
	case statusVCSELContinuity, statusVCSELWatchdog, statusNoVHV:
		return classFault
	}
	return classNone
}

// String returns the status in words.
func (s Status) String() string {
	switch s {
	case statusValid:
		return "valid"
	case statusNoTarget:
		return "no target"
	case statusPhasePre, statusPhaseFinal:
		return "phase out of range"
	case statusTooNear, statusClipped:
		return "too near"
	case statusVCSELContinuity:
		return "laser open"
	case statusVCSELWatchdog:
		return "laser watchdog"
	case statusNoVHV:
		return "not calibrated"
	}
	return fmt.Sprintf("no update (%d)", uint8(s))
}
