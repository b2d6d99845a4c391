// SPDX-License-Identifier: Apache-2.0

package shapes

import (
	"encoding/binary"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Encapsulation identifiers of a shape (XTypes 7.6.3.1.2, table 60): an appendable type is plain in XCDR1 and delimited
// in XCDR2. Plain XCDR2, from peers that declare the type as final, is decoded, too. The lowest bit means
// little-endian.
const (
	encapsulationCDR      = 0x0000
	encapsulationCDR2     = 0x0006
	encapsulationDelimit2 = 0x0008
	littleEndian          = 0x0001
	headerSize            = 4 // bytes
)

// Append appends the shape with its encapsulation header, little-endian, to dst. The caller checks that the colour is
// not too long.
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

// appendKey appends the key of a shape, which is its colour, with its encapsulation header. In XCDR2 it is plain, as
// Cyclone DDS 0.10 requires, which ignores the key hash and rejects the delimited encapsulation.
func appendKey(dst []byte, color string, rep wire.DataRepresentation) []byte {
	dst = appendHeader(dst, rep)
	start := len(dst)
	return pad(appendString(dst, color), start)
}

// appendHeader appends the encapsulation header.
func appendHeader(dst []byte, rep wire.DataRepresentation) []byte {
	id := byte(encapsulationCDR | littleEndian)
	if rep == wire.XCDR2 {
		id = encapsulationDelimit2 | littleEndian
	}
	return append(dst, 0, id, 0, 0)
}

// begin appends the encapsulation header and, for XCDR2, space for the length; start is where the body begins.
func begin(dst []byte, rep wire.DataRepresentation) ([]byte, int) {
	dst = appendHeader(dst, rep)
	start := len(dst)
	if rep == wire.XCDR2 {
		dst = append(dst, 0, 0, 0, 0)
	}
	return dst, start
}

// finish writes the length of XCDR2, and pads.
func finish(dst []byte, start int, rep wire.DataRepresentation) []byte {
	if rep == wire.XCDR2 {
		binary.LittleEndian.PutUint32(dst[start:], uint32(len(dst)-start-4))
	}
	return pad(dst, start)
}

// pad pads to four bytes, and writes the number of padding bytes into the options of the header.
func pad(dst []byte, start int) []byte {
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
