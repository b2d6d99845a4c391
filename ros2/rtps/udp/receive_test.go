// SPDX-License-Identifier: Apache-2.0

package udp

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// TestSocketIsLostAfterManyFailures: some failures are passed over, failures without end are told.
func TestSocketIsLostAfterManyFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.MustParseAddrPort("127.0.0.1:0")))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		if err := conn.SetReadDeadline(time.Unix(1, 0)); err != nil { // every read fails at once
			t.Fatal(err)
		}
		s, err := newSocket(conn, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		err = s.receive(func([]byte, netip.AddrPort) { t.Error("received") })
		if !errors.Is(err, ErrLost) || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("got %v, want ErrLost and the reason", err)
		}
		if took := time.Since(begin); took < time.Second || took > 10*time.Second {
			t.Errorf("given up after %v", took)
		}
	})
}

// TestClosedSocketIsNotLost: Close is no loss.
func TestClosedSocketIsNotLost(t *testing.T) {
	conn, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.MustParseAddrPort("127.0.0.1:0")))
	if err != nil {
		t.Fatal(err)
	}
	s, err := newSocket(conn, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.Close()
	if err := s.receive(nil); err != nil {
		t.Error(err)
	}
}
