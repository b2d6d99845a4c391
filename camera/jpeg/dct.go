// SPDX-License-Identifier: Apache-2.0

package jpeg

import "math"

// The DCT is that of Arai, Agui and Nakajima ("A fast DCT-SQ scheme for images", Trans. IEICE E-71, 1988): five
// multiplications for eight samples, where coefficient (v, u) is 8·aan(v)·aan(u) times too large; the quantisation
// divides by that, too. Samples have dctBits fractional bits and constants constBits; a test shows that no input makes
// a product overflow 32 bits.
const (
	dctBits   = 4
	dctOne    = 1 << dctBits
	constBits = 14

	c382  = 6270  // cos(3π/8)
	c541  = 8867  // cos(π/8) − cos(3π/8)
	c707  = 11585 // cos(π/4)
	c1307 = 21407 // cos(π/8) + cos(3π/8)
)

// dctScale returns the factor of coefficient (row·8 + column) relative to the DCT of T.81 A.3.3.
func dctScale(at int) float64 { return 8 * dctOne * aan(at/8) * aan(at%8) }

func aan(k int) float64 {
	if k == 0 {
		return 1
	}
	return math.Sqrt2 * math.Cos(float64(k)*math.Pi/16)
}

// forwardDCT transforms 64 samples of a [tile]: 0 to 255 with dctBits fractional bits, without the level shift (applied
// to the DC coefficient). half is memory for the first pass.
func forwardDCT(block, half, samples *[64]int32) {
	transform(half, samples)
	transform(block, half)
}

// transform applies the one-dimensional DCT to each column of src and stores it as a row of dst, so two passes
// transform rows and columns and keep the orientation.
func transform(dst, src *[64]int32) {
	for i := range 8 {
		s := (*[57]int32)(src[i : i+57])
		s0, s7 := s[0]+s[56], s[0]-s[56]
		s1, s6 := s[8]+s[48], s[8]-s[48]
		s2, s5 := s[16]+s[40], s[16]-s[40]
		s3, s4 := s[24]+s[32], s[24]-s[32]
		d := (*[8]int32)(dst[8*i : 8*i+8])

		e0, e3 := s0+s3, s0-s3
		e1, e2 := s1+s2, s1-s2
		d[0], d[4] = e0+e1, e0-e1
		turn := (e2 + e3) * c707 >> constBits
		d[2], d[6] = e3+turn, e3-turn

		o0, o1, o2 := s4+s5, s5+s6, s6+s7
		z5 := (o0 - o2) * c382
		z2 := (o0*c541 + z5) >> constBits
		z4 := (o2*c1307 + z5) >> constBits
		z3 := o1 * c707 >> constBits
		z11, z13 := s7+z3, s7-z3
		d[5], d[3] = z13+z2, z13-z2
		d[1], d[7] = z11+z4, z11-z4
	}
}
