// SPDX-License-Identifier: Apache-2.0

package vnet_test

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// station is a host with open sockets that records what it receives.
type station struct {
	udp.Sockets
	mu  sync.Mutex
	got []string // sender, kind and text
}

func open(t testing.TB, h *vnet.Host) *station {
	t.Helper()
	socks, err := h.Listen(udp.Config{DomainID: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := &station{Sockets: socks}
	socks.Serve(func(b []byte, from netip.AddrPort, kind udp.Traffic) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.got = append(s.got, fmt.Sprintf("%v %v %s", from.Addr(), kind, b))
	}, func(err error) { t.Errorf("lost: %v", err) })
	t.Cleanup(func() { socks.Close() })
	return s
}

func (s *station) received() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.got)
}

// sorted returns what was received in an order independent of the scheduling of the sockets' goroutines.
func (s *station) sorted() []string { return slices.Sorted(slices.Values(s.received())) }

func TestRouting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{})
		a, b, c := open(t, n.Host(1)), open(t, n.Host(2)), open(t, n.Host(2))
		if b.ParticipantID() != 0 || c.ParticipantID() != 1 {
			t.Errorf("ids %d %d", b.ParticipantID(), c.ParticipantID())
		}
		a.Send([]byte("to b"), b.Locators(udp.UserTraffic)[0], udp.UserTraffic)
		a.Send([]byte("to c"), c.Locators(udp.Metatraffic)[0], udp.Metatraffic)
		a.Send([]byte("to no host"), netip.MustParseAddrPort("10.0.0.9:7400"), udp.UserTraffic)
		a.Multicast([]byte("to all"), 0)
		time.Sleep(time.Second)
		if got := a.received(); !slices.Equal(got, []string{"10.0.0.1 multicast to all"}) {
			t.Errorf("a got %v", got)
		}
		if got := b.sorted(); !slices.Equal(got, []string{"10.0.0.1 multicast to all", "10.0.0.1 user traffic to b"}) {
			t.Errorf("b got %v", got)
		}
		if got := c.sorted(); !slices.Equal(got, []string{"10.0.0.1 metatraffic to c", "10.0.0.1 multicast to all"}) {
			t.Errorf("c got %v", got)
		}
		if got := n.Counters(); got.Sent != 4 || got.Unrouted != 1 {
			t.Errorf("%+v", got)
		}
		b.Close()
		n.Inject(netip.MustParseAddrPort("10.0.0.66:1"), b.Locators(udp.UserTraffic)[0], []byte("too late"))
		time.Sleep(time.Second)
		if got := n.Counters(); got.Unrouted != 2 {
			t.Errorf("after close: %+v", got)
		}
	})
}

func TestReachable(t *testing.T) {
	a := open(t, vnet.New(vnet.Config{}).Host(1))
	for addr, want := range map[string]int{"10.0.0.2": 0, "10.0.0.255": -1, "10.0.1.2": -1, "192.0.2.1": -1} {
		ip := netip.MustParseAddr(addr)
		if got := a.Interface(ip); got != want || a.Reachable(ip) != (want == 0) {
			t.Errorf("%s: %d", addr, got)
		}
	}
	if a.Refresh() {
		t.Error("a virtual host changed")
	}
}

// TestFaults: the fault rates are as configured, order is kept except for reordered ones, and a disconnected host
// receives nothing.
func TestFaults(t *testing.T) {
	const total = 5000
	for _, c := range []vnet.Config{{}, {Seed: 1, Loss: 0.2}, {Seed: 2, Duplicate: 0.2}, {Seed: 3, Reorder: 0.2}} {
		synctest.Test(t, func(t *testing.T) {
			n := vnet.New(c)
			a, b := open(t, n.Host(1)), open(t, n.Host(2))
			for i := range total {
				a.Send(fmt.Appendf(nil, "%05d", i), b.Locators(udp.UserTraffic)[0], udp.UserTraffic)
				if i%50 == 49 {
					time.Sleep(time.Millisecond)
				}
			}
			time.Sleep(time.Second)
			got := b.received()
			want := total * (1 - c.Loss + c.Duplicate)
			if f := float64(len(got)); f < want-200 || f > want+200 {
				t.Errorf("%v: %d received", n, len(got))
			}
			if slices.IsSorted(got) != (c.Reorder == 0) {
				t.Errorf("%v: sorted %v", n, slices.IsSorted(got))
			}
			n.Set(0, 0, 0)
			n.Cut(n.Host(2).Addr(), true)
			a.Send([]byte("x"), b.Locators(udp.UserTraffic)[0], udp.UserTraffic)
			time.Sleep(time.Second)
			if len(b.received()) != len(got) {
				t.Error("a cut host received")
			}
		})
	}
}

// TestReceiveBuffer: datagrams that do not fit into the receive buffer are lost, as with a default Linux socket.
func TestReceiveBuffer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{})
		a := open(t, n.Host(1))
		b, err := n.Host(2).Listen(udp.Config{DomainID: 1})
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			a.Send(make([]byte, 1428), b.Locators(udp.UserTraffic)[0], udp.UserTraffic)
		}
		time.Sleep(time.Second)
		if got := n.Counters().Overflowed; got != 200-92 {
			t.Errorf("%d overflowed", got)
		}
		b.Close()
	})
}

func TestNoFreePorts(t *testing.T) {
	h := vnet.New(vnet.Config{}).Host(1)
	for range 120 {
		open(t, h)
	}
	if _, err := h.Listen(udp.Config{DomainID: 1}); !errors.Is(err, udp.ErrNoPorts) {
		t.Errorf("error %v", err)
	}
}
