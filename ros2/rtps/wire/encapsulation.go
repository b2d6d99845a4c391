// SPDX-License-Identifier: Apache-2.0

package wire

import "fmt"

// encapsulation is the identifier in a payload's encapsulation header: how the payload is serialized (DDSI-RTPS
// 10.2.1.2).
type encapsulation uint16

// Encapsulations of XCDR version 1.
const (
	encapsulationCDRBE   encapsulation = 0x0000
	encapsulationCDRLE   encapsulation = 0x0001
	encapsulationPLCDRBE encapsulation = 0x0002 // parameter list
	encapsulationPLCDRLE encapsulation = 0x0003
)

// splitPayload splits a payload into encapsulation and body, without the padding that the options declare.
func splitPayload(payload []byte) (encapsulation, []byte, error) {
	if len(payload) < encapsulationSize {
		return 0, nil, fmt.Errorf("%w: payload of %d bytes", errEncapsulation, len(payload))
	}
	body := payload[encapsulationSize : len(payload)-quirkPadCount(payload)]
	return encapsulation(bigEndian.u16(payload)), body, nil
}

func appendEncapsulation(dst []byte, e encapsulation) []byte {
	return append(dst, byte(e>>8), byte(e), 0, 0)
}
