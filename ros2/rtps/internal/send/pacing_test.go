// SPDX-License-Identifier: Apache-2.0

package send

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestBucket: at most burst + rate × time is sent, and waiting for the returned time suffices.
func TestBucket(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := NewBucket(1_000_000, 10_000)
		now := time.Unix(1000, 0)
		begin, sent := now, 0
		for range 200 {
			b.Refill(now)
			if b.Ready() {
				n := rapid.IntRange(1, 1500).Draw(t, "size")
				b.Spend(n)
				sent += n
			} else {
				now = now.Add(b.wait())
				if b.Refill(now); !b.Ready() {
					t.Fatal("not ready after the wait")
				}
			}
			if limit := 10_000 + 1500 + int(now.Sub(begin).Seconds()*1_000_000); sent > limit {
				t.Fatalf("%d bytes in %v", sent, now.Sub(begin))
			}
			now = now.Add(time.Duration(rapid.IntRange(0, 2000).Draw(t, "pause")) * time.Microsecond)
		}
	})
}
