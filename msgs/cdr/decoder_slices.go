// SPDX-License-Identifier: Apache-2.0

package cdr

// The plural methods fill dst, which has the length of the array or the sequence; after an error they fill it with
// zeros.

// Uint8s reads bytes.
func (d *Decoder) Uint8s(dst []byte) {
	n := copy(dst, d.next(1, len(dst)))
	clear(dst[n:])
}

// Int8s reads bytes.
func (d *Decoder) Int8s(dst []int8) {
	b := d.next(1, len(dst))
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
	b := d.next(1, len(dst))
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
func (d *Decoder) Uint16s(dst []uint16) { decodeFixed(d, dst) }

// Int16s reads elements of two bytes.
func (d *Decoder) Int16s(dst []int16) { decodeFixed(d, dst) }

// Uint32s reads elements of four bytes.
func (d *Decoder) Uint32s(dst []uint32) { decodeFixed(d, dst) }

// Int32s reads elements of four bytes.
func (d *Decoder) Int32s(dst []int32) { decodeFixed(d, dst) }

// Uint64s reads elements of eight bytes.
func (d *Decoder) Uint64s(dst []uint64) { decodeFixed(d, dst) }

// Int64s reads elements of eight bytes.
func (d *Decoder) Int64s(dst []int64) { decodeFixed(d, dst) }

// Float32s reads IEEE 754 singles.
func (d *Decoder) Float32s(dst []float32) { decodeFixed(d, dst) }

// Float64s reads IEEE 754 doubles.
func (d *Decoder) Float64s(dst []float64) { decodeFixed(d, dst) }
