// SPDX-License-Identifier: Apache-2.0

package memory_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/memory"
)

// TestBudgetAgainstModel: whatever peers reserve and release, neither a share nor the sum exceeds its limit, and a
// failed reservation changes nothing.
func TestBudgetAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := &memory.Budget{Limit: rapid.IntRange(0, 100).Draw(t, "limit")}
		shares := make([]memory.Share, 3)
		for i := range shares {
			shares[i] = memory.Share{Total: total, Limit: rapid.IntRange(0, 60).Draw(t, "share")}
		}
		held := make([]int, len(shares))
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			i, n := rapid.IntRange(0, 2).Draw(t, "peer"), rapid.IntRange(0, 50).Draw(t, "bytes")
			if rapid.Bool().Draw(t, "release") {
				n = min(n, held[i])
				shares[i].Release(n)
				held[i] -= n
			} else {
				fits := held[i]+n <= shares[i].Limit && held[0]+held[1]+held[2]+n <= total.Limit
				if shares[i].Reserve(n) != fits {
					t.Fatalf("peer %d has %v of %d: %d bytes fit: %v", i, held, total.Limit, n, fits)
				}
				if fits {
					held[i] += n
				}
			}
			if shares[i].Used != held[i] || total.Used != held[0]+held[1]+held[2] {
				t.Fatalf("%d and %d used, held %v", shares[i].Used, total.Used, held)
			}
		}
	})
}

// TestReclaim: memory is reclaimed for a share within its limit, and not above it.
func TestReclaim(t *testing.T) {
	total := &memory.Budget{Limit: 100}
	rich, poor := &memory.Share{Total: total, Limit: 100}, &memory.Share{Total: total, Limit: 30}
	asked := 0
	total.Reclaim = func(n int, by *memory.Share) {
		asked++
		if by == poor && n <= 20 {
			rich.Release(n)
		}
	}
	switch {
	case !rich.Reserve(95):
		t.Error("95 of 100 bytes refused")
	case poor.Reserve(31) || asked != 0:
		t.Errorf("more than the share taken, or others asked for it: %d", asked)
	case !poor.Reserve(20) || asked != 1:
		t.Errorf("what others could give was refused; asked %d times", asked)
	case rich.Used != 75 || poor.Used != 20 || total.Used != 95:
		t.Errorf("%d and %d, %d in all", rich.Used, poor.Used, total.Used)
	case rich.Reserve(6) || rich.Used != 75 || asked != 2:
		t.Errorf("what could not be reclaimed was taken: %d", rich.Used)
	}
}
