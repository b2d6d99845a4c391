// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
)

// overLoopback creates a participant with real sockets on 127.0.0.1, in a domain that is hardly used.
func overLoopback(t testing.TB, domain uint32, change ...func(*rtps.Config)) *rtps.Participant {
	t.Helper()
	local := func(c *rtps.Config) { c.DomainID, c.LocalhostOnly = domain, true }
	return start(t, udp.System{}, append(change, local)...)
}

// await waits for a condition in real time; the deadline only stops a test that would fail.
func await(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !ok(); runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatal("never: " + what)
		}
	}
}

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
