// SPDX-License-Identifier: Apache-2.0

//go:build linux

package udp

import (
	"errors"
	"net/netip"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestSlowCallsGoThroughRuntime: non-blocking calls bypass the runtime until one takes long; then they are made through
// it for a minute.
func TestSlowCallsGoThroughRuntime(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	var took time.Duration
	raw, known := 0, 0
	counted := func(n *int) func(_, _, _, _, _, _, _ uintptr) (r1, r2 uintptr, err unix.Errno) {
		return func(_, _, _, _, _, _, _ uintptr) (r1, r2 uintptr, err unix.Errno) {
			*n++
			now = now.Add(took)
			return 3, 0, unix.EINTR
		}
	}
	p := pace{now: func() time.Time { return now }, raw: counted(&raw), throughRuntime: counted(&known)}
	for i, c := range []struct {
		took, pause    time.Duration
		throughRuntime bool
		raw, known     int // calls so far
	}{
		{0, 0, false, 1, 0},
		{slowCall, 0, false, 2, 0},
		{slowCall + 1, 0, true, 2, 1}, // through the runtime: does not count
		{slowCall + 1, 0, false, 3, 1},
		{0, slowTime, false, 3, 2},
		{time.Hour, 0, false, 4, 2}, // the minute is over; slow again
		{0, 0, false, 4, 3},
		{0, slowTime, false, 4, 4},
		{0, slowTime, false, 5, 4},
	} {
		took = c.took
		if n, err := p.call(unix.SYS_SENDMMSG, 7, make([]messageHeader, 5), c.throughRuntime); n != 3 || err != unix.EINTR {
			t.Errorf("%d, %v", n, err)
		}
		if raw != c.raw || known != c.known {
			t.Errorf("call %d: %d raw and %d known calls so far, want %d and %d", i, raw, known, c.raw, c.known)
		}
		now = now.Add(c.pause)
	}
}

// TestFloodsAreReceivedThroughRuntime: after a receive call that was filled, further calls are made through the runtime
// until no datagrams are left.
func TestFloodsAreReceivedThroughRuntime(t *testing.T) {
	s := socketOn(t, nil)
	var throughRuntime []bool
	s.in.call = func(uintptr, []messageHeader) (int, unix.Errno) {
		if throughRuntime = append(throughRuntime, s.in.more); len(throughRuntime)%4 == 0 {
			return -1, unix.EAGAIN
		}
		return len(s.in.headers), 0
	}
	s.in.handle = func([]byte, netip.AddrPort) {}
	s.in.receive(0)
	s.in.receive(0)
	if want := []bool{false, true, true, true, false, true, true, true}; !slices.Equal(throughRuntime, want) {
		t.Errorf("%v, want %v", throughRuntime, want)
	}
}

// wakes counts the events of a socket's epoll set.
func wakes(t *testing.T, s *socket) (count func() int) {
	t.Helper()
	set, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(set) })
	const edge = 1 << 31
	watched := &unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLOUT | unix.EPOLLRDHUP | edge}
	var failed error
	if err := s.wait.Control(func(fd uintptr) { failed = unix.EpollCtl(set, unix.EPOLL_CTL_ADD, int(fd), watched) }); err != nil || failed != nil {
		t.Fatal(err, failed)
	}
	return func() int {
		n, err := unix.EpollWait(set, make([]unix.EpollEvent, 4), 0)
		if err != nil && !errors.Is(err, unix.EINTR) {
			t.Fatal(err)
		}
		return n
	}
}

// TestWritableSocketCausesNoWakeUp: when a reader has received what a socket sent, so that it is writable again, no
// event is reported to the goroutine that waits for datagrams. Each arriving datagram is one.
func TestWritableSocketCausesNoWakeUp(t *testing.T) {
	s, far := socketOn(t, nil), socketOn(t, nil)
	events := wakes(t, s)
	buf := make([]byte, 10)
	for range 3 {
		if n := events(); n != 0 {
			t.Fatalf("%d events before anything happened", n)
		}
		if err := s.send([]byte{1, 2, 3}, far.address()); err != nil {
			t.Fatal(err)
		}
		if n, err := unix.Read(far.fd, buf); n != 3 || err != nil {
			t.Fatal(n, err)
		}
		if n := events(); n != 0 {
			t.Fatalf("%d events when the datagram was taken", n)
		}
		if err := far.send([]byte{1}, s.address()); err != nil {
			t.Fatal(err)
		}
		if n := events(); n != 1 {
			t.Fatalf("%d events for an arriving datagram", n)
		}
		if n, err := unix.Read(s.fd, buf); n != 1 || err != nil {
			t.Fatal(n, err)
		}
	}
}
