// SPDX-License-Identifier: Apache-2.0

//go:build system

package rtps_test

import (
	"math/rand/v2"
	"testing"
)

// TestLoopbackSockets: two participants in one process find each other without multicast and exchange small and large
// samples.
func TestLoopbackSockets(t *testing.T) {
	domain := uint32(100 + rand.IntN(100))
	a, b := overLoopback(t, domain), overLoopback(t, domain)
	w := writer(t, a, reliable, depth(10))
	_, in := reader(t, b, reliable)
	await(t, "match", func() bool { return w.Matched() == 1 })
	for i, size := range []int{20, 1344, 1345, 40_000, 921_600} {
		write(t, w, number(i, size))
		await(t, "sample", func() bool { return len(in.all()) == i+1 })
	}
	for i, s := range in.all() {
		if want := number(i, []int{20, 1344, 1345, 40_000, 921_600}[i]); string(s.Payload[:len(want)]) != string(want) {
			t.Errorf("sample %d of %d bytes differs", i, len(want))
		}
		if s.Writer != w.GUID() || s.SourceTime.IsZero() {
			t.Errorf("sample %d: writer %v, time %v", i, s.Writer, s.SourceTime)
		}
	}
}
