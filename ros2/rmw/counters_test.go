// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// read returns the counters by name.
func read(t *Transport) map[string]ros2.Counter {
	all := map[string]ros2.Counter{}
	for _, c := range t.Counters(nil) {
		all[c.Name] = c
	}
	return all
}

// Sent data, and dropped data of an attacker, are counted under the right names and kinds.
func TestCounters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := vnet.New(vnet.Config{Seed: 1})
		a, b := open(t, net.Host(1)), open(t, net.Host(2))
		pub := publish(t, newNode(t, a, "a", nil), "/x", ros2.DefaultQoS())
		subscribe(t, newNode(t, b, "b", nil), "/x", ros2.DefaultQoS())
		settle()
		say(t, pub, "1", "2", "3")
		settle()
		to := netip.AddrPortFrom(net.Host(1).Addr(), udp.UnicastPort(0, 0, udp.UserTraffic))
		for range 5 {
			net.Inject(netip.MustParseAddrPort("10.0.0.66:7411"), to, []byte("RTPS but nothing that makes sense"))
		}
		net.Inject(netip.MustParseAddrPort("10.0.0.66:7411"), to, []byte{1})
		settle()
		got := read(a)
		for name, want := range map[string]ros2.Counter{
			"dropped: malformed": {Kind: ros2.CountRefused, Value: 5},
			"dropped: short":     {Kind: ros2.CountDropped, Value: 1},
			"participants":       {Kind: ros2.CountDone, Value: 1},
		} {
			if c := got[name]; c.Kind != want.Kind || c.Value != want.Value {
				t.Errorf("%s: %+v, want %+v", name, c, want)
			}
		}
		s := a.Participant().Stats()
		if got["datagrams sent"].Value != s.DatagramsSent || s.DatagramsSent == 0 || got["bytes sent"].Value != s.BytesSent {
			t.Errorf("%+v, %+v", got["datagrams sent"], s)
		}
	})
}

// Every reason to drop has its own counter with a row in the table, and reading them does not allocate.
func TestCountersAreComplete(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := open(t, vnet.New(vnet.Config{}).Host(1))
		list := a.Counters(nil)
		var none rtps.Drops
		described := map[string]bool{}
		for _, c := range Counters() {
			described[c.Name] = c.Meaning != ""
		}
		names := map[string]bool{}
		for _, c := range list {
			names[c.Name] = true
			if !described[c.Name] {
				t.Errorf("%s is not described", c.Name)
			}
		}
		for reason := range none.All() {
			if !names["dropped: "+strings.ReplaceAll(reason.String(), "_", " ")] {
				t.Errorf("no counter for %v", reason)
			}
		}
		if len(names) != len(list) || len(described) != len(list) {
			t.Errorf("%d counters, %d names, %d descriptions", len(list), len(names), len(described))
		}
		again := a.Counters(list[:0])
		if !slices.EqualFunc(list, again, func(x, y ros2.Counter) bool { return x.Name == y.Name && x.Kind == y.Kind }) {
			t.Error("the order changes")
		}
		if n := testing.AllocsPerRun(20, func() { list = a.Counters(list[:0]) }); n != 0 {
			t.Errorf("%g allocations", n)
		}
	})
}
