// SPDX-License-Identifier: Apache-2.0

package udp

import (
	"net/netip"
	"testing"

	"pgregory.net/rapid"
)

// IDAt is the inverse of Place, on every machine and in every domain, and returns -1 for other addresses.
func TestPlaceProperty(t *testing.T) {
	machine := netip.MustParseAddr("192.0.2.1")
	rapid.Check(t, func(t *rapid.T) {
		domain := rapid.Uint32Range(0, MaxDomainID).Draw(t, "domain")
		localhost := rapid.Bool().Draw(t, "localhost")
		id := rapid.IntRange(0, IDs(domain, localhost)-1).Draw(t, "id")
		at := Place(domain, localhost, machine, id)
		if got := IDAt(domain, at); got != id || localhost != at.Addr().IsLoopback() {
			t.Fatalf("id %d is at %v, where id %d is", id, at, got)
		}
	})
	for _, port := range []uint16{0, 7400, 7409, 7411, 7650, 65535} {
		if id := IDAt(0, netip.AddrPortFrom(machine, port)); id != -1 {
			t.Errorf("port %d has id %d", port, id)
		}
	}
}
