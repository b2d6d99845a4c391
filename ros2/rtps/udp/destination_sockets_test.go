// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package udp

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// full makes every send of a socket fail as with a full buffer.
func (s *socket) full() {
	s.batch.call = func(uintptr, []messageHeader) (int, unix.Errno) { return -1, unix.EAGAIN }
}

// allClosed fails the test if one of the sockets can still send.
func allClosed(t *testing.T, sockets []*socket) {
	t.Helper()
	for _, s := range sockets {
		if err := s.send([]byte{1}, netip.MustParseAddrPort("127.9.9.9:7411")); err == nil {
			t.Errorf("the socket of %v is open", s.local)
		}
	}
}

// loopbackSockets returns system sockets in localhost mode, with counted dedicated sockets and full shared sockets.
func loopbackSockets(t *testing.T) (s *systemSockets, opened *int) {
	t.Helper()
	s, opened = &systemSockets{cfg: Config{DomainID: 230, LocalhostOnly: true}}, new(int)
	s.listen = s.listenUDP
	s.destSockets.open = func() (*socket, error) {
		*opened++
		return s.openDestSocket()
	}
	if err := errors.Join(s.scan(), s.listenUnicast()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
	})
	s.socks[Metatraffic].full()
	s.socks[UserTraffic].full()
	return s, opened
}

// TestFullDestinationGetsItsOwnSocket: a destination for which the shared socket is full gets its own socket, which
// other full ones do not delay: singly and in batches, in order, for each kind of traffic.
func TestFullDestinationGetsItsOwnSocket(t *testing.T) {
	for _, kind := range []Traffic{Metatraffic, UserTraffic} {
		t.Run(fmt.Sprint(kind), func(t *testing.T) {
			s, opened := loopbackSockets(t)
			free, stalled := socketOn(t, nil), netip.MustParseAddrPort("127.9.9.9:7411")
			to := datagrams(stalled, 10, 20)
			if n, err := s.SendBatch(to, kind); n != 2 || err != nil || *opened != 1 {
				t.Fatalf("%d sent, %v; %d dedicated sockets", n, err, *opened)
			}
			s.destSockets.byKey[destKey{stalled.Addr(), kind}].full()
			if n, err := s.SendBatch(to, kind); n != 0 || !errors.Is(err, ErrBusy) {
				t.Errorf("%d sent on a full dedicated socket, %v", n, err)
			}
			if err := s.Send(to[0].Data, stalled, kind); !errors.Is(err, ErrBusy) {
				t.Errorf("sent on a full dedicated socket: %v", err)
			}
			list := datagrams(free.address(), 30, 40, 40, 50)
			if err := s.Send(list[0].Data, list[0].To, kind); err != nil {
				t.Error(err)
			}
			if n, err := s.SendBatch(append(slices.Clone(list[1:]), to...), kind); n != 3 || !errors.Is(err, ErrBusy) {
				t.Errorf("%d sent before the stalled address, %v", n, err)
			}
			if err := sameDatagrams(free.take(t, 4), list); err != nil {
				t.Error(err)
			}
			if *opened != 2 {
				t.Errorf("%d dedicated sockets for two destinations", *opened)
			}
		})
	}
}

// TestStalledMulticastInterfaceDelaysNoOther: multicast on an interface with a stalled queue does not delay that on
// others.
func TestStalledMulticastInterfaceDelaysNoOther(t *testing.T) {
	s, opened := loopbackSockets(t)
	shared := s.socks[Metatraffic]
	refuse := func(by *socket) error {
		if by == shared {
			return ErrBusy
		}
		return nil
	}
	for i, c := range []struct {
		addr   string
		opened int
	}{{"10.0.0.1", 1}, {"10.0.1.1", 2}, {"10.0.0.1", 2}} {
		if err := s.destSockets.try(destKey{netip.MustParseAddr(c.addr), Multicast}, shared, refuse); err != nil || *opened != c.opened {
			t.Errorf("%d: %v, %d dedicated sockets", i, err, *opened)
		}
	}
}

// TestDedicatedSocketsAreBounded: their number is limited, unused ones are closed, and all are closed in the end.
func TestDedicatedSocketsAreBounded(t *testing.T) {
	s, opened := loopbackSockets(t)
	var sockets []*socket
	open := s.destSockets.open
	s.destSockets.open = func() (*socket, error) {
		d, err := open()
		sockets = append(sockets, d)
		return d, err
	}
	data := []byte{1}
	for i := range maxDestSockets + 10 {
		to := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 1, byte(i >> 8), byte(i)}), 7411)
		if err := s.Send(data, to, UserTraffic); (err == nil) != (i < maxDestSockets) || err != nil && !errors.Is(err, ErrBusy) {
			t.Fatalf("destination %d: %v", i, err)
		}
	}
	s.Refresh() // all were used since the previous one
	if len(s.destSockets.byKey) != maxDestSockets || *opened != maxDestSockets {
		t.Errorf("%d dedicated sockets, %d opened", len(s.destSockets.byKey), *opened)
	}
	kept := netip.MustParseAddrPort("127.1.0.7:7411")
	if err := s.Send(data, kept, UserTraffic); err != nil {
		t.Error(err)
	}
	s.Refresh()
	if _, ok := s.destSockets.byKey[destKey{kept.Addr(), UserTraffic}]; !ok || len(s.destSockets.byKey) != 1 {
		t.Errorf("%d dedicated sockets left after a while, the one in use among them: %v", len(s.destSockets.byKey), ok)
	}
	s.destSockets.open = func() (*socket, error) { return nil, unix.EMFILE }
	if err := s.Send(data, netip.MustParseAddrPort("127.1.0.9:7411"), UserTraffic); !errors.Is(err, ErrBusy) {
		t.Errorf("without a dedicated socket: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.Send(data, kept, UserTraffic); err == nil {
		t.Error("sent after Close")
	}
	if len(sockets) != *opened {
		t.Errorf("%d of %d sockets seen", len(sockets), *opened)
	}
	allClosed(t, sockets)
}

// TestSendOwn: a destination gets one socket of its own, with the small buffer, before the shared one is full.
func TestSendOwn(t *testing.T) {
	s, opened := loopbackSockets(t)
	to := netip.MustParseAddrPort("127.9.9.9:7411")
	s.SendOwn(to.Addr(), UserTraffic)
	s.SendOwn(to.Addr(), UserTraffic)
	if *opened != 1 {
		t.Fatalf("%d sockets opened, not 1", *opened)
	}
	own := s.destSockets.of(destKey{to.Addr(), UserTraffic}, s.socks[UserTraffic])
	if own == s.socks[UserTraffic] || own == s.destSockets.of(destKey{to.Addr(), Metatraffic}, s.socks[Metatraffic]) {
		t.Error("no socket of its own, or one for other traffic, too")
	}
	if size, err := unix.GetsockoptInt(own.fd, unix.SOL_SOCKET, unix.SO_SNDBUF); err != nil || size > 2*destBuffer {
		t.Errorf("a send buffer of %d bytes, %v", size, err)
	}
	if n, err := s.SendBatch(datagrams(to, 10, 20), UserTraffic); n != 2 || err != nil {
		t.Errorf("%d sent, %v", n, err)
	}
}
