// SPDX-License-Identifier: Apache-2.0

package scale

// tap is the source of one destination sample: n source samples from start, the first and the last of them weighted by
// the covered part, those between by inner. Weights are integers.
type tap struct {
	start, n           int
	first, inner, last uint32 // last counts only if n > 1
}

// cover divides from source samples among to destination samples and returns the tap of each, and the sum of weights,
// which is the same for all.
func cover(from, to int) (taps []tap, weight uint32) {
	g := gcd(from, to)
	// In these units a source sample has length inner and a destination sample outer.
	inner, outer := uint32(to/g), uint32(from/g)
	taps = make([]tap, to)
	start, used := 0, uint32(0) // used is the part of source sample start that previous taps cover
	for i := range taps {
		t := tap{start: start, inner: inner}
		t.first = min(inner-used, outer)
		used += t.first
		t.n = 1
		for left := outer - t.first; left > 0; {
			start, used = start+1, min(inner, left)
			t.n, t.last = t.n+1, used
			left -= used
		}
		if used == inner {
			start, used = start+1, 0
		}
		taps[i] = t
	}
	return taps, outer
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
