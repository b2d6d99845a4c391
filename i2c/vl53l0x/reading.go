// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import (
	"encoding/binary"
	"fmt"
	"math"
)

// resultSize is the length of the result block from register 0x14 on, bytes.
const resultSize = 12

// farRaw is the range, in millimetres, from which on the chip means "nothing" whatever the status (8190, 8191).
const farRaw = 8190

// Reading is one measurement.
type Reading struct {
	// Distance is in metres from the sensor's window; +Inf if nothing is within range, −Inf if a target is too near to
	// measure (REP 117).
	Distance float64
	// Status is the chip's status of the measurement.
	Status Status
	// Signal and Ambient are the rates of returned laser light and of other light, in millions of counts per second.
	Signal, Ambient float64
	// SPADs is the number of photodiodes that the chip used; it is higher in less light.
	SPADs float64
}

// Decode decodes the 12 bytes of a result block. It fails for another length, and, with the status, if the chip reports
// a fault or no measurement; the reading is then complete except for the distance, which is NaN.
func Decode(b []byte) (Reading, error) {
	if len(b) != resultSize {
		return Reading{Distance: math.NaN()}, fmt.Errorf("%w: %d bytes, want %d", errLength, len(b), resultSize)
	}
	r := Reading{
		Distance: math.NaN(),
		Status:   Status(b[0] >> 3 & 0x0F),
		SPADs:    float64(binary.BigEndian.Uint16(b[2:])) / 256,
		Signal:   float64(binary.BigEndian.Uint16(b[6:])) / 128,
		Ambient:  float64(binary.BigEndian.Uint16(b[8:])) / 128,
	}
	mm := binary.BigEndian.Uint16(b[10:])
	switch r.Status.class() {
	case classValid:
		r.Distance = float64(mm) / 1000
		if mm >= farRaw {
			r.Distance = math.Inf(1)
		}
	case classFar:
		r.Distance = math.Inf(1)
	case classNear:
		r.Distance = math.Inf(-1)
	case classFault:
		return r, fmt.Errorf("%w: %v (status %d)", errHardware, r.Status, uint8(r.Status))
	default:
		return r, fmt.Errorf("%w: status %d", errNoUpdate, uint8(r.Status))
	}
	return r, nil
}
