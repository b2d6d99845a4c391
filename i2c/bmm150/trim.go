// SPDX-License-Identifier: Apache-2.0

package bmm150

import (
	"encoding/binary"
	"fmt"
)

// trim is the factory's calibration of one chip, with Bosch's names.
type trim struct {
	x1, y1, x2, y2 int8
	xy1            uint8
	xy2            int8
	z1, xyz1       uint16
	z2, z3, z4     int16
}

// Registers of the trim data: three blocks.
const (
	regTrimXY1 = 0x5D // x1, y1
	regTrimZ4  = 0x62 // z4 (16), x2, y2
	regTrimZ2  = 0x68 // z2, z1, xyz1, z3 (16 each), xy2, xy1
	trimXY1Len = 2
	trimZ4Len  = 4
	trimZ2Len  = 10
)

// The blocks are decoded in the order in which they are read.
func (t *trim) takeXY1(b []byte) { t.x1, t.y1 = int8(b[0]), int8(b[1]) }

func (t *trim) takeZ4(b []byte) {
	t.z4 = int16(binary.LittleEndian.Uint16(b))
	t.x2, t.y2 = int8(b[2]), int8(b[3])
}

func (t *trim) takeZ2(b []byte) error {
	le := binary.LittleEndian
	t.z2, t.z1 = int16(le.Uint16(b)), le.Uint16(b[2:])
	t.xyz1, t.z3 = le.Uint16(b[4:])&0x7FFF, int16(le.Uint16(b[6:]))
	t.xy2, t.xy1 = int8(b[8]), b[9]
	if t.z1 == 0 || t.z2 == 0 || t.xyz1 == 0 {
		return fmt.Errorf("%w: z1 %d, z2 %d, xyz1 %d", errTrim, t.z1, t.z2, t.xyz1)
	}
	return nil
}

// sixteenthMicrotesla is the unit of the formulas, in tesla.
const sixteenthMicrotesla = 1e-6 / 16

// horizontal compensates x or y, given the two trim values of its own axis.
func (t *trim) horizontal(counts int, hall float64, offset, gain int8) float64 {
	warmth := float64(float64(t.xyz1)*16384/hall) - 16384
	curve := float64(float64(t.xy2)*(warmth*warmth/(1<<28))) + float64(warmth*float64(t.xy1)/16384)
	return (float64(float64(counts)*(curve+256)*(float64(gain)+160)/8192) + float64(float64(offset)*8)) * sixteenthMicrotesla
}

// vertical compensates z.
func (t *trim) vertical(counts int, hall float64) float64 {
	gain := 4 * (float64(t.z2) + float64(float64(t.z1)*hall/32768))
	return (float64((float64(counts)-float64(t.z4))*131072) - float64(float64(t.z3)*(hall-float64(t.xyz1)))) / gain * sixteenthMicrotesla
}
