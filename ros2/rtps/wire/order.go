// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/binary"
	"slices"
)

// order is a byte order. It is not a binary.ByteOrder, so that the compiler inlines its methods. Callers have checked
// the length of the bytes.
type order bool

const (
	littleEndian order = false
	bigEndian    order = true
)

func (o order) u16(b []byte) uint16 {
	if o == bigEndian {
		return binary.BigEndian.Uint16(b)
	}
	return binary.LittleEndian.Uint16(b)
}

func (o order) u32(b []byte) uint32 {
	if o == bigEndian {
		return binary.BigEndian.Uint32(b)
	}
	return binary.LittleEndian.Uint32(b)
}

func (o order) i32(b []byte) int32 { return int32(o.u32(b)) }

// sn reads a SequenceNumber: the high word first in both byte orders.
func (o order) sn(b []byte) SequenceNumber {
	return SequenceNumber(uint64(o.u32(b))<<32 | uint64(o.u32(b[4:])))
}

// entity reads an EntityID, which is an octet array and has no byte order.
func entity(b []byte) EntityID { return EntityID(binary.BigEndian.Uint32(b)) }

func appendU16(dst []byte, v uint16) []byte { return binary.LittleEndian.AppendUint16(dst, v) }

func appendU32(dst []byte, v uint32) []byte { return binary.LittleEndian.AppendUint32(dst, v) }

func appendEntity(dst []byte, e EntityID) []byte {
	return binary.BigEndian.AppendUint32(dst, uint32(e))
}

func appendSN(dst []byte, sn SequenceNumber) []byte {
	dst = appendU32(dst, uint32(uint64(sn)>>32))
	return appendU32(dst, uint32(uint64(sn)))
}

// align4 rounds n up to a multiple of four.
func align4(n int) int { return (n + 3) &^ 3 }

// appendPad appends zeros until dst is a multiple of four bytes past start.
func appendPad(dst []byte, start int) []byte {
	for (len(dst)-start)&3 != 0 {
		dst = append(dst, 0)
	}
	return dst
}

// extend extends dst by size bytes, which it also returns separately, to be filled. That takes a third of the code of
// appending each field.
func extend(dst []byte, size int) (longer, added []byte) {
	n := len(dst)
	dst = slices.Grow(dst, size)[:n+size]
	return dst, dst[n:]
}

func putU32(b []byte, v uint32) { binary.LittleEndian.PutUint32(b, v) }

func putSN(b []byte, sn SequenceNumber) {
	putU32(b, uint32(uint64(sn)>>32))
	putU32(b[4:], uint32(uint64(sn)))
}

func putEntities(b []byte, reader, writer EntityID) {
	binary.BigEndian.PutUint32(b, uint32(reader))
	binary.BigEndian.PutUint32(b[4:], uint32(writer))
}

// putSubHeader fills in the header of submessage b.
func putSubHeader(b []byte, id SubmessageID, flags Flags) {
	n := len(b) - submessageHeaderSize
	b[0], b[1], b[2], b[3] = byte(id), byte(flags|flagEndian), byte(n), byte(n>>8)
}
