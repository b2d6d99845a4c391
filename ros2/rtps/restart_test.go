// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestRestartedReaderGetsSamplesInFlight: a volatile reader of Cyclone DDS that loses its state of the writer while a
// large sample is being sent to it gets that sample and those after it, although it starts after the last sample that
// the first HEARTBEAT announces.
func TestRestartedReaderGetsSamplesInFlight(t *testing.T) {
	const fragments = 3000
	for name, history := range map[string]option{"keep last": depth(20), "keep all": keepAll} {
		for _, before := range []int{0, 3} { // samples acknowledged before
			t.Run(fmt.Sprintf("%s, %d acknowledged", name, before), func(t *testing.T) {
				withScripted(t, wire.VendorCyclone, func(s *scripted) {
					w := writer(t, s.p, reliable, history)
					sizes := append(make([]wire.FragmentNumber, before), fragments, 0, 0)
					r := newCycloneReader(s, w, 1, lossyLink{}, sizes)
					send := func(i int) {
						r.locked(func() { r.written++ })
						write(t, w, number(i, max(int(sizes[i])*1344, 100)))
					}
					for i := range before {
						send(i)
					}
					time.Sleep(2 * time.Second)
					send(before)
					send(before + 1)
					time.Sleep(time.Millisecond)
					r.forget()
					time.Sleep(20 * time.Millisecond)
					n := 0
					r.locked(func() { n = r.fragmentsSent })
					if n == 0 || n > fragments*9/10 {
						s.t.Fatalf("not in the middle of the large sample: %d fragments sent", n)
					}
					send(before + 2)
					for range 5 {
						time.Sleep(time.Second)
						s.announce()
					}
					r.locked(func() {
						want := make([]wire.SequenceNumber, len(sizes))
						for i := range want {
							want[i] = wire.SequenceNumber(i + 1)
						}
						if !slices.Equal(r.delivered, want) || r.acked != want[len(want)-1] {
							t.Errorf("delivered %v, skipped %v, acknowledged up to %d of %d", r.delivered, r.skipped, r.acked, len(want))
						}
					})
				})
			})
		}
	}
}
