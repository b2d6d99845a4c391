// SPDX-License-Identifier: Apache-2.0

package udp

import (
	"errors"
	"net/netip"
	"testing"
)

// TestPortsAreExclusiveUnlessShared: no other socket takes the port of a participant; all share that of discovery.
func TestPortsAreExclusiveUnlessShared(t *testing.T) {
	for _, shared := range []bool{false, true} {
		first, err := open(netip.AddrPortFrom(loopback(0), 0), shared)
		if err != nil {
			t.Fatal(err)
		}
		second, err := open(first.local, shared)
		if shared != (err == nil) || !shared && !errors.Is(err, errAddressInUse) {
			t.Errorf("shared %v: %v", shared, err)
		}
		for _, s := range []*socket{first, second} {
			if s == nil {
				continue
			}
			if err := errors.Join(s.close(), s.close()); err != nil {
				t.Error(err)
			}
			if err := s.send([]byte("late"), first.local); err == nil {
				t.Error("a closed socket sends")
			}
		}
	}
}
