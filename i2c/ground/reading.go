// SPDX-License-Identifier: Apache-2.0

package ground

import (
	"encoding/binary"
	"fmt"
)

// MaxCount is the largest value of a 10-bit converter.
const MaxCount = 1023

// Sizes of the bursts from register 0, bytes.
const (
	shortSize = 12 // reflected and ambient
	probeSize = 13 // and the software revision
	fullSize  = 21 // and the cliff sensors
)

// Indices of [Reading.Reflected] and [Reading.Ambient].
const (
	Left = iota
	Centre
	Right
)

// Reading is one measurement of all sensors of the board.
type Reading struct {
	// Reflected is the infrared light reflected by the floor, 0 (black, or no floor) to about 1000 (white), counts;
	// left, centre, right.
	Reflected [3]uint16
	// Ambient is the light measured with the board's LEDs off, 0 to 1023, counts; left, centre, right.
	Ambient [3]uint16
	// Cliff is whether the board has cliff sensors; if not, the two fields below are zero.
	Cliff bool
	// CliffReflected and CliffAmbient are the same at the edges of the robot; left, right.
	CliffReflected, CliffAmbient [2]uint16
}

// Decode reads a burst from register 0: 12 bytes, or 21 of a board with cliff sensors. It fails for another number of
// bytes, and for values of more than 10 bits, naming the register; the Reading is then zero.
func Decode(p []byte) (Reading, error) {
	if len(p) != shortSize && len(p) != fullSize {
		return Reading{}, fmt.Errorf("%w: %d bytes, not %d or %d", errLength, len(p), shortSize, fullSize)
	}
	if err := validate(p[:shortSize]); err != nil {
		return Reading{}, err
	}
	var r Reading
	for i := range 3 {
		r.Reflected[i] = binary.BigEndian.Uint16(p[2*i:])
		r.Ambient[i] = binary.BigEndian.Uint16(p[6+2*i:])
	}
	if len(p) == shortSize {
		return r, nil
	}
	for at := probeSize; at < fullSize; at += 2 {
		if v := binary.BigEndian.Uint16(p[at:]); v > MaxCount {
			return Reading{}, fmt.Errorf("%w: cliff register %#02x is %d, more than 10 bits", errImplausible, at, v)
		}
	}
	r.Cliff = true
	for i := range 2 {
		side := 1 - i // the board sends the right one first
		r.CliffReflected[side] = binary.BigEndian.Uint16(p[probeSize+2*i:])
		r.CliffAmbient[side] = binary.BigEndian.Uint16(p[probeSize+4+2*i:])
	}
	return r, nil
}

// Dark reports whether the three sensors measure neither the floor nor any light: the robot is over an edge or in the
// air, in the dark. A board that answers with an empty buffer looks the same.
func (r *Reading) Dark() bool { return r.Reflected == [3]uint16{} && r.Ambient == [3]uint16{} }

// validate rejects impossible values: more than ten bits in a word (an undriven line reads 0xFF).
func validate(p []byte) error {
	for at := 0; at < shortSize; at += 2 {
		v := binary.BigEndian.Uint16(p[at:])
		if v > MaxCount {
			return fmt.Errorf("%w: register %#02x is %d, more than 10 bits", errImplausible, at, v)
		}
	}
	return nil
}

var errAllZero = fmt.Errorf("%w: registers 0x00 to 0x0C are all zero", errImplausible)

// hasCliff determines from a full burst whether there are cliff sensors: a board without them leaves the line high,
// sends zeros or sends values of more than ten bits.
func hasCliff(p []byte) bool {
	var all uint16
	for at := probeSize; at < fullSize; at += 2 {
		v := binary.BigEndian.Uint16(p[at:])
		if v > MaxCount {
			return false
		}
		all |= v
	}
	return all != 0
}
