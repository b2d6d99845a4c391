// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"net"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// sendToGroup sends a datagram to the SPDP group of a domain from each socket of a participant with LocalhostOnly.
func sendToGroup(domain uint32) error {
	socks, err := udp.System{}.Listen(udp.Config{DomainID: domain, LocalhostOnly: true})
	if err != nil {
		return err
	}
	defer socks.Close()
	b := wire.NewBuilder(wire.HeaderSize)
	b.Begin(wire.GUIDPrefix{1})
	for _, t := range []udp.Traffic{udp.Metatraffic, udp.UserTraffic} {
		if err := socks.Send(b.Bytes(), netip.AddrPortFrom(udp.MulticastGroup(), udp.MulticastPort(domain)), t); err != nil {
			return err
		}
	}
	return serve(func(string) error { return nil })
}

// linkCapture keeps the RTPS datagrams that passed on a link.
type linkCapture struct {
	mu   sync.Mutex
	sent [2][]packet // by each end
}

func (c *linkCapture) watch(end int, frame []byte) {
	p, ok := parsePacket(slices.Clone(frame))
	if _, err := wire.ParseHeader(p.payload); !ok || err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent[end] = append(c.sent[end], p)
}

// by returns the datagrams that an end has sent.
func (c *linkCapture) by(end int) []packet {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.sent[end])
}

// announcements returns the datagrams that end 1 has sent to the SPDP group.
func (c *linkCapture) announcements() []packet {
	return slices.DeleteFunc(c.by(1), func(p packet) bool { return p.to.Addr() != udp.MulticastGroup() })
}

// await waits until end 1 has sent n announcements more.
func (c *linkCapture) await(t *testing.T, n int) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	deadline := time.Now().Add(timeout)
	for end := len(c.announcements()) + n; len(c.announcements()) < end; <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("no %d announcements", n)
		}
	}
}

// TestLocalhostOnlyReachesNoOtherMachine: two participants with ROS_LOCALHOST_ONLY find each other on one machine.
// Another machine on the same link, with Cyclone DDS and our own stack, discovers neither and is not discovered, gets
// no RTPS datagram, not even to the SPDP group, and no answer to announcements that it sends to our ports.
func TestLocalhostOnlyReachesNoOtherMachine(t *testing.T) {
	hardware := net.HardwareAddr{2, 0, 0, 0, 0, 1}
	seen := &linkCapture{}
	link := &cable{watch: seen.watch}
	hosts, domain := startHostsOn(t, link), newDomain()
	hosts[0].ip("link set eth0 address %v", hardware)
	local := [2]*peer{startRoleOn(t, hosts[0], "localhost", domain), startRoleOn(t, hosts[0], "localhost", domain)}
	foreign := [2]*peer{cyclone.startOn(t, hosts[1], domain), startOursLeased(t, hosts[1], domain, 1)}
	keep := qos{reliable: true, transientLocal: true, depth: 10}.words()
	for _, pair := range [][2]*peer{local, foreign} {
		pair[0].send("writer w string %s %s", chatter, keep)
		pair[1].send("reader r string %s %s", chatter, keep)
		pair[0].matched("w", 1)
		pair[1].matched("r", 1)
		pair[0].send("write w 1")
		expectStrings(t, pair[1], "r", 1, 1)
	}
	startRoleOn(t, hosts[0], "group", domain)
	sources := map[netip.AddrPort]packet{}
	for _, p := range seen.announcements() {
		sources[p.from] = p
	}
	if len(sources) != len(foreign) {
		t.Errorf("announcements of %d participants", len(sources))
	}
	for _, p := range sources { // by unicast to every port that one of the first 32 participants could have
		for id := range 32 {
			for _, addr := range []string{"192.0.2.1", "127.0.0.1", "127.0.0.2"} {
				copy(p.hardware[:], hardware)
				p.to = netip.AddrPortFrom(netip.MustParseAddr(addr), udp.UnicastPort(domain, id, udp.Metatraffic))
				link.put(link.ends[0], p.frame())
			}
		}
	}
	seen.await(t, 4) // 1 s, several periods of the local participants
	if got := seen.by(0); len(got) > 0 {
		t.Errorf("%d datagrams have left the machine, the first from %v to %v", len(got), got[0].from, got[0].to)
	}
	for _, pair := range [][2]*peer{local, foreign} {
		for i, id := range []string{"w", "r"} {
			if s := pair[i].stats(id); s.Current != 1 {
				t.Errorf("%s: %s has %d matches", pair[i].name, id, s.Current)
			}
		}
	}
	open := startOursOn(t, hosts[0], domain) // without ROS_LOCALHOST_ONLY
	open.send("reader r string %s %s", chatter, keep)
	expectStrings(t, open, "r", 1, 1)
	if len(seen.by(0)) == 0 {
		t.Error("nothing is seen of a participant without ROS_LOCALHOST_ONLY")
	}
}
