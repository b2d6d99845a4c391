// SPDX-License-Identifier: Apache-2.0

package jpeg

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// realDCT is T.81 A.3.3 in real numbers.
func realDCT(samples *[64]float64) (out [64]float64) {
	for v := range 8 {
		for u := range 8 {
			var sum float64
			for y := range 8 {
				for x := range 8 {
					sum += samples[8*y+x] * math.Cos(float64(2*x+1)*float64(u)*math.Pi/16) * math.Cos(float64(2*y+1)*float64(v)*math.Pi/16)
				}
			}
			if u == 0 {
				sum /= math.Sqrt2
			}
			if v == 0 {
				sum /= math.Sqrt2
			}
			out[8*v+u] = sum / 4
		}
	}
	return out
}

// TestDCTAgainstFormula: the integer DCT is within 0.35 of the real one for any block, less than half a step at quality
// 100.
func TestDCTAgainstFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		samples := rapid.SliceOfN(rapid.OneOf(rapid.Byte(), rapid.SampledFrom([]byte{0, 255})), 64, 64).Draw(t, "samples")
		var in, half, out [64]int32
		var real [64]float64
		for i, s := range samples {
			in[i], real[i] = int32(s)<<dctBits, float64(s)
		}
		forwardDCT(&out, &half, &in)
		for i, want := range realDCT(&real) {
			if got := float64(out[i]) / dctScale(i); math.Abs(got-want) > 0.35 {
				t.Fatalf("coefficient %d is %.3f, want %.3f", i, got, want)
			}
		}
	})
}

// products are what [transform] multiplies, in real numbers and before the shift; transformed as it does.
func products(src *[64]float64) (dst [64]float64, factors []float64) {
	for i := range 8 {
		s := src[i:]
		s0, s1, s2, s3 := s[0]+s[56], s[8]+s[48], s[16]+s[40], s[24]+s[32]
		s4, s5, s6, s7 := s[24]-s[32], s[16]-s[40], s[8]-s[48], s[0]-s[56]
		e0, e3, e1, e2 := s0+s3, s0-s3, s1+s2, s1-s2
		o0, o1, o2 := s4+s5, s5+s6, s6+s7
		z5 := (o0 - o2) * c382
		all := []float64{(e2 + e3) * c707, z5, o0 * c541, o0*c541 + z5, o2 * c1307, o2*c1307 + z5, o1 * c707}
		factors = append(factors, all...)
		const one = 1 << constBits
		turn, z2, z4, z3 := all[0]/one, all[3]/one, all[5]/one, all[6]/one
		d := dst[8*i:]
		d[0], d[4], d[2], d[6] = e0+e1, e0-e1, e3+turn, e3-turn
		d[5], d[3], d[1], d[7] = s7-z3+z2, s7-z3-z2, s7+z3+z4, s7+z3-z4
	}
	return dst, factors
}

// TestDCTCannotOverflow adds up, for each product of both passes, what the worst samples could contribute.
func TestDCTCannotOverflow(t *testing.T) {
	var plus, minus []float64
	for i := range 64 {
		var impulse [64]float64
		impulse[i] = 255 << dctBits
		half, first := products(&impulse)
		full, second := products(&half)
		for k, v := range append(append(first, second...), full[:]...) {
			if k >= len(plus) {
				plus, minus = append(plus, 0), append(minus, 0)
			}
			plus[k], minus[k] = plus[k]+max(v, 0), minus[k]+min(v, 0)
		}
	}
	for k := range plus {
		if plus[k] > math.MaxInt32-1<<16 || minus[k] < math.MinInt32+1<<16 {
			t.Errorf("product %d goes from %.4g to %.4g", k, minus[k], plus[k])
		}
	}
	for k := len(plus) - 64; k < len(plus); k++ {
		if at := k - len(plus) + 64; at > 0 && max(plus[k], -minus[k]) >= 1<<18 {
			t.Errorf("coefficient %d reaches %.4g: more than 18 bits", at, max(plus[k], -minus[k]))
		}
	}
}

func TestAANScales(t *testing.T) {
	for k, want := range []float64{1, 1.387039845, 1.306562965, 1.175875602, 1, 0.785694958, 0.541196100, 0.275899379} {
		if math.Abs(aan(k)-want) > 1e-8 {
			t.Errorf("aan(%d) = %v, want %v", k, aan(k), want)
		}
	}
}
