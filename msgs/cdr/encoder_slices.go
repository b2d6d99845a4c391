// SPDX-License-Identifier: Apache-2.0

package cdr

// The plural methods append only the elements: call them directly for an array, after SeqLen for a sequence. They grow
// the buffer once.

// Uint8s appends bytes.
func (e *Encoder) Uint8s(v []byte) { e.buf = append(e.buf, v...) }

// Int8s appends bytes.
func (e *Encoder) Int8s(v []int8) {
	b := e.extend(1, len(v))
	for i, x := range v {
		b[i] = byte(x)
	}
}

// Bools appends one byte, 0 or 1, for each element.
func (e *Encoder) Bools(v []bool) {
	for _, x := range v {
		e.Bool(x)
	}
}

// Uint16s appends elements of two bytes.
func (e *Encoder) Uint16s(v []uint16) { encodeFixed(e, v) }

// Int16s appends elements of two bytes.
func (e *Encoder) Int16s(v []int16) { encodeFixed(e, v) }

// Uint32s appends elements of four bytes.
func (e *Encoder) Uint32s(v []uint32) { encodeFixed(e, v) }

// Int32s appends elements of four bytes.
func (e *Encoder) Int32s(v []int32) { encodeFixed(e, v) }

// Uint64s appends elements of eight bytes.
func (e *Encoder) Uint64s(v []uint64) { encodeFixed(e, v) }

// Int64s appends elements of eight bytes.
func (e *Encoder) Int64s(v []int64) { encodeFixed(e, v) }

// Float32s appends IEEE 754 singles.
func (e *Encoder) Float32s(v []float32) { encodeFixed(e, v) }

// Float64s appends IEEE 754 doubles.
func (e *Encoder) Float64s(v []float64) { encodeFixed(e, v) }

// Strings appends each string with its length.
func (e *Encoder) Strings(v []string) {
	for _, s := range v {
		e.String(s)
	}
}

// extend aligns to size, extends the buffer by count*size bytes and returns these. Without elements it does not align.
func (e *Encoder) extend(size, count int) []byte {
	if count == 0 {
		return nil
	}
	return e.grow(size, size*count)
}
