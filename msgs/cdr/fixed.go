// SPDX-License-Identifier: Apache-2.0

package cdr

import (
	"encoding/binary"
	"slices"
	"unsafe"
)

// fixed are the element types whose representation in memory is that in CDR, except for the byte order.
type fixed interface {
	int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64 | float32 | float64
}

// memory returns the bytes of v: copying all elements at once is faster than one by one.
func memory[T fixed](v []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*sizeOf[T]())
}

func sizeOf[T fixed]() int {
	var x T
	return int(unsafe.Sizeof(x))
}

// encodeFixed appends elements, little-endian.
func encodeFixed[T fixed](e *Encoder, v []T) {
	b := e.extend(sizeOf[T](), len(v))
	copy(b, memory(v))
	if hostIsBig() {
		swap(b, sizeOf[T]())
	}
}

// decodeFixed reads elements in the message's byte order.
func decodeFixed[T fixed](d *Decoder, dst []T) {
	b := d.next(sizeOf[T](), sizeOf[T]()*len(dst))
	if b == nil {
		clear(dst)
		return
	}
	copy(memory(dst), b)
	if d.big != hostIsBig() {
		swap(memory(dst), sizeOf[T]())
	}
}

// fixedSeq reads a sequence.
func fixedSeq[T fixed](d *Decoder, prev []T, bound int) []T {
	n := d.SeqLen(sizeOf[T](), bound)
	if d.inPlace {
		return inPlace[T](d, n)
	}
	s := Resize(prev, n)
	decodeFixed(d, s)
	return s
}

// inPlace returns n elements where they are in the data, or a copy if they cannot be used there.
func inPlace[T fixed](d *Decoder, n int) []T {
	b := d.next(sizeOf[T](), n*sizeOf[T]())
	if b == nil {
		return nil
	}
	p := unsafe.Pointer(unsafe.SliceData(b))
	if sizeOf[T]() == 1 || d.big == hostIsBig() && uintptr(p)%uintptr(sizeOf[T]()) == 0 {
		d.refers = true
		return unsafe.Slice((*T)(p), n)
	}
	s := make([]T, n)
	copy(memory(s), b)
	if d.big != hostIsBig() {
		swap(memory(s), sizeOf[T]())
	}
	return s
}

// hostIsBig reports whether this machine is big-endian. It is a constant for the compiler.
func hostIsBig() bool { return binary.NativeEndian.Uint16([]byte{0, 1}) == 1 }

// swap reverses each group of size bytes.
func swap(b []byte, size int) {
	for ; len(b) >= size; b = b[size:] {
		slices.Reverse(b[:size])
	}
}
