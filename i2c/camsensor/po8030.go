// SPDX-License-Identifier: Apache-2.0

package camsensor

// Registers of the PO8030. Each belongs to a bank, selected by register 0x03 (GCtronic's main processor firmware,
// camera/po8030.c).
const (
	poBank        = 0x03
	poFrameWidthL = 0x05 // bank A
	poExposureH   = 0x17 // bank A: whole rows, two bytes, then 256ths
	poRed         = 0x23 // bank A: then green and blue
	poMirror      = 0x6C // bank A
	poAuto        = 0x04 // bank C: bits that switch automatic exposure and white balance off

	bankA, bankB, bankC = 0, 1, 2

	poFlipBit, poMirrorBit   = 0x80, 0x40
	poNoExposure, poNoWhites = 0x03, 0x04
)

// poWords are pairs of registers of bank A, upper byte first: the window of the picture (x1, y1, x2, y2), and the whole
// and the middle window of the automatic exposure (x1, x2, y1, y2).
var poWords = [...]struct {
	reg   byte
	value uint16
}{
	{0x08, 1}, {0x0A, 1}, {0x0C, 640}, {0x0E, 480},
	{0x35, 1}, {0x37, 640}, {0x39, 1}, {0x3B, 480},
	{0x3D, 214}, {0x3F, 427}, {0x41, 161}, {0x43, 320},
}

// poProgram appends the whole sequence with its options. It has no reset, so it also writes everything that an earlier
// run may have changed. Bank A is selected at the end.
func poProgram(p []op, s *Settings) []op {
	write := func(reg, value byte) { p = append(p, op{reg: reg, value: value}) }
	word := func(reg byte, v uint16) {
		write(reg, byte(v>>8))
		write(reg+1, byte(v))
	}
	write(poBank, bankA)
	write(0x5B, 0x00) // pads
	for _, w := range poWords {
		word(w.reg, w.value)
	}
	write(poBank, bankB)
	write(0x93, 0x20) // scale 1 in x
	write(0x94, 0x20) // and y
	write(0x4E, 0x02) // Y Cb Y Cr
	write(0xB7, 0x00) // synchronisation
	write(poBank, bankA)
	write(0x11, 0x0A) // first row of the vertical synchronisation
	write(poBank, bankB)
	word(0x95, 0x000A) // scaler's threshold
	write(poBank, bankA)
	word(0x04, frameWidth-1)
	word(0x06, frameHeight-1) // 15 frames/s

	var mirror, manual byte
	if s.Flip {
		mirror |= poFlipBit
	}
	if s.Mirror {
		mirror |= poMirrorBit
	}
	p = append(p, change(poMirror, poFlipBit|poMirrorBit, mirror))
	if s.Exposure != 0 {
		manual |= poNoExposure
	}
	if s.Balance != (Balance{}) {
		manual |= poNoWhites
	}
	write(poBank, bankC)
	p = append(p, change(poAuto, poNoExposure|poNoWhites, manual))
	write(poBank, bankA)
	if s.Exposure != 0 {
		word(poExposureH, s.rows())
		write(poExposureH+2, 0)
	}
	if b := s.Balance; b != (Balance{}) {
		write(poRed, fixed(b.Red))
		write(poRed+1, fixed(b.Green))
		write(poRed+2, fixed(b.Blue))
	}
	return p
}

// poIgnored is the set of settings that a PO8030 does not support.
const poIgnored = optionGain | optionTestPattern
