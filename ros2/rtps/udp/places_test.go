// SPDX-License-Identifier: Apache-2.0

//go:build linux

package udp

import (
	"errors"
	"net"
	"net/netip"
	"testing"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// TestAddressesWithoutID: local addresses that no participant in localhost mode uses have no id, and none causes a
// panic.
func TestAddressesWithoutID(t *testing.T) {
	for _, c := range []struct {
		at string
		id int
	}{
		{"127.0.0.1:7410", 0}, {"127.0.0.1:7412", 1}, {"127.0.0.1:7648", 119}, {"127.0.0.1:7650", -1}, {"127.0.0.2:7410", 120}, {"127.0.0.10:7648", 1199},
		{"127.0.0.11:7410", -1}, {"127.0.0.0:7410", -1}, {"127.0.0.255:7410", -1}, {"127.1.0.1:7410", -1}, {"[::1]:7410", -1},
		{"[::ffff:127.0.0.2]:7410", 120}, {"[fe80::1]:7410", 0}, {"192.0.2.0:7410", 0}, {"192.0.2.1:7411", -1}, {"0.0.0.0:0", -1},
	} {
		if id := IDAt(0, netip.MustParseAddrPort(c.at)); id != c.id {
			t.Errorf("%s: id %d, want %d", c.at, id, c.id)
		}
	}
	if id := IDAt(0, netip.AddrPort{}); id != -1 {
		t.Error(id)
	}
	rapid.Check(t, func(t *rapid.T) { // an address with an id is Place of that id
		a := [4]byte{127, 0, rapid.Byte().Draw(t, "third"), rapid.Byte().Draw(t, "fourth")}
		domain := rapid.Uint32Range(0, MaxDomainID).Draw(t, "domain")
		at := netip.AddrPortFrom(netip.AddrFrom4(a), rapid.Uint16().Draw(t, "port"))
		if id := IDAt(domain, at); id != -1 && Place(domain, true, netip.Addr{}, id) != at {
			t.Fatalf("%v has id %d, which is at %v", at, id, Place(domain, true, netip.Addr{}, id))
		}
	})
}

// TestPortsMatchStandard checks the examples of DDSI-RTPS 9.6.1 with the default numbers, and the ends of the port
// range.
func TestPortsMatchStandard(t *testing.T) {
	for _, c := range []struct {
		got  uint16
		want uint16
	}{
		{MulticastPort(0), 7400}, {MulticastPort(1), 7650}, {MulticastPort(MaxDomainID), 65400}, {UnicastPort(0, 0, Metatraffic), 7410},
		{UnicastPort(0, 0, UserTraffic), 7411}, {UnicastPort(0, 119, UserTraffic), 7649}, {UnicastPort(42, 3, Metatraffic), 17916},
	} {
		if c.got != c.want {
			t.Errorf("port %d, want %d", c.got, c.want)
		}
	}
	for domain := range uint32(MaxDomainID + 1) {
		last := uint32(portBase) + domainGain*domain + offsetUserUni + participantGain*uint32(maxParticipants(domain)-1)
		if n := maxParticipants(domain); n < 1 || n > 120 || last > 65535 || n < 120 && last+participantGain <= 65535 {
			t.Errorf("domain %d: %d participants up to port %d", domain, n, last)
		}
	}
	if Loopback() != netip.MustParseAddr("127.0.0.1") || MulticastGroup() != netip.MustParseAddr("239.255.0.1") {
		t.Error(Loopback(), MulticastGroup())
	}
}

// TestFindAgainstPackageNet compares find with package net for random subnets and addresses: a host address on the
// subnet, not the broadcast address, the first subnet first.
func TestFindAgainstPackageNet(t *testing.T) {
	address := rapid.Custom(func(t *rapid.T) [4]byte { // close together, so that they coincide
		return [4]byte{10, rapid.ByteRange(0, 1).Draw(t, "second"), rapid.ByteRange(254, 255).Draw(t, "third"), rapid.Byte().Draw(t, "fourth")}
	})
	rapid.Check(t, func(t *rapid.T) {
		var list []iface
		for range rapid.IntRange(0, 3).Draw(t, "interfaces") {
			list = append(list, iface{prefix: netip.PrefixFrom(netip.AddrFrom4(address.Draw(t, "interface")), rapid.IntRange(8, 32).Draw(t, "bits"))})
		}
		addr, want := address.Draw(t, "address"), -1
		for i := len(list) - 1; i >= 0; i-- {
			_, subnet, err := net.ParseCIDR(list[i].prefix.String())
			if err != nil {
				t.Fatal(err)
			}
			ones, _ := subnet.Mask.Size()
			last := true // of the subnet
			for b := range 4 {
				last = last && addr[b]|subnet.Mask[b] == 0xff
			}
			if subnet.Contains(net.IP(addr[:])) && (!last || ones >= 31) {
				want = i
			}
		}
		if got := find(list, netip.AddrFrom4(addr)); got != want {
			t.Fatalf("%v is on interface %d of %v, want %d", addr, got, list, want)
		}
	})
	all := []iface{{prefix: netip.MustParsePrefix("0.0.0.0/0")}}
	for _, none := range []string{"0.0.0.0", "224.0.0.1", "239.255.0.1", "255.255.255.255", "::1", "::ffff:10.0.0.1"} {
		if got := find(all, netip.MustParseAddr(none)); got != -1 {
			t.Errorf("%s is on interface %d", none, got)
		}
	}
}

// TestErrorsOfSending: only a full buffer is ErrBusy, five errors mean that segmentation is not supported, and no error
// is lost.
func TestErrorsOfSending(t *testing.T) {
	for err, busy := range map[unix.Errno]bool{unix.EAGAIN: true, unix.ENOBUFS: true, unix.EPERM: false, unix.ENETUNREACH: false, unix.EMSGSIZE: false} {
		if got := sendError(err); errors.Is(got, ErrBusy) != busy || !busy && !errors.Is(got, err) {
			t.Errorf("%v became %v", err, got)
		}
	}
	for err, cannot := range map[unix.Errno]bool{
		unix.EINVAL: true, unix.ENOPROTOOPT: true, unix.EIO: true, unix.EOPNOTSUPP: true, unix.EMSGSIZE: true, 0: false, unix.EAGAIN: false,
		unix.ENOBUFS: false, unix.EPERM: false, unix.ENETUNREACH: false, unix.EHOSTUNREACH: false,
	} {
		if cannotSegment(err) != cannot {
			t.Errorf("%v", err)
		}
	}
}

// TestSegmentsAgainstModel: every datagram of a message except the last is as long as the first, all have one
// destination, and one more would break a rule.
func TestSegmentsAgainstModel(t *testing.T) {
	places := []netip.AddrPort{netip.MustParseAddrPort("10.0.0.1:7410"), netip.MustParseAddrPort("10.0.0.1:7411")}
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Datagram {
			size := rapid.SampledFrom([]int{0, 1, 500, 500, 500, 1400, 30000}).Draw(t, "size")
			return Datagram{make([]byte, size), places[max(0, rapid.IntRange(-3, 1).Draw(t, "place"))]}
		}), 1, 80).Draw(t, "list")
		fits := func(n int) bool {
			total := 0
			for i, d := range list[:n] {
				total += len(d.Data)
				switch {
				case d.To != list[0].To, i > 0 && len(d.Data) == 0, len(d.Data) > len(list[0].Data):
					return false
				case i < n-1 && i > 0 && len(d.Data) < len(list[0].Data):
					return false
				}
			}
			return n == 1 || n <= maxSegments && total <= maxTrain
		}
		n := gsoSegments(list)
		if n < 1 || n > len(list) || !fits(n) || n < len(list) && fits(n+1) {
			t.Fatalf("a train of %d", n)
		}
	})
}
