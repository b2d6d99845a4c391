// SPDX-License-Identifier: Apache-2.0

package vmcu

import "encoding/binary"

// buttonBit marks the pressed user button, above the selector's four bits.
const buttonBit = 0x10

// Transmit fills r with the reply as last built. A longer read repeats its last
// byte, the checksum.
func (m *MCU) Transmit(r []byte) {
	if m.cfg.Firmware == York {
		m.york.transmit(r)
		return
	}
	m.endCut()
	for i := copy(r, m.tx[:]); i < len(r); i++ {
		r[i] = m.tx[ReplySize-1]
	}
}

// buildReply measures and packs everything the firmware sends.
func (m *MCU) buildReply() {
	b := m.tx[:0]
	s := m.measured()
	for i := range s.Delta {
		b = binary.LittleEndian.AppendUint16(b, uint16(max(0, int32(s.Delta[i])-m.ir.zero[i])))
	}
	for i := range s.Ambient {
		b = binary.LittleEndian.AppendUint16(b, s.Ambient[i])
	}
	for i := range 4 {
		b = binary.LittleEndian.AppendUint16(b, m.volume(i))
	}
	sel := m.selector
	if m.button {
		sel |= buttonBit
	}
	b = append(b, sel)
	b = binary.LittleEndian.AppendUint16(b, uint16(m.left.position()))
	b = binary.LittleEndian.AppendUint16(b, uint16(m.right.position()))
	b = append(b, m.remote.code)
	_ = append(b, checksum(b))
}
