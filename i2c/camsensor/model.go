// SPDX-License-Identifier: Apache-2.0

package camsensor

import "fmt"

// Addresses of the sensors.
const (
	AddrOV = 0x21 // OmniVision OV7670
	AddrPO = 0x6E // Pixelplus PO8030, PO6030, PO3030
)

// Model is the type of a sensor.
type Model uint8

// The models.
const (
	// none: no sensor was found.
	none Model = iota
	// ov7670 and PO8030 are the sensors of the e-puck2.
	ov7670
	po8030
	// po6030 and PO3030 are those of the e-puck1. Their sequences are known for its slower clock only.
	po6030
	po3030
)

var modelNames = [...]string{"none", "OV7670", "PO8030", "PO6030", "PO3030"}

// String returns the name on the chip.
func (m Model) String() string {
	if int(m) < len(modelNames) {
		return modelNames[m]
	}
	return fmt.Sprintf("model %d", uint8(m))
}

// candidate is an address to search, with the two registers of the ID.
type candidate struct {
	addr uint16
	regs [2]byte
}

var candidates = [...]candidate{
	{AddrOV, [2]byte{0x0A, 0x0B}},
	{AddrPO, [2]byte{0x00, 0x01}},
}

// identify returns the model by its address and ID.
func identify(addr, id uint16) (Model, error) {
	switch {
	case addr == AddrOV && id == 0x7673:
		return ov7670, nil
	case addr == AddrPO && id == 0x8030:
		return po8030, nil
	case addr == AddrPO && id == 0x6030:
		return po6030, nil
	case addr == AddrPO && id == 0x3030:
		return po3030, nil
	}
	return none, fmt.Errorf("%w: %#02x answers with %#04x", errIdentity, addr, id)
}

// sentinel returns a register whose value after the sequence differs from the one after a reset, in the bank that the
// sequence leaves selected, and the value that the sequence writes.
func (m Model) sentinel() (reg, value byte, ok bool) {
	switch m {
	case ov7670:
		return ovTSLB, 0x04, true
	case po8030:
		return poFrameWidthL, (frameWidth - 1) & 0xFF, true
	}
	return 0x01, 0x30, false // the lower half of the ID, to check whether the sensor is present
}
