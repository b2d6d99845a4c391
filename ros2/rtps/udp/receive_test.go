// SPDX-License-Identifier: Apache-2.0

//go:build linux

package udp

import (
	"errors"
	"net/netip"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// TestSocketIsLostAfterManyFailures: some failures are ignored, endless ones are reported.
func TestSocketIsLostAfterManyFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := socketOn(t, nil)
		if err := s.ready.SetReadDeadline(time.Unix(1, 0)); err != nil { // every read fails at once
			t.Fatal(err)
		}
		begin := time.Now()
		err := s.receive(func([]byte, netip.AddrPort) { t.Error("received") })
		if !errors.Is(err, ErrLost) || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("got %v, want ErrLost and the reason", err)
		}
		if took := time.Since(begin); took < time.Second || took > 10*time.Second {
			t.Errorf("given up after %v", took)
		}
	})
}

// TestClosedSocketIsNotLost: Close is not reported as a loss, before receiving or during it.
func TestClosedSocketIsNotLost(t *testing.T) {
	s := socketOn(t, nil)
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	if err := s.receive(nil); err != nil {
		t.Error(err)
	}
	s = socketOn(t, nil)
	ended := make(chan error)
	go func() { ended <- s.receive(nil) }()
	if err := s.close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := s.close(); err != nil {
		t.Error("closed twice:", err)
	}
}
