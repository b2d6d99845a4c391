// SPDX-License-Identifier: Apache-2.0

package robot

import "encoding/binary"

// tofChip is the VL53L0X: registers in pages that keep what is written, and the distance that the robot's own
// firmware reads ten times a second, with the settings of the long range profile.
type tofChip struct {
	pages   [8][256]byte
	page    byte
	at      byte
	cleared uint64 // the count of sensors when the last measurement was fetched
}

const (
	tofClear  = 0x0B
	tofReady  = 0x13
	tofResult = 0x14
	tofStrobe = 0x83
	tofAnswer = 0x92
	tofModel  = 0xC0
	tofPage   = 0xFF

	tofValid, tofNoTarget = 11 << 3, 4 << 3
	tofFar                = 8190 // mm, and more: no object
)

// transfer writes and reads registers.
func (t *tofChip) transfer(s *state, w, out []byte) {
	if len(w) > 0 {
		t.at = w[0]
	}
	for i, v := range w[min(1, len(w)):] {
		t.write(s, t.at+byte(i), v)
	}
	for i := range out {
		out[i] = t.read(s, t.at+byte(i))
	}
}

func (t *tofChip) write(s *state, reg, v byte) {
	switch reg {
	case tofPage:
		t.page = v & 7
		return
	case tofClear:
		t.cleared = s.count
	}
	t.pages[t.page][reg] = v
}

func (t *tofChip) read(s *state, reg byte) byte {
	if t.page == 0 && reg >= tofResult && reg < tofResult+12 {
		return tofBlock(s.latest.Distance)[reg-tofResult]
	}
	switch reg {
	case tofModel:
		return 0xEE
	case tofReady:
		if s.count == t.cleared {
			return 0
		}
		return 0x04
	case tofStrobe:
		return t.pages[t.page][reg] | 0x10 // the memory has answered
	case tofAnswer:
		return 5 // reference SPADs
	case 0xB0, 0xB1, 0xB2, 0xB3, 0xB4, 0xB5:
		return 0xFF // all of them are usable
	}
	return t.pages[t.page][reg]
}

// tofBlock is the block of a result.
func tofBlock(mm uint16) (b [12]byte) {
	switch {
	case mm == 0: // nothing was measured since the robot was switched on
	case mm >= tofFar:
		b[0] = tofNoTarget
	default:
		b[0] = tofValid
	}
	binary.BigEndian.PutUint16(b[10:], mm)
	return b
}
