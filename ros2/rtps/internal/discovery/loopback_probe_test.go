// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"net/netip"
	"slices"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
)

// TestMachineWithoutNetworkIsProbed: where the loopback interface is the only one, other implementations may not use
// multicast on it: its participant ids are probed, until a network is found, and no others.
func TestMachineWithoutNetworkIsProbed(t *testing.T) {
	lo := udp.Loopback()
	b := newBench(t)
	probes := func() []netip.AddrPort {
		b.sent = nil
		b.announceToAll(b.now)
		return b.sent
	}
	b.local = lo
	b.refreshAnnouncement()
	if got := probes(); len(got) != probedIDs-1 || !slices.Contains(got, netip.AddrPortFrom(lo, udp.UnicastPort(0, 1, udp.Metatraffic))) {
		t.Errorf("without a network: %d probes %v", len(got), got)
	}
	b.local = ourAddress
	b.refreshAnnouncement()
	if got := probes(); len(got) != 0 {
		t.Errorf("with a network: probes %v", got)
	}
}
