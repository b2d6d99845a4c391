// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// count returns 0 … n-1.
func count(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// TestReliableDeliveryOnBadNetworks: every sample arrives once and in order, despite loss, duplication and reordering.
func TestReliableDeliveryOnBadNetworks(t *testing.T) {
	for i, loss := range []float64{0, 0.01, 0.1, 0.3} {
		for _, size := range []int{20, 1300, 5000} {
			t.Run(fmt.Sprintf("loss %g size %d", loss, size), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					seed := uint64(1000*i + size)
					_, a, b := pair(t, vnet.Config{Seed: seed, Loss: loss, Duplicate: loss, Reorder: loss})
					w := writer(t, a, reliable, keepAll)
					_, in := reader(t, b, reliable, keepAll)
					eventually(t, 20*time.Second, "match", func() bool { return w.Matched() == 1 })
					const n = 300
					for i := range n {
						write(t, w, number(i, size))
						time.Sleep(2 * time.Millisecond)
					}
					eventually(t, 60*time.Second, "all samples", func() bool { return len(in.all()) >= n })
					if got := in.numbers(); !slices.Equal(got, count(n)) {
						t.Errorf("seed %d: %v", seed, got)
					}
				})
			})
		}
	}
}
