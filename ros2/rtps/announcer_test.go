// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// twoInterfaces is a Network and its Sockets: a host on two networks that records what it sends.
type twoInterfaces struct {
	mu      sync.Mutex
	locals  []netip.Prefix
	changed bool
	sent    []note
}

// probedIDs is the least number of participant ids of a peer that are probed.
const probedIDs = 32

// note is one datagram sent.
type note struct {
	iface int // of multicast, else -1
	to    netip.AddrPort
	sn    wire.SequenceNumber
	data  *wire.ParticipantData // nil for a disposal
}

func (s *twoInterfaces) Listen(udp.Config) (udp.Sockets, error) { return s, nil }
func (s *twoInterfaces) ParticipantID() int                     { return 0 }
func (s *twoInterfaces) Serve(func([]byte, netip.AddrPort, udp.Traffic), func(error)) {
}
func (s *twoInterfaces) Close() error { return nil }

func (s *twoInterfaces) Locators(t udp.Traffic) (list []netip.AddrPort) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.locals {
		list = append(list, netip.AddrPortFrom(p.Addr(), udp.UnicastPort(0, 0, t)))
	}
	return list
}

func (s *twoInterfaces) Interface(addr netip.Addr) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.IndexFunc(s.locals, func(p netip.Prefix) bool { return p.Contains(addr) })
}

func (s *twoInterfaces) Reachable(addr netip.Addr) bool { return s.Interface(addr) >= 0 }

func (s *twoInterfaces) Refresh() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() { s.changed = false }()
	return s.changed
}

func (s *twoInterfaces) Send(b []byte, to netip.AddrPort, _ udp.Traffic) error {
	s.note(b, note{iface: -1, to: to})
	return nil
}

func (s *twoInterfaces) Multicast(b []byte, i int) error {
	s.note(b, note{iface: i})
	return nil
}

func (s *twoInterfaces) note(b []byte, n note) {
	var c spdpContent
	if wire.Walk(b, &c) != nil || c.sn == 0 {
		return
	}
	n.sn, n.data = c.sn, c.data
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = append(s.sent, n)
}

// take returns what was sent since the last call.
func (s *twoInterfaces) take() []note {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() { s.sent = nil }()
	return s.sent
}

// spdpContent reads the announcement in a datagram.
type spdpContent struct {
	wire.NopHandler
	sn   wire.SequenceNumber
	data *wire.ParticipantData
}

func (c *spdpContent) HandleData(_ *wire.Receiver, m *wire.Data) {
	if m.Writer != wire.EntitySPDPWriter {
		return
	}
	c.sn = m.SN
	if d, err := wire.DecodeParticipant(m.Payload); err == nil && m.Kind == wire.PayloadData {
		c.data = &d
	}
}

// TestAnnouncements: the burst and the period; on each interface its own address, to a peer beyond a router all
// addresses; when an address changes, a disposal and the new address with a new number; at the end the disposal.
func TestAnnouncements(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := &twoInterfaces{locals: []netip.Prefix{netip.MustParsePrefix("192.168.1.7/24"), netip.MustParsePrefix("172.17.0.1/16")}}
		far, near := netip.MustParseAddr("203.0.113.5"), netip.MustParseAddr("172.17.0.9")
		p, err := NewParticipant(Config{Network: net, Peers: []netip.Addr{far, near}})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		burst := net.take()
		if want := 6 * (2 + 2*probedIDs); len(burst) != want {
			t.Errorf("%d datagrams in the first second, want %d", len(burst), want)
		}
		for _, n := range burst {
			var got []string
			for _, l := range n.data.MetatrafficUnicast {
				got = append(got, l.String())
			}
			want := []string{"udp/192.168.1.7:7410", "udp/172.17.0.1:7410"}
			switch {
			case n.iface >= 0:
				want = want[n.iface : n.iface+1]
			case n.to.Addr() == near:
				want = want[1:]
			}
			if !slices.Equal(got, want) || n.sn != 1 || len(n.data.DefaultUnicast) != len(want) {
				t.Fatalf("to %v by %d: locators %v, number %d", n.to, n.iface, got, n.sn)
			}
		}
		time.Sleep(30 * time.Second)
		if n := len(net.take()); n != 10*(2+2*probedIDs) {
			t.Errorf("%d datagrams in 30 s", n)
		}
		net.mu.Lock()
		net.locals, net.changed = []netip.Prefix{netip.MustParsePrefix("10.1.1.1/8")}, true
		net.mu.Unlock()
		time.Sleep(4 * time.Second)
		again := net.take()
		if i := slices.IndexFunc(again, func(n note) bool { return n.sn > 1 }); i < 0 || again[i].data != nil || again[i].sn != 2 || again[i].iface != 0 {
			t.Errorf("after the change the first is number %d", i)
		}
		if n := again[len(again)-1]; n.sn != 3 || n.data.MetatrafficUnicast[0].String() != "udp/10.1.1.1:7410" || len(again) < 6 {
			t.Errorf("after the change: %+v of %d", n, len(again))
		}
		p.Close()
		if last := net.take(); len(last) == 0 || last[0].data != nil || last[0].sn <= 2 {
			t.Errorf("at the end: %+v", last)
		}
	})
}
