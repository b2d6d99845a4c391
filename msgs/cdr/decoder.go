// SPDX-License-Identifier: Apache-2.0

package cdr

import (
	"encoding/binary"
	"fmt"
)

// Decoder decodes XCDR1 in either byte order. Its error is sticky: after the first one every method returns the zero
// value, so DecodeCDR methods need not check it and their caller checks Err once. Returned values are copies and do not
// refer to the data, except those of UnmarshalInPlace. A Decoder is not safe for concurrent use; its zero value has no
// data.
type Decoder struct {
	data   []byte
	pos    int // next byte
	origin int // index of the first body byte: alignment counts from here
	big    bool

	inPlace bool // sequences of numbers refer to data
	refers  bool // one of them does

	field string
	err   error
}

// Reset starts decoding data and parses its encapsulation header. It ignores the option bytes, in which native Cyclone
// DDS stores a pad count. The error is an [ErrEncapsulation] or [ErrShort], and is also the decoder's sticky error.
func (d *Decoder) Reset(data []byte) error {
	*d = Decoder{data: data}
	if len(data) < HeaderSize {
		d.fail(fmt.Errorf("%w: %d bytes, an encapsulation header has %d", ErrShort, len(data), HeaderSize))
		return d.err
	}
	switch id := binary.BigEndian.Uint16(data); id {
	case 0x0000, 0x0001:
		d.big = id == 0
		d.pos, d.origin = HeaderSize, HeaderSize
	case 0x0002, 0x0003:
		d.fail(fmt.Errorf("%w (id 0x%04x)", ErrParameterList, id))
	case 0x0006, 0x0007, 0x0008, 0x0009, 0x000a, 0x000b:
		d.fail(fmt.Errorf("%w (id 0x%04x)", ErrXCDR2, id))
	default:
		d.fail(fmt.Errorf("%w (id 0x%04x)", ErrEncapsulation, id))
	}
	return d.err
}

// ResetBody is Reset for data without an encapsulation header, in the given byte order.
func (d *Decoder) ResetBody(data []byte, bigEndian bool) {
	*d = Decoder{data: data, big: bigEndian}
}

// Unmarshal decodes data, which starts with an encapsulation header, into m. Bytes after the last field are ignored.
// After an error m must not be used. The Decoder keeps no reference to data.
func (d *Decoder) Unmarshal(data []byte, m Unmarshaler) error {
	if err := d.Reset(data); err != nil {
		d.data = nil
		return err
	}
	m.DecodeCDR(d)
	d.data = nil
	return d.err
}

// UnmarshalInPlace is [Decoder.Unmarshal] without copies of sequences of numbers: they refer to data, which must not
// change as long as m is used, if it is aligned and in the byte order of the machine. Their earlier memory is not used
// again. It reports whether any of them refers to data.
func (d *Decoder) UnmarshalInPlace(data []byte, m Unmarshaler) (refers bool, err error) {
	if err := d.Reset(data); err != nil {
		d.data = nil
		return false, err
	}
	d.inPlace = true
	m.DecodeCDR(d)
	d.data, d.inPlace = nil, false
	return d.refers, d.err
}

// Err returns the first error since Reset, a [*DecodeError], or nil.
func (d *Decoder) Err() error { return d.err }

// Offset returns the position of the next byte in the data given to Reset.
func (d *Decoder) Offset() int { return d.pos }

// Remaining returns how many bytes are left.
func (d *Decoder) Remaining() int { return len(d.data) - d.pos }

// Field sets the name of the field that is decoded next, for the error text.
func (d *Decoder) Field(name string) { d.field = name }

// fail records the first error with its position.
func (d *Decoder) fail(err error) {
	if d.err == nil {
		d.err = &DecodeError{Field: d.field, Offset: d.pos, Err: err}
	}
}

// next aligns to align (a power of two, at most 8) and consumes n bytes. It returns nil after an error. For n = 0 it
// does not align.
func (d *Decoder) next(align, n int) []byte {
	if d.err != nil || n == 0 {
		return nil
	}
	start := d.pos + (d.origin-d.pos)&(align-1)
	if n > len(d.data)-start {
		d.fail(fmt.Errorf("%w: %d bytes needed, %d left", ErrShort, n, max(len(d.data)-start, 0)))
		return nil
	}
	d.pos = start + n
	return d.data[start:d.pos]
}

// SeqLen decodes the count of a sequence and checks it, before memory is allocated, against bound (or [Unbounded]) and
// against the remaining bytes, given that an element takes at least minElemSize bytes.
func (d *Decoder) SeqLen(minElemSize, bound int) int {
	n := d.Uint32()
	if d.err != nil {
		return 0
	}
	if bound != Unbounded && uint64(n) > uint64(bound) {
		d.fail(fmt.Errorf("%w: %d elements, at most %d", ErrBound, n, bound))
		return 0
	}
	need := uint64(n) * uint64(max(minElemSize, 1))
	if need > uint64(d.Remaining()) {
		d.fail(fmt.Errorf("%w: %d elements need at least %d bytes, %d left", ErrShort, n, need, d.Remaining()))
		return 0
	}
	return int(n)
}
