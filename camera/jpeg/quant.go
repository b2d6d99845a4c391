// SPDX-License-Identifier: Apache-2.0

package jpeg

import "math"

// lumaQuant and chromaQuant are the quantisation tables K.1 and K.2 of T.81 (quality 50), row-major.
var (
	lumaQuant = [64]byte{
		16, 11, 10, 16, 24, 40, 51, 61,
		12, 12, 14, 19, 26, 58, 60, 55,
		14, 13, 16, 24, 40, 57, 69, 56,
		14, 17, 22, 29, 51, 87, 80, 62,
		18, 22, 37, 56, 68, 109, 103, 77,
		24, 35, 55, 64, 81, 104, 113, 92,
		49, 64, 78, 87, 103, 121, 120, 101,
		72, 92, 95, 98, 112, 100, 103, 99,
	}
	chromaQuant = [64]byte{
		17, 18, 24, 47, 99, 99, 99, 99,
		18, 21, 26, 66, 99, 99, 99, 99,
		24, 26, 56, 99, 99, 99, 99, 99,
		47, 66, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99,
	}
)

// zigzag lists the positions in a block (row·8 + column) in the order of T.81 figure A.6.
var zigzag = [64]uint8{
	0, 1, 8, 16, 9, 2, 3, 10,
	17, 24, 32, 25, 18, 11, 4, 5,
	12, 19, 26, 33, 40, 48, 41, 34,
	27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36,
	29, 22, 15, 23, 30, 37, 44, 51,
	58, 59, 52, 45, 38, 31, 39, 46,
	53, 60, 61, 54, 47, 55, 62, 63,
}

// unzigzag is the inverse of zigzag.
var unzigzag = [64]uint8{
	0, 1, 5, 6, 14, 15, 27, 28,
	2, 4, 7, 13, 16, 26, 29, 42,
	3, 8, 12, 17, 25, 30, 41, 43,
	9, 11, 18, 24, 31, 40, 44, 53,
	10, 19, 23, 32, 39, 45, 52, 54,
	20, 22, 33, 38, 46, 51, 55, 60,
	21, 34, 37, 47, 50, 56, 59, 61,
	35, 36, 48, 49, 57, 58, 62, 63,
}

// scaleQuant scales a table as libjpeg does: in per cent, 5000/quality below 50, else 200 − 2·quality.
func scaleQuant(base *[64]byte, quality int) (scaled [64]byte) {
	percent := 200 - 2*quality
	if quality < 50 {
		percent = 5000 / quality
	}
	for i, b := range base {
		scaled[i] = byte(min(255, max(1, (int(b)*percent+50)/100)))
	}
	return scaled
}

// steps quantise a block of the DCT's coefficients: coefficient · mul / 2^shift, rounded.
type steps struct {
	offset int32 // level shift of the DC coefficient: the middle of the range
	// of the DC coefficient after that: values below black and above white (limited range) are clipped to it
	limit int32
	zero  [64]uint32 // the largest magnitudes that become 0, row-major
	step  [64]step   // in zigzag order
}

// step is one coefficient's quantisation.
type step struct {
	mul   uint32 // 14 significant bits: a product with an 18-bit coefficient fits 32 bits
	shift uint32
}

const mulBits = 14

// newSteps combines in one factor for each coefficient the quantisation table, the DCT's scale and, for limited range,
// the expansion of luma by 255/219 and chroma by 255/224.
func newSteps(quant *[64]byte, chroma, limited bool) (t steps) {
	stretch, middle := 1.0, 128.0
	switch {
	case limited && chroma:
		stretch = 255.0 / 224
	case limited:
		stretch = 255.0 / 219
		middle = 16 + 128/stretch // this luma becomes 128
	}
	t.offset = int32(math.Round(middle * 64 * dctOne))
	t.limit = int32(128 * 64 * dctOne / stretch)
	for k := range t.step {
		at := zigzag[k]
		factor := stretch / (float64(quant[at]) * dctScale(int(at)))
		_, exponent := math.Frexp(factor)
		shift := mulBits - exponent
		mul := uint32(math.Round(math.Ldexp(factor, shift)))
		t.step[k] = step{mul, uint32(shift)}
		t.zero[at] = (1<<(shift-1) - 1) / mul // below half a step
	}
	return t
}

// quantised returns the coefficient's magnitude in steps.
func (s *step) quantised(magnitude uint32) uint32 {
	return (magnitude*s.mul>>((s.shift-1)&31) + 1) >> 1
}
