// SPDX-License-Identifier: Apache-2.0

package shapes

import (
	"crypto/md5" //nolint:gosec // the hash that DDSI-RTPS 9.6.4.8 prescribes, not a secret
	"encoding/binary"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// typeName is the DDS name of the type of all topics of shapes.
const typeName = "ShapeType"

// maxColor is the longest colour, bytes.
const maxColor = 128

// Shape is a sample: a coloured shape on a board. The type is appendable (XTypes 7.2.4.4) and its key is the colour.
type Shape struct {
	// Color names the instance, at most maxColor bytes.
	Color string
	// X and Y are the position of the middle on the board, pixels.
	X, Y int32
	// Size is the width, pixels; the suite also counts samples with it.
	Size int32
	// Extra makes the sample larger.
	Extra []byte
}

// String returns position, size and the last byte of Extra, if any, as the suite reads them.
func (s *Shape) String() string {
	line := fmt.Sprintf("%03d %03d [%d]", s.X, s.Y, s.Size)
	if n := len(s.Extra); n > 0 {
		line += fmt.Sprintf(" {%d}", s.Extra[n-1])
	}
	return line
}

// KeyHash returns the hash of the instance of a colour: MD5 of the key in big-endian CDR, since a colour may be longer
// than the 16 bytes of a hash (DDSI-RTPS 9.6.4.8).
func KeyHash(color string) wire.KeyHash {
	key := make([]byte, 0, 5+maxColor)
	key = binary.BigEndian.AppendUint32(key, uint32(len(color)+1))
	key = append(append(key, color...), 0)
	return md5.Sum(key) //nolint:gosec // as above
}
