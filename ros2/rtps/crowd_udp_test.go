// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package rtps_test

import (
	"errors"
	"math/rand/v2"
	"net"
	"net/netip"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
)

// occupy binds the ports of all participant ids of a domain on 127.0.0.1.
func occupy(t *testing.T, domain uint32) {
	t.Helper()
	for id := range 120 {
		for _, traffic := range []udp.Traffic{udp.Metatraffic, udp.UserTraffic} {
			at := netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), udp.UnicastPort(domain, id, traffic))
			conn, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(at))
			if errors.Is(err, unix.EADDRINUSE) {
				continue // bound by another program
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { conn.Close() })
		}
	}
}

// TestManyParticipantsOnLocalhost: without multicast, more participants than are probed at first discover each other,
// on real sockets.
func TestManyParticipantsOnLocalhost(t *testing.T) {
	const n = 40
	domain := uint32(100 + rand.IntN(100))
	var all []*rtps.Participant
	for range n {
		all = append(all, overLoopback(t, domain))
	}
	for _, p := range all {
		await(t, "all", func() bool { return len(p.Participants()) == n-1 })
	}
}

// TestMoreParticipantsThanPorts: if the ports of all participant ids are in use, two more participants still discover
// each other on localhost.
func TestMoreParticipantsThanPorts(t *testing.T) {
	domain := uint32(100 + rand.IntN(100))
	occupy(t, domain)
	a, b := overLoopback(t, domain), overLoopback(t, domain)
	w := writer(t, a, reliable)
	_, in := reader(t, b, reliable)
	await(t, "match", func() bool { return w.Matched() == 1 })
	write(t, w, number(7, 5000))
	await(t, "sample", func() bool { return len(in.all()) == 1 })
}

// TestOtherPortsAreUsedAndAnnounced: on a network, a participant that finds no free port of an id uses other ports, and
// announces those.
func TestOtherPortsAreUsedAndAnnounced(t *testing.T) {
	domain := uint32(100 + rand.IntN(100))
	occupy(t, domain)
	s, err := udp.System{}.Listen(udp.Config{DomainID: domain, Interfaces: []string{"lo"}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	meta, user := s.Locators(udp.Metatraffic)[0].Port(), s.Locators(udp.UserTraffic)[0].Port()
	first, last := udp.UnicastPort(domain, 0, udp.Metatraffic), udp.UnicastPort(domain, 119, udp.UserTraffic)
	for _, port := range []uint16{meta, user} {
		if port == 0 || port >= first && port <= last {
			t.Errorf("port %d", port)
		}
	}
	if s.ParticipantID() != -1 || meta == user {
		t.Errorf("id %d, ports %d and %d", s.ParticipantID(), meta, user)
	}
}
