// SPDX-License-Identifier: Apache-2.0

package packet

import "fmt"

// Kind is the first byte of the robot's packets.
type Kind uint8

// The kinds.
const (
	KindPicture Kind = 1 // [PictureSize] bytes follow
	KindSensors Kind = 2 // [SensorsSize] bytes follow
	KindEmpty   Kind = 3 // nothing follows
)

// Size returns how many bytes follow the kind. It fails if the kind is unknown, and names it: the rest of the stream
// can't be read then.
func (k Kind) Size() (int, error) {
	switch k {
	case KindPicture:
		return PictureSize, nil
	case KindSensors:
		return SensorsSize, nil
	case KindEmpty:
		return 0, nil
	}
	return 0, fmt.Errorf("%w: %#02x", errKind, uint8(k))
}
