// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package udp

import (
	"net/netip"
	"testing"

	"golang.org/x/sys/unix"
)

// TestLocalhostSocketsAreLoopbackOnly: with LocalhostOnly every socket is bound to a loopback address, to which the
// kernel delivers nothing from another machine, all announced locators are loopback, and sending to another machine is
// an error.
func TestLocalhostSocketsAreLoopbackOnly(t *testing.T) {
	opened, err := System{}.Listen(Config{DomainID: 229, LocalhostOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	for _, traffic := range []Traffic{Metatraffic, UserTraffic} {
		locators := opened.Locators(traffic)
		if len(locators) == 0 {
			t.Error("no locators")
		}
		for _, l := range locators {
			if !l.Addr().IsLoopback() {
				t.Errorf("locator %v", l)
			}
		}
		for _, other := range []string{"192.0.2.1:7410", "8.8.8.8:7410"} {
			if err := opened.Send([]byte("RTPS"), netip.MustParseAddrPort(other), traffic); err == nil {
				t.Errorf("a datagram to %s was sent", other)
			}
		}
	}
	bound := 0
	for fd := range 1 << 10 {
		sa, err := unix.Getsockname(fd)
		in, ok := sa.(*unix.SockaddrInet4)
		if err != nil || !ok || in.Port < int(UnicastPort(229, 0, Metatraffic)) || in.Port > int(UnicastPort(229, 119, UserTraffic)) {
			continue
		}
		if bound++; !netip.AddrFrom4(in.Addr).IsLoopback() {
			t.Errorf("a socket is bound to %v", in.Addr)
		}
	}
	if bound < 2 {
		t.Errorf("%d sockets found, at least 2", bound)
	}
}
