// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// TestSetPeers: without multicast two participants discover each other as soon as one gets the other's address, and not
// before. One with LocalhostOnly, or a closed one, ignores addresses.
func TestSetPeers(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*rtps.Config)
		close  bool
		want   int
	}{
		{"with the address", func(*rtps.Config) {}, false, 1},
		{"local only", func(c *rtps.Config) { c.LocalhostOnly = true }, false, 0},
		{"closed", func(*rtps.Config) {}, true, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := vnet.New(vnet.Config{})
				quiet := func(c *rtps.Config) { c.NoMulticast = true }
				a, b := start(t, n.Host(1), quiet, c.change), start(t, n.Host(2), quiet)
				w := writer(t, a)
				reader(t, b)
				time.Sleep(time.Minute)
				synctest.Wait()
				if got := w.Matched(); got != 0 {
					t.Fatalf("%d readers matched before", got)
				}
				if c.close {
					a.Close()
				}
				other := n.Host(2).Addr()
				a.SetPeers([]netip.Addr{other, netip.AddrFrom16(other.As16()), netip.IPv6Loopback()})
				time.Sleep(time.Second / 2) // before the next announcement is due
				synctest.Wait()
				if got := w.Matched(); got != c.want {
					t.Errorf("%d readers matched, want %d", got, c.want)
				}
			})
		})
	}
}
