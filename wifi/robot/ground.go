// SPDX-License-Identifier: Apache-2.0

package robot

import (
	"encoding/binary"

	"github.com/epuck-ros2/epuck-driver/wifi/packet"
)

// readGround reads registers of the ground sensors' board: six words, the board's revision, and nothing after it.
func readGround(s *packet.Sensors, w, out []byte) {
	const revision = 0x0C
	var regs [256]byte
	for i := range regs {
		regs[i] = 0xFF
	}
	for i := range 3 {
		binary.BigEndian.PutUint16(regs[2*i:], s.Ground[i])
		binary.BigEndian.PutUint16(regs[6+2*i:], s.GroundAmbient[i])
	}
	regs[revision] = 1
	at := 0
	if len(w) > 0 {
		at = int(w[0])
	}
	copy(out, regs[at:])
}
