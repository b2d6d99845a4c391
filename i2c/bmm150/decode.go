// SPDX-License-Identifier: Apache-2.0

package bmm150

import (
	"encoding/binary"
	"fmt"
)

// blockSize is the length of the data from register 0x42 on, bytes.
const blockSize = 8

// Values of an axis out of range.
const (
	overflowXY = -4096
	overflowZ  = -16384
)

// block is the data of one measurement in the chip's counts.
type block struct {
	x, y, z int
	hall    uint
	ready   bool
}

// split decodes the 8 bytes: signed numbers, left-aligned in 16 bits.
func split(b []byte) block {
	le := binary.LittleEndian
	return block{
		x: int(int16(le.Uint16(b))) >> 3, y: int(int16(le.Uint16(b[2:]))) >> 3, z: int(int16(le.Uint16(b[4:]))) >> 1,
		hall: uint(le.Uint16(b[6:]) >> 2), ready: b[6]&1 != 0,
	}
}

// field returns the compensated field in tesla, in the chip's axes.
func (t *trim) field(b block) ([3]float64, error) {
	switch {
	case b.x == overflowXY || b.y == overflowXY || b.z == overflowZ:
		return [3]float64{}, fmt.Errorf("%w: counts %d, %d, %d", errOverflow, b.x, b.y, b.z)
	case b.hall == 0:
		return [3]float64{}, fmt.Errorf("%w: Hall resistance 0", errImplausible)
	}
	hall := float64(b.hall)
	if float64(t.z2)+float64(float64(t.z1)*hall/32768) == 0 {
		return [3]float64{}, fmt.Errorf("%w: Hall resistance %d with z1 %d and z2 %d", errImplausible, b.hall, t.z1, t.z2)
	}
	return [3]float64{
		t.horizontal(b.x, hall, t.x1, t.x2), t.horizontal(b.y, hall, t.y1, t.y2), t.vertical(b.z, hall),
	}, nil
}
