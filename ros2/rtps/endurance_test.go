// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// TestPartition: a network is partitioned for longer than the lease and rejoined, several times: afterwards every
// reader has the last state of a transient-local writer, and nothing arrived out of order (the last sample may be
// repeated after a new match).
func TestPartition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{Seed: 8, Loss: 0.02})
		a := start(t, n.Host(1))
		w := writer(t, a, reliable, transientLocal, depth(1))
		var boxes []*inbox
		for host := range 4 {
			_, in := reader(t, start(t, n.Host(byte(2+host))), reliable, transientLocal)
			boxes = append(boxes, in)
		}
		rng := rand.New(rand.NewPCG(8, 8))
		i := 0
		for range 20 {
			for host := range 5 {
				n.Cut(n.Host(byte(1+host)).Addr(), rng.IntN(2) == 0)
			}
			for range 5 {
				write(t, w, number(i, 50))
				i++
				time.Sleep(time.Duration(1+rng.IntN(15)) * time.Second)
			}
			for host := range 5 {
				n.Cut(n.Host(byte(1+host)).Addr(), false)
			}
			time.Sleep(20 * time.Second)
			for k, in := range boxes {
				got := in.numbers()
				if len(got) == 0 || got[len(got)-1] != i-1 {
					t.Fatalf("reader %d has not the last of %d samples: %v", k, i, got[max(0, len(got)-3):])
				}
			}
		}
		for k, in := range boxes {
			if got := in.numbers(); !slices.IsSorted(got) {
				t.Errorf("reader %d got %v", k, got)
			}
		}
	})
}
