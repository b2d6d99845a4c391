// SPDX-License-Identifier: Apache-2.0

package scale

import "math/bits"

// divisor divides weighted sums by the sum of weights, rounding to the nearest. The ARM1176 has no division
// instruction: it multiplies by the reciprocal, which is exact for sums up to 256 times the divisor if that is below
// 2²¹.
type divisor struct {
	by, half uint32
	mul      uint32 // ⌊2^(32+shift) / by⌋ + 1; 0: divide
	shift    uint
}

func newDivisor(by uint32) divisor {
	d := divisor{by: by, half: by / 2}
	if by >= 2 && by < 1<<21 {
		d.shift = uint(bits.Len32(by)) - 2
		d.mul = uint32(1<<(32+d.shift)/uint64(by)) + 1
	}
	return d
}

// mean returns sum / by, rounded.
func (d *divisor) mean(sum uint32) byte {
	sum += d.half
	if d.mul == 0 {
		return byte(sum / d.by)
	}
	high, _ := bits.Mul32(sum, d.mul)
	return byte(high >> d.shift)
}
