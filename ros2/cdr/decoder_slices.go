// SPDX-License-Identifier: Apache-2.0

package cdr

import (
	"encoding/binary"
	"math"
)

// The plural methods fill dst, which has the length of the array or of the
// sequence whose count was read; after an error they fill it with zeros.

// Uint8s reads bytes.
func (d *Decoder) Uint8s(dst []byte) {
	n := copy(dst, d.take(1, len(dst)))
	clear(dst[n:])
}

// Int8s reads bytes.
func (d *Decoder) Int8s(dst []int8) {
	b := d.take(1, len(dst))
	if b == nil {
		clear(dst)
		return
	}
	for i := range dst {
		dst[i] = int8(b[i])
	}
}

// Bools reads bytes that must be 0 or 1.
func (d *Decoder) Bools(dst []bool) {
	b := d.take(1, len(dst))
	end := d.pos
	clear(dst)
	for i, x := range b {
		if dst[i] = d.boolean(x, end-len(b)+i); d.err != nil {
			clear(dst)
			return
		}
	}
}

// Uint16s reads elements of two bytes.
func (d *Decoder) Uint16s(dst []uint16) { decode16(d, dst) }

// Int16s reads elements of two bytes.
func (d *Decoder) Int16s(dst []int16) { decode16(d, dst) }

// Uint32s reads elements of four bytes.
func (d *Decoder) Uint32s(dst []uint32) { decode32(d, dst) }

// Int32s reads elements of four bytes.
func (d *Decoder) Int32s(dst []int32) { decode32(d, dst) }

// Uint64s reads elements of eight bytes.
func (d *Decoder) Uint64s(dst []uint64) { decode64(d, dst) }

// Int64s reads elements of eight bytes.
func (d *Decoder) Int64s(dst []int64) { decode64(d, dst) }

// Float32s reads IEEE 754 singles.
func (d *Decoder) Float32s(dst []float32) {
	b := d.take(4, 4*len(dst))
	switch {
	case b == nil:
		clear(dst)
	case d.big:
		for i := range dst {
			dst[i] = math.Float32frombits(binary.BigEndian.Uint32(b[4*i:]))
		}
	default:
		for i := range dst {
			dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		}
	}
}

// Float64s reads IEEE 754 doubles.
func (d *Decoder) Float64s(dst []float64) {
	b := d.take(8, 8*len(dst))
	switch {
	case b == nil:
		clear(dst)
	case d.big:
		for i := range dst {
			dst[i] = math.Float64frombits(binary.BigEndian.Uint64(b[8*i:]))
		}
	default:
		for i := range dst {
			dst[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		}
	}
}

func decode16[T int16 | uint16](d *Decoder, dst []T) {
	b := d.take(2, 2*len(dst))
	switch {
	case b == nil:
		clear(dst)
	case d.big:
		for i := range dst {
			dst[i] = T(binary.BigEndian.Uint16(b[2*i:]))
		}
	default:
		for i := range dst {
			dst[i] = T(binary.LittleEndian.Uint16(b[2*i:]))
		}
	}
}

func decode32[T int32 | uint32](d *Decoder, dst []T) {
	b := d.take(4, 4*len(dst))
	switch {
	case b == nil:
		clear(dst)
	case d.big:
		for i := range dst {
			dst[i] = T(binary.BigEndian.Uint32(b[4*i:]))
		}
	default:
		for i := range dst {
			dst[i] = T(binary.LittleEndian.Uint32(b[4*i:]))
		}
	}
}

func decode64[T int64 | uint64](d *Decoder, dst []T) {
	b := d.take(8, 8*len(dst))
	switch {
	case b == nil:
		clear(dst)
	case d.big:
		for i := range dst {
			dst[i] = T(binary.BigEndian.Uint64(b[8*i:]))
		}
	default:
		for i := range dst {
			dst[i] = T(binary.LittleEndian.Uint64(b[8*i:]))
		}
	}
}
