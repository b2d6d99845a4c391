// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestMoved: a machine moved when it has an address that it had not announced, and an announced one is gone, even if
// some time ago.
func TestMoved(t *testing.T) {
	const lo, a, b, c = "127.0.0.1", "10.0.0.1", "10.0.0.2", "172.17.0.1"
	for name, steps := range map[string][]struct {
		addresses []string
		moved     string
	}{
		"one by one":                  {{[]string{a}, "[]"}, {[]string{b}, "[10.0.0.2]"}, {[]string{a}, "[10.0.0.1]"}},
		"with a pause":                {{[]string{a}, "[]"}, {[]string{lo}, "[]"}, {[]string{b}, "[10.0.0.2]"}},
		"back again":                  {{[]string{a}, "[]"}, {[]string{lo}, "[]"}, {[]string{a}, "[]"}, {[]string{a}, "[]"}},
		"another interface":           {{[]string{a}, "[]"}, {[]string{a, c}, "[]"}, {[]string{a}, "[]"}, {[]string{a, c}, "[]"}},
		"one of two":                  {{[]string{a, c}, "[]"}, {[]string{b, c}, "[10.0.0.2]"}},
		"none at first":               {{[]string{lo}, "[]"}, {[]string{a}, "[]"}},
		"after an interface vanished": {{[]string{a, c}, "[]"}, {[]string{a}, "[]"}, {[]string{b}, "[10.0.0.2]"}},
	} {
		s := announcer{}
		for i, step := range steps {
			var locators []netip.AddrPort
			for _, x := range step.addresses {
				locators = append(locators, netip.AddrPortFrom(netip.MustParseAddr(x), 7410))
			}
			if got := fmt.Sprint(s.noteAddresses(locators)); got != step.moved {
				t.Errorf("%s, step %d: %v, want %v", name, i, got, step.moved)
			}
		}
	}
}

// TestRetractionIsRepeatedBeforeTheAnnouncement: after a move, three disposals with one number are sent 100 ms apart,
// then the new announcement with the next number: a peer that misses some of them, or gets one late, still drops the
// old address.
func TestRetractionIsRepeatedBeforeTheAnnouncement(t *testing.T) {
	b := newBench(t)
	b.announces(1, number(1))
	b.pass(time.Second)
	b.local, b.moved = at(77).Addr(), true
	type sending struct {
		at       time.Duration // since the first
		disposal bool
		sn       wire.SequenceNumber
	}
	var seen []sending
	var first time.Time
	for groups := b.groups; len(seen) < 5; {
		b.pass(10 * time.Millisecond)
		b.moved = b.moved && b.groups == groups
		if b.groups == groups {
			continue
		}
		groups = b.groups
		disposal := b.last.kind == wire.PayloadKey
		if first.IsZero() {
			if !disposal {
				continue // not noticed yet
			}
			first = b.now
		}
		seen = append(seen, sending{b.now.Sub(first), disposal, b.last.sn})
	}
	n := seen[0].sn
	if want := []sending{
		{0, true, n}, {100 * time.Millisecond, true, n}, {200 * time.Millisecond, true, n},
		{300 * time.Millisecond, false, n + 1}, {400 * time.Millisecond, false, n + 1},
	}; !slices.Equal(seen, want) {
		t.Errorf("got %v, want %v", seen, want)
	}
}

// TestLoopbackAddressIsNotAnnouncedToOthers: a machine that lost its address announces nothing to other machines, which
// would send to the loopback address.
func TestLoopbackAddressIsNotAnnouncedToOthers(t *testing.T) {
	b := newBench(t)
	b.announces(1, number(1))
	b.pass(time.Second)
	b.local, b.moved = netip.MustParseAddr("127.0.0.1"), true
	b.pass(4 * time.Second)
	b.moved = false
	b.sent = nil
	b.announces(1, number(1))
	b.announces(2, number(2))
	b.pass(10 * time.Second)
	for _, to := range b.sent {
		if !to.Addr().IsLoopback() {
			t.Errorf("announced to %v", to)
		}
	}
}
