// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"testing"

	"pgregory.net/rapid"
)

// TestDivisor: the reciprocal gives what division gives, for every sum that can occur.
func TestDivisor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		by := rapid.OneOf(rapid.Uint32Range(1, 1<<24), rapid.Uint32Range(1, 70), rapid.Uint32Range(1<<21-9, 1<<21+9)).Draw(t, "by")
		d := newDivisor(by)
		for _, sum := range []uint32{0, 1, by / 2, by - by/2, by, 255 * by, 255*by - 1, 254*by + (by-1)/2, 254*by + (by+1)/2,
			rapid.Uint32Range(0, 255*by).Draw(t, "sum")} {
			if sum > 255*by {
				continue
			}
			if want := byte((uint64(sum) + uint64(by/2)) / uint64(by)); d.mean(sum) != want {
				t.Fatalf("%d / %d = %d, want %d", sum, by, d.mean(sum), want)
			}
		}
	})
}

// TestDivisorEverySum tries every sum for the divisors of the usual ratios.
func TestDivisorEverySum(t *testing.T) {
	for _, by := range []uint32{1, 2, 3, 4, 5, 6, 9, 12, 16, 25, 48, 64, 100, 307} {
		d := newDivisor(by)
		for sum := range 255*by + 1 {
			if want := byte((sum + by/2) / by); d.mean(sum) != want {
				t.Fatalf("%d / %d = %d, want %d", sum, by, d.mean(sum), want)
			}
		}
	}
}
