// SPDX-License-Identifier: Apache-2.0

package cdr

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Bool reads one byte that must be 0 or 1: other values, which a Go bool cannot hold, are rejected, as by Fast CDR.
func (d *Decoder) Bool() bool {
	b := d.next(1, 1)
	if b == nil {
		return false
	}
	return d.boolean(b[0], d.pos-1)
}

// boolean checks the byte b at offset at.
func (d *Decoder) boolean(b byte, at int) bool {
	if b > 1 {
		d.pos = at
		d.fail(fmt.Errorf("%w: 0x%02x", ErrBool, b))
		return false
	}
	return b == 1
}

// Uint8 reads one byte.
func (d *Decoder) Uint8() uint8 {
	b := d.next(1, 1)
	if b == nil {
		return 0
	}
	return b[0]
}

// Int8 reads one byte.
func (d *Decoder) Int8() int8 { return int8(d.Uint8()) }

// Uint16 reads two bytes, aligned to two.
func (d *Decoder) Uint16() uint16 {
	b := d.next(2, 2)
	switch {
	case b == nil:
		return 0
	case d.big:
		return binary.BigEndian.Uint16(b)
	}
	return binary.LittleEndian.Uint16(b)
}

// Int16 reads two bytes, aligned to two.
func (d *Decoder) Int16() int16 { return int16(d.Uint16()) }

// Uint32 reads four bytes, aligned to four.
func (d *Decoder) Uint32() uint32 {
	b := d.next(4, 4)
	switch {
	case b == nil:
		return 0
	case d.big:
		return binary.BigEndian.Uint32(b)
	}
	return binary.LittleEndian.Uint32(b)
}

// Int32 reads four bytes, aligned to four.
func (d *Decoder) Int32() int32 { return int32(d.Uint32()) }

// Uint64 reads eight bytes, aligned to eight.
func (d *Decoder) Uint64() uint64 {
	b := d.next(8, 8)
	switch {
	case b == nil:
		return 0
	case d.big:
		return binary.BigEndian.Uint64(b)
	}
	return binary.LittleEndian.Uint64(b)
}

// Int64 reads eight bytes, aligned to eight.
func (d *Decoder) Int64() int64 { return int64(d.Uint64()) }

// Float32 reads an IEEE 754 single, aligned to four.
func (d *Decoder) Float32() float32 { return math.Float32frombits(d.Uint32()) }

// Float64 reads an IEEE 754 double, aligned to eight.
func (d *Decoder) Float64() float64 { return math.Float64frombits(d.Uint64()) }
