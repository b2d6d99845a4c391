// SPDX-License-Identifier: Apache-2.0

//go:build linux

package udp

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// fakeKernel replaces sendmmsg: it records what it sends, and fails as configured.
type fakeKernel struct {
	atMost  int          // messages per call
	answers []unix.Errno // of the next calls; zero sends
	calls   int
	sizes   []int // of each message sent, bytes
	cut     []int // and its segment size, 0 if it is one datagram
	got     [][]byte
	to      []netip.AddrPort
}

func (k *fakeKernel) call(_ uintptr, list []messageHeader) (int, unix.Errno) {
	k.calls++
	if len(k.answers) > 0 {
		err := k.answers[0]
		k.answers = k.answers[1:]
		if err != 0 {
			return -1, err
		}
	}
	n := len(list)
	if k.atMost > 0 {
		n = min(n, k.atMost)
	}
	for i := range list[:n] {
		k.take(&list[i])
	}
	return n, 0
}

// take records the datagrams of a message.
func (k *fakeKernel) take(h *messageHeader) {
	var data []byte
	for _, p := range unsafe.Slice(h.Iov, int(h.Iovlen)) {
		data = append(data, unsafe.Slice(p.Base, int(p.Len))...)
	}
	size := 0
	if h.Controllen > 0 {
		c := (*segmentControl)(unsafe.Pointer(h.Control))
		size = int(c.size)
	}
	k.sizes, k.cut = append(k.sizes, len(data)), append(k.cut, size)
	for size > 0 && len(data) > size {
		k.got = append(k.got, data[:size])
		data = data[size:]
	}
	k.got = append(k.got, data)
	k.to = append(k.to, address((*unix.RawSockaddrInet4)(unsafe.Pointer(h.Name))))
}

// socketOn opens a socket on the loopback interface that sends through k, unless that is nil.
func socketOn(t testing.TB, k *fakeKernel) *socket {
	t.Helper()
	s, err := (&systemSockets{cfg: Config{ReceiveBuffer: 1 << 20}}).listenUDP(netip.MustParseAddrPort("127.0.0.1:0"), 4)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.close() })
	if k != nil {
		s.batch.call, s.batch.segment = k.call, true
	}
	return s
}

func (s *socket) address() netip.AddrPort { return s.local }

// datagrams returns one datagram of each size to an address.
func datagrams(to netip.AddrPort, sizes ...int) (list []Datagram) {
	for i, n := range sizes {
		b := make([]byte, n)
		for k := range b {
			b[k] = byte(i + 3*k)
		}
		list = append(list, Datagram{b, to})
	}
	return list
}

func sameDatagrams(got [][]byte, want []Datagram) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d datagrams, want %d", len(got), len(want))
	}
	for i := range got {
		if !bytes.Equal(got[i], want[i].Data) {
			return fmt.Errorf("datagram %d of %d bytes, want %d: differs", i, len(got[i]), len(want[i].Data))
		}
	}
	return nil
}

func repeat(n, size int) (list []int) {
	for range n {
		list = append(list, size)
	}
	return list
}

// TestEqualDatagramsFormOneMessage: equal datagrams to one destination form one message, with a shorter one at its end;
// others do not.
func TestEqualDatagramsFormOneMessage(t *testing.T) {
	a, b := netip.MustParseAddrPort("10.0.0.1:7411"), netip.MustParseAddrPort("10.0.0.2:7413")
	for _, c := range []struct {
		name     string
		list     []Datagram
		messages []int
	}{
		{"fragments and their end", datagrams(a, 1428, 1428, 1428, 300), []int{4*1428 - 1128}},
		{"nothing behind the end", datagrams(a, 1428, 300, 300), []int{1728, 300}},
		{"a larger one begins anew", datagrams(a, 100, 1428, 1428), []int{100, 2856}},
		{"two destinations", append(datagrams(a, 500, 500), datagrams(b, 500, 500)...), []int{1000, 1000}},
		{"no longer than a datagram can be", datagrams(a, repeat(50, 1428)...), []int{45 * 1428, 5 * 1428}},
		{"no more than 64 pieces", datagrams(a, repeat(64, 20)...), []int{64 * 20}},
		{"no more than a batch", datagrams(a, repeat(100, 20)...), []int{64 * 20, 36 * 20}},
	} {
		k := &fakeKernel{}
		s := socketOn(t, k)
		if n, err := s.sendAll(c.list); n != len(c.list) || err != nil {
			t.Errorf("%s: %d sent, %v", c.name, n, err)
		}
		if !slices.Equal(k.sizes, c.messages) {
			t.Errorf("%s: messages of %d bytes, want %d", c.name, k.sizes, c.messages)
		}
		if err := sameDatagrams(k.got, c.list); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if !slices.Contains(k.to, a) || c.name == "two destinations" && !slices.Contains(k.to, b) {
			t.Errorf("%s: sent to %v", c.name, k.to)
		}
	}
}

