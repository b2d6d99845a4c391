// SPDX-License-Identifier: Apache-2.0

package vmag

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// trimBase is the first register of the trim memory.
const trimBase = 0x5D

// trim is the calibration of a chip, as its maker names the values.
type trim struct {
	x1, y1, x2, y2, xy1, xy2, z1, z2, z3, z4, xyz1 int
	image                                          [0x72 - trimBase]byte
}

// drawTrim makes values around those of chips that people have read out.
func drawTrim(s noise.Source) trim {
	s = s.Named("BMM150 factory")
	about := func(n uint64, mid, spread int) int { return mid + int(s.Uint64(n)%uint64(2*spread+1)) - spread }
	t := trim{
		x1: about(0, 0, 3), y1: about(1, 0, 3), x2: about(2, 27, 3), y2: about(3, 27, 3), xy1: about(4, 29, 2), xy2: about(5, -3, 1),
		z1: about(6, 23500, 1000), z2: about(7, 750, 60), z3: about(8, 0, 300), z4: about(9, 0, 10), xyz1: about(10, 6800, 300),
	}
	put := func(reg, v int) { t.image[reg-trimBase] = byte(v) }
	put16 := func(reg, v int) {
		put(reg, v)
		put(reg+1, v>>8)
	}
	put(0x5D, t.x1)
	put(0x5E, t.y1)
	put16(0x62, t.z4)
	put(0x64, t.x2)
	put(0x65, t.y2)
	put16(0x68, t.z2)
	put16(0x6A, t.z1)
	put16(0x6C, t.xyz1)
	put16(0x6E, t.z3)
	put(0x70, t.xy2)
	put(0x71, t.xy1)
	return t
}

// hall is the resistance of the Hall plate in counts; it grows with the
// temperature.
func (t *trim) hall(temperature float64) int { return t.xyz1 + int(math.Round((temperature-25)*8)) }

// curve is the gain of x and y at a resistance of the Hall plate, slope that of z.
func (t *trim) curve(hall int) float64 {
	rel := float64(t.xyz1)/float64(hall) - 1 // of the resistance
	return 256 + float64(float64(t.xy1)*rel) + float64(float64(t.xy2)*rel*rel)
}

func (t *trim) slope(hall int) float64 {
	return float64(t.z2) + float64(float64(t.z1)*float64(hall)/32768)
}

// counts is what the chip measures of a field: the compensation of the data
// sheet, solved for the counts. Beyond the range an axis has its lowest value.
func (t *trim) counts(field [3]float64, hall int) (x, y, z int) {
	curve, slope := t.curve(hall), t.slope(hall)
	flat := func(tesla float64, offset, gain int) int {
		return limited((float64(tesla*16e6)-float64(8*float64(offset)))*8192/(curve*float64(gain+160)), 4096)
	}
	up := float64((float64(field[2]*16e6*4*slope)+float64(t.z3*(hall-t.xyz1)))/131072) + float64(t.z4)
	return flat(field[0], t.x1, t.x2), flat(field[1], t.y1, t.y2), limited(up, 16384)
}

func limited(v float64, limit int) int {
	n := int(math.Round(v))
	if n <= -limit || n >= limit {
		return -limit
	}
	return n
}
