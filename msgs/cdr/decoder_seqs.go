// SPDX-License-Identifier: Apache-2.0

package cdr

// The sequence methods decode a count, check it against bound (or [Unbounded]) and the remaining bytes, and decode the
// elements into the memory of prev if that is large enough.

// Uint8Seq reads a sequence of bytes.
func (d *Decoder) Uint8Seq(prev []byte, bound int) []byte {
	n := d.SeqLen(1, bound)
	if d.inPlace {
		return inPlace[uint8](d, n)
	}
	s := Resize(prev, n)
	d.Uint8s(s)
	return s
}

// Int8Seq reads a sequence of bytes.
func (d *Decoder) Int8Seq(prev []int8, bound int) []int8 {
	n := d.SeqLen(1, bound)
	if d.inPlace {
		return inPlace[int8](d, n)
	}
	s := Resize(prev, n)
	d.Int8s(s)
	return s
}

// BoolSeq reads a sequence of booleans, which are copied in any case.
func (d *Decoder) BoolSeq(prev []bool, bound int) []bool {
	s := Resize(prev, d.SeqLen(1, bound))
	d.Bools(s)
	return s
}

// Uint16Seq reads a sequence of elements of two bytes.
func (d *Decoder) Uint16Seq(prev []uint16, bound int) []uint16 {
	return fixedSeq(d, prev, bound)
}

// Int16Seq reads a sequence of elements of two bytes.
func (d *Decoder) Int16Seq(prev []int16, bound int) []int16 {
	return fixedSeq(d, prev, bound)
}

// Uint32Seq reads a sequence of elements of four bytes.
func (d *Decoder) Uint32Seq(prev []uint32, bound int) []uint32 {
	return fixedSeq(d, prev, bound)
}

// Int32Seq reads a sequence of elements of four bytes.
func (d *Decoder) Int32Seq(prev []int32, bound int) []int32 {
	return fixedSeq(d, prev, bound)
}

// Uint64Seq reads a sequence of elements of eight bytes.
func (d *Decoder) Uint64Seq(prev []uint64, bound int) []uint64 {
	return fixedSeq(d, prev, bound)
}

// Int64Seq reads a sequence of elements of eight bytes.
func (d *Decoder) Int64Seq(prev []int64, bound int) []int64 {
	return fixedSeq(d, prev, bound)
}

// Float32Seq reads a sequence of IEEE 754 singles.
func (d *Decoder) Float32Seq(prev []float32, bound int) []float32 {
	return fixedSeq(d, prev, bound)
}

// Float64Seq reads a sequence of IEEE 754 doubles.
func (d *Decoder) Float64Seq(prev []float64, bound int) []float64 {
	return fixedSeq(d, prev, bound)
}
