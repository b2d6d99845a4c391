// SPDX-License-Identifier: Apache-2.0

package cdr

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// Encoder appends values in little-endian XCDR1. The zero value is an empty buffer without a header; call Reset first
// for a message. It allocates only if its buffer is too small. An Encoder is not safe for concurrent use.
type Encoder struct {
	buf    []byte
	origin int // index of the first body byte: alignment counts from here
	err    error
}

// Reset starts a message: it appends the encapsulation header to dst, aligns from the byte after it, and clears the
// error.
func (e *Encoder) Reset(dst []byte) {
	e.ResetBody(append(dst, 0, 1, 0, 0))
}

// ResetBody is Reset without a header: alignment counts from the end of dst.
func (e *Encoder) ResetBody(dst []byte) {
	e.buf, e.origin, e.err = dst, len(dst), nil
}

// Marshal appends m with its encapsulation header to dst, without allocating if dst has the capacity. On an error it
// returns dst unchanged. The Encoder keeps no reference to dst.
func (e *Encoder) Marshal(dst []byte, m Marshaler) ([]byte, error) {
	e.Reset(dst)
	m.EncodeCDR(e)
	out, err := e.buf, e.err
	e.buf, e.origin = nil, 0
	if err != nil {
		return dst, err
	}
	return out, nil
}

// Bytes returns the buffer: the bytes passed to Reset, the header and all values so far. It is not a valid message if
// Err is not nil.
func (e *Encoder) Bytes() []byte { return e.buf }

// Err returns the first error since Reset, for a value that exceeds its type.
func (e *Encoder) Err() error { return e.err }

// CheckBound records an [ErrBound] if a string or sequence of n bytes or
// elements is over its bound. The field is named as in [DecodeError].
func (e *Encoder) CheckBound(field string, n, bound int) {
	if n > bound && e.err == nil {
		e.err = fmt.Errorf("%s: %w: %d, at most %d", field, ErrBound, n, bound)
	}
}

// grow pads with zeros to a multiple of align (a power of two, at most 8), extends the buffer by size bytes and returns
// these.
func (e *Encoder) grow(align, size int) []byte {
	n := len(e.buf)
	start := n + (e.origin-n)&(align-1)
	if start+size > cap(e.buf) {
		e.buf = slices.Grow(e.buf, start+size-n)
	}
	b := e.buf[:start+size]
	for ; n < start; n++ {
		b[n] = 0
	}
	e.buf = b
	return b[start:]
}

// Bool appends one byte, 0 or 1.
func (e *Encoder) Bool(v bool) {
	var b byte
	if v {
		b = 1
	}
	e.buf = append(e.buf, b)
}

// Uint8 appends one byte.
func (e *Encoder) Uint8(v uint8) { e.buf = append(e.buf, v) }

// Int8 appends one byte.
func (e *Encoder) Int8(v int8) { e.buf = append(e.buf, byte(v)) }

// Uint16 appends two bytes, aligned to two.
func (e *Encoder) Uint16(v uint16) { binary.LittleEndian.PutUint16(e.grow(2, 2), v) }

// Int16 appends two bytes, aligned to two.
func (e *Encoder) Int16(v int16) { e.Uint16(uint16(v)) }

// Uint32 appends four bytes, aligned to four.
//
// It is not inlined, nor is Uint64: a message is a row of them, and to run
// through a row of calls costs a processor with a small cache less than to
// fetch the same code for each field again.
//
//go:noinline
func (e *Encoder) Uint32(v uint32) { binary.LittleEndian.PutUint32(e.grow(4, 4), v) }

// Int32 appends four bytes, aligned to four.
func (e *Encoder) Int32(v int32) { e.Uint32(uint32(v)) }

// Uint64 appends eight bytes, aligned to eight.
//
//go:noinline
func (e *Encoder) Uint64(v uint64) { binary.LittleEndian.PutUint64(e.grow(8, 8), v) }

// Int64 appends eight bytes, aligned to eight.
func (e *Encoder) Int64(v int64) { e.Uint64(uint64(v)) }

// Float32 appends an IEEE 754 single, aligned to four.
func (e *Encoder) Float32(v float32) { e.Uint32(math.Float32bits(v)) }

// Float64 appends an IEEE 754 double, aligned to eight.
func (e *Encoder) Float64(v float64) { e.Uint64(math.Float64bits(v)) }

// String appends the length with the NUL, the bytes and the NUL.
func (e *Encoder) String(v string) {
	e.SeqLen(len(v) + 1)
	b := e.grow(1, len(v)+1)
	b[copy(b, v)] = 0
}

// SeqLen appends the count of a sequence; append its elements afterwards.
func (e *Encoder) SeqLen(n int) {
	if uint64(n) > math.MaxUint32 && e.err == nil {
		e.err = fmt.Errorf("%w: %d elements, at most %d", ErrBound, n, uint32(math.MaxUint32))
	}
	e.Uint32(uint32(n))
}
