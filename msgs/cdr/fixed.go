// SPDX-License-Identifier: Apache-2.0

package cdr

import (
	"encoding/binary"
	"slices"
	"unsafe"
)

// fixed are the types of elements whose form in memory is their form in CDR, but for
// the order of the bytes.
type fixed interface {
	int16 | uint16 | int32 | uint32 | int64 | uint64 | float32 | float64
}

// memory returns the bytes of v: all of its elements at once are copied faster than
// one after the other.
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

// decodeFixed reads elements in the message's order of bytes.
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

// hostIsBig tells whether this machine is big-endian; the compiler knows.
func hostIsBig() bool { return binary.NativeEndian.Uint16([]byte{0, 1}) == 1 }

// swap turns each group of size bytes round.
func swap(b []byte, size int) {
	for ; len(b) >= size; b = b[size:] {
		slices.Reverse(b[:size])
	}
}
