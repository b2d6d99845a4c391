// SPDX-License-Identifier: Apache-2.0

package udp

import (
	"errors"
	"net"
	"net/netip"
	"slices"
	"testing"
)

func TestPorts(t *testing.T) {
	if a, b, c := MulticastPort(0), UnicastPort(0, 0, Metatraffic), UnicastPort(0, 3, UserTraffic); a != 7400 || b != 7410 || c != 7417 {
		t.Errorf("%d %d %d", a, b, c)
	}
	if n := maxParticipants(0); n != 120 {
		t.Errorf("%d participants in domain 0", n)
	}
	if n := maxParticipants(MaxDomainID); n != 63 || UnicastPort(MaxDomainID, n-1, UserTraffic) != 65535 {
		t.Errorf("%d participants in the last domain", n)
	}
}

func TestSelectInterfaces(t *testing.T) {
	up := net.FlagUp | net.FlagMulticast
	machine := []interfaceAddr{
		{iface{1, "lo", netip.MustParsePrefix("127.0.0.1/8")}, net.FlagUp | net.FlagLoopback},
		{iface{2, "docker0", netip.MustParsePrefix("172.17.0.1/16")}, up},
		{iface{3, "wlan0", netip.MustParsePrefix("192.168.1.7/24")}, up},
		{iface{4, "eth0", netip.MustParsePrefix("10.1.2.3/8")}, net.FlagMulticast},
		{iface{5, "ppp0", netip.MustParsePrefix("10.9.9.9/32")}, net.FlagUp},
	}
	for _, c := range []struct {
		machine []interfaceAddr
		wanted  []string
		want    []string
	}{
		{machine, nil, []string{"wlan0", "docker0"}},
		{machine[:1], nil, []string{"lo"}},
		{machine, []string{"lo"}, []string{"lo"}},
		{machine, []string{"192.168.1.7"}, []string{"wlan0"}},
		{machine, []string{"172.16.0.0/12", "ppp0"}, []string{"ppp0", "docker0"}},
		{machine, []string{"eth0"}, nil}, // down
		{nil, nil, nil},
	} {
		list, err := selectInterfaces(c.machine, c.wanted)
		var got []string
		for _, i := range list {
			got = append(got, i.name)
		}
		if !slices.Equal(got, c.want) || errors.Is(err, errNoInterface) != (c.want == nil) {
			t.Errorf("wanted %q: got %v, %v", c.wanted, got, err)
		}
	}
}

func TestFindInterface(t *testing.T) {
	list := []iface{{prefix: netip.MustParsePrefix("192.168.1.7/24")}, {prefix: netip.MustParsePrefix("10.0.0.1/31")}}
	for addr, want := range map[string]bool{
		"192.168.1.7": true, "192.168.1.254": true, "192.168.1.255": false, "192.168.2.1": false, "10.0.0.0": true, "10.0.0.1": true,
		"10.0.0.2": false, "239.255.0.1": false, "255.255.255.255": false, "0.0.0.0": false, "127.0.0.1": false, "fe80::1": false,
	} {
		if got := find(list, netip.MustParseAddr(addr)) >= 0; got != want {
			t.Errorf("%s: %v", addr, got)
		}
	}
}