// TestUnsentMessagesAreSentAgain: messages that the kernel did not send are passed to it again; a full buffer ends the
// attempt, which returns how many were sent.
func TestUnsentMessagesAreSentAgain(t *testing.T) {
	list := datagrams(socketOn(t, nil).address(), 10, 20, 30, 40, 50, 60, 70) // only the last one may be sent alone
	for _, c := range []struct {
		name    string
		kernel  fakeKernel
		sent    int
		err     error
		atLeast int
	}{
		{"two at a time", fakeKernel{atMost: 2}, 7, nil, 3},
		{"one at a time", fakeKernel{atMost: 1}, 7, nil, 6},
		{"interrupted", fakeKernel{atMost: 5, answers: []unix.Errno{unix.EINTR, 0, unix.EINTR}}, 7, nil, 4},
		{"full at once", fakeKernel{answers: []unix.Errno{unix.EAGAIN}}, 0, ErrBusy, 1},
		{"full later", fakeKernel{atMost: 3, answers: []unix.Errno{0, unix.EAGAIN}}, 3, ErrBusy, 2},
		{"no buffers", fakeKernel{atMost: 3, answers: []unix.Errno{0, unix.ENOBUFS}}, 3, ErrBusy, 2},
		{"no route", fakeKernel{atMost: 4, answers: []unix.Errno{0, unix.ENETUNREACH}}, 4, unix.ENETUNREACH, 2},
	} {
		k := c.kernel
		s := socketOn(t, &k)
		s.batch.segment = false
		n, err := s.sendAll(list)
		if n != c.sent || !errors.Is(err, c.err) || k.calls < c.atLeast {
			t.Errorf("%s: %d sent in %d calls, %v; want %d, %v", c.name, n, k.calls, err, c.sent, c.err)
		}
		if err := sameDatagrams(k.got, list[:min(n, len(k.got))]); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestDatagramsAreSentWithoutSegmentation: if the kernel, route or network card does not support segmentation, each
// datagram is a separate message from then on; none is lost by the detection.
func TestDatagramsAreSentWithoutSegmentation(t *testing.T) {
	list := datagrams(netip.MustParseAddrPort("10.0.0.1:7411"), 1428, 1428, 1428, 300)
	for _, err := range []unix.Errno{unix.EINVAL, unix.ENOPROTOOPT, unix.EIO, unix.EOPNOTSUPP, unix.EMSGSIZE} {
		k := &fakeKernel{answers: []unix.Errno{err}}
		s := socketOn(t, k)
		for range 2 {
			k.got, k.cut = nil, nil
			if n, err := s.sendAll(list); n != len(list) || err != nil {
				t.Errorf("%v: %d sent, %v", err, n, err)
			}
			if err := sameDatagrams(k.got, list); err != nil {
				t.Error(err)
			}
			if slices.Max(k.cut) != 0 {
				t.Errorf("%v: still cut into %d", err, k.cut)
			}
		}
		if k.calls != 3 {
			t.Errorf("%v: %d calls for two batches", err, k.calls)
		}
	}
}

// TestOtherErrorsDoNotDisableSegmentation: other errors of a segmented message do not disable segmentation.
func TestOtherErrorsDoNotDisableSegmentation(t *testing.T) {
	k := &fakeKernel{answers: []unix.Errno{unix.EPERM}}
	s := socketOn(t, k)
	list := datagrams(netip.MustParseAddrPort("10.0.0.1:7411"), 1428, 1428)
	if n, err := s.sendAll(list); n != 0 || !errors.Is(err, unix.EPERM) || !s.batch.segment {
		t.Errorf("%d sent, %v", n, err)
	}
}

// TestDatagramsAreSentWithoutSendmmsg: a kernel without sendmmsg gets single datagrams.
func TestDatagramsAreSentWithoutSendmmsg(t *testing.T) {
	k := &fakeKernel{answers: []unix.Errno{unix.ENOSYS}}
	s, to := socketOn(t, k), socketOn(t, nil)
	list := datagrams(to.address(), 1428, 1428, 300)
	if n, err := s.sendAll(list); n != 3 || err != nil || k.calls != 1 {
		t.Errorf("%d sent, %v, %d calls of sendmmsg", n, err, k.calls)
	}
	if err := sameDatagrams(to.take(t, 3), list); err != nil {
		t.Error(err)
	}
}

// take receives n datagrams.
func (s *socket) take(t testing.TB, n int) (got [][]byte) {
	t.Helper()
	all, done := make(chan struct{}), make(chan error, 1)
	go func() {
		done <- s.receive(func(b []byte, _ netip.AddrPort) {
			if got = append(got, bytes.Clone(b)); len(got) == n {
				close(all)
			}
		})
	}()
	<-all
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	return got
}
