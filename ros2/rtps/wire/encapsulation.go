// SPDX-License-Identifier: Apache-2.0

package wire

import "fmt"

// Encapsulation is the first half of a payload's encapsulation header: how the
// rest is serialized (DDSI-RTPS 10.2.1.2).
type Encapsulation uint16

// Encapsulations of XCDR version 1.
const (
	EncapsulationCDRBE   Encapsulation = 0x0000
	EncapsulationCDRLE   Encapsulation = 0x0001
	EncapsulationPLCDRBE Encapsulation = 0x0002 // parameter list
	EncapsulationPLCDRLE Encapsulation = 0x0003
)

// SplitPayload splits a payload into encapsulation and body. Padding that the
// sender declared in the options is cut off.
func SplitPayload(payload []byte) (Encapsulation, []byte, error) {
	if len(payload) < encapsulationSize {
		return 0, nil, fmt.Errorf("%w: payload of %d bytes", ErrEncapsulation, len(payload))
	}
	body := payload[encapsulationSize : len(payload)-quirkPadCount(payload)]
	return Encapsulation(bigEndian.u16(payload)), body, nil
}

func appendEncapsulation(dst []byte, e Encapsulation) []byte {
	return append(dst, byte(e>>8), byte(e), 0, 0)
}
