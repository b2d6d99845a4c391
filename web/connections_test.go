// SPDX-License-Identifier: Apache-2.0

package web

import (
	"net/netip"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestClientAddressCountsAnIPv6PrefixAsOne(t *testing.T) {
	for a, want := range map[string]string{
		"192.0.2.1": "192.0.2.1", "::ffff:192.0.2.1": "192.0.2.1", "2001:db8::1": "2001:db8::", "2001:db8::ffff:2": "2001:db8::",
		"2001:db8:0:1::1": "2001:db8:0:1::", "fe80::1%eth0": "fe80::", "::1": "::",
	} {
		if got := clientAddress(netip.MustParseAddr(a)); got != netip.MustParseAddr(want) {
			t.Errorf("%s counts as %v, want %s", a, got, want)
		}
	}
}

// TestConnectionPoolIsFair checks for any sequence of events that the limits hold, that no authorised connection is
// displaced, and that one with a request survives while an address has idle or half-open ones, and more of them.
func TestConnectionPoolIsFair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p connectionPool
		now := time.Unix(0, 0)
		addresses := rapid.IntRange(1, 5).Draw(t, "addresses")
		for range 300 {
			switch k := rapid.IntRange(0, 9).Draw(t, "event"); {
			case k < 7 || len(p.open) == 0:
				c := &patientConn{address: netip.AddrFrom4([4]byte{127, 0, 0, byte(rapid.IntRange(1, addresses).Draw(t, "address"))})}
				before := map[netip.Addr]int{}
				for _, o := range p.open {
					if o.usage != authorised {
						before[o.address]++
					}
				}
				victim, wait, ok := p.admit(c, now)
				if wait > 0 {
					now = now.Add(wait)
					victim, wait, ok = p.admit(c, now)
				}
				if wait > 0 || !ok && before[c.address] > 0 {
					t.Fatalf("not admitted: wait %v, ok %v", wait, ok)
				}
				if victim != nil && (victim.usage == authorised || before[victim.address] < before[c.address] || now.Sub(victim.since) < graceTime) {
					t.Fatalf("%+v made way for a connection of %v (%v)", victim, c.address, before)
				}
			case k == 7:
				p.remove(rapid.SampledFrom(p.open).Draw(t, "closed"))
			default:
				p.use(rapid.SampledFrom(p.open).Draw(t, "used"), usage(rapid.IntRange(0, 2).Draw(t, "usage")))
			}
			now = now.Add(time.Duration(rapid.IntRange(0, 50).Draw(t, "ms")) * time.Millisecond)
			count := map[netip.Addr]int{}
			for _, c := range p.open {
				if count[c.address]++; count[c.address] > maxPerAddress {
					t.Fatalf("%d connections of %v", count[c.address], c.address)
				}
			}
			if p.size() > maxConnections {
				t.Fatalf("%d connections", p.size())
			}
		}
	})
}

// TestAuthorisedConnectionsAreNotDisplaced: where one address has nothing but those, its next connection is refused.
func TestAuthorisedConnectionsAreNotDisplaced(t *testing.T) {
	var p connectionPool
	now := time.Unix(0, 0)
	one, other := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
	for range maxPerAddress {
		c := &patientConn{address: one}
		if _, _, ok := p.admit(c, now); !ok {
			t.Fatal("refused")
		}
		p.use(c, authorised)
	}
	now = now.Add(time.Hour)
	if victim, wait, ok := p.admit(&patientConn{address: one}, now); ok {
		t.Errorf("admitted: %v, %v", victim, wait)
	}
	if victim, _, ok := p.admit(&patientConn{address: other}, now); !ok || victim != nil {
		t.Error("another address is refused")
	}
}
