// SPDX-License-Identifier: Apache-2.0

package shapes

import (
	"encoding/binary"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Encapsulation identifiers of a shape (XTypes 7.6.3.1.2, table 60): an appendable type is plain in XCDR1 and delimited in XCDR2. A
// plain one in XCDR2, which a peer with another idea of the type may send, is read too. The lowest bit says little-endian.
const (
	encapsulationCDR      = 0x0000
	encapsulationCDR2     = 0x0006
	encapsulationDelimit2 = 0x0008
	littleEndian          = 0x0001
	headerSize            = 4 // bytes
)

// Append appends the shape with its encapsulation header, little-endian, to dst. The caller sees that the colour is not too long.
func Append(dst []byte, s *Shape, rep wire.DataRepresentation) []byte {
	dst, start := begin(dst, rep)
	dst = appendString(dst, s.Color)
	dst = align(dst, start)
	for _, v := range [...]int32{s.X, s.Y, s.Size} {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(s.Extra)))
	return finish(append(dst, s.Extra...), start, rep)
}

// AppendKey appends the key of a shape, which is its colour, with its encapsulation header.
func AppendKey(dst []byte, color string, rep wire.DataRepresentation) []byte {
	dst, start := begin(dst, rep)
	return finish(appendString(dst, color), start, rep)
}

// begin appends the encapsulation header and, for XCDR2, room for the length; start is where the body begins.
func begin(dst []byte, rep wire.DataRepresentation) ([]byte, int) {
	id := byte(encapsulationCDR | littleEndian)
	if rep == wire.XCDR2 {
		id = encapsulationDelimit2 | littleEndian
	}
	dst = append(dst, 0, id, 0, 0)
	start := len(dst)
	if rep == wire.XCDR2 {
		dst = append(dst, 0, 0, 0, 0)
	}
	return dst, start
}

// finish pads to four bytes, and writes the length and into the header's options how many bytes of padding there are.
func finish(dst []byte, start int, rep wire.DataRepresentation) []byte {
	if rep == wire.XCDR2 {
		binary.LittleEndian.PutUint32(dst[start:], uint32(len(dst)-start-4))
	}
	end := len(dst)
	dst = align(dst, start)
	dst[start-1] = byte(len(dst) - end)
	return dst
}

func appendString(dst []byte, s string) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(s)+1))
	return append(append(dst, s...), 0)
}

// align pads to four bytes from start on.
func align(dst []byte, start int) []byte {
	for (len(dst)-start)%4 != 0 {
		dst = append(dst, 0)
	}
	return dst
}
