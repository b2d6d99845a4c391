// SPDX-License-Identifier: Apache-2.0

package udp

import (
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"
)

// receiveSize is the buffer size for one message, bytes: datagrams coalesced by the kernel may exceed the largest
// datagram.
const receiveSize = 1 << 16

// receiveBatch receives several datagrams with one system call, recvmmsg. If the kernel has UDP_GRO, a message may be
// several datagrams of equal size, coalesced by the kernel or the network card.
type receiveBatch struct {
	call func(fd uintptr, list []messageHeader) (int, unix.Errno) // recvmmsg; tests replace it
	fd   uintptr                                                  // of the socket
	pace pace                                                     // for real calls

	// Arguments and results of try.
	got    int
	err    unix.Errno
	try    func(fd uintptr) bool
	handle func([]byte, netip.AddrPort)
	taken  bool // since the last failure
	more   bool // there may be more than one call returned

	buffer  []byte // receiveSize for each message
	headers []messageHeader
	parts   []unix.Iovec
	names   []unix.RawSockaddrInet4
	control []groControl
}

// newReceiveBatch allocates buffers for n messages from a socket. Pages never filled use no physical memory.
func newReceiveBatch(fd, n int) *receiveBatch {
	b := &receiveBatch{
		fd: uintptr(fd), buffer: make([]byte, n*receiveSize), headers: make([]messageHeader, n), parts: make([]unix.Iovec, n),
		names: make([]unix.RawSockaddrInet4, n), control: make([]groControl, n), pace: newPace(),
	}
	for i := range n {
		b.parts[i].Base = &b.buffer[i*receiveSize]
		b.parts[i].SetLen(receiveSize)
	}
	b.call, b.try = b.recvmmsg, b.receive
	_ = unix.SetsockoptInt(fd, unix.SOL_UDP, unix.UDP_GRO, 1) // missing in older kernels
	return b
}

// receive passes on datagrams until a call returns fewer than the buffers hold: then no more are available, and it
// returns false, to be called again when there are. It returns true after an error. This happens in one call of
// RawConn.Read, because each new one would discard a pending readiness event, and would have to poll first. All calls
// except the first are made through the runtime: otherwise a flood would starve the other goroutines.
func (b *receiveBatch) receive(uintptr) bool {
	for b.more = false; ; b.more = true {
		b.prepare()
		b.got, b.err = b.call(b.fd, b.headers)
		if b.err != 0 {
			return b.err != unix.EAGAIN
		}
		b.taken = true
		b.each(b.handle)
		if b.got < len(b.headers) {
			return false
		}
	}
}

// recvmmsg is the system call.
func (b *receiveBatch) recvmmsg(fd uintptr, list []messageHeader) (int, unix.Errno) {
	return b.pace.call(unix.SYS_RECVMMSG, fd, list, b.more)
}

// prepare resets the headers for the next call, which modifies them.
func (b *receiveBatch) prepare() {
	for i := range b.headers {
		h := &b.headers[i]
		*h = messageHeader{}
		h.Name, h.Namelen = (*byte)(unsafe.Pointer(&b.names[i])), unix.SizeofSockaddrInet4
		h.Iov = &b.parts[i]
		h.SetIovlen(1)
		b.control[i] = groControl{}
		h.Control = (*byte)(unsafe.Pointer(&b.control[i]))
		h.SetControllen(int(unsafe.Sizeof(b.control[i])))
	}
}

// each passes the received datagrams to handle.
func (b *receiveBatch) each(handle func([]byte, netip.AddrPort)) {
	for i := range max(b.got, 0) {
		data := b.buffer[i*receiveSize:][:min(int(b.headers[i].n), receiveSize)]
		from := address(&b.names[i])
		size := b.control[i].datagramSize()
		for size > 0 && len(data) > size {
			handle(data[:size:size], from)
			data = data[size:]
		}
		handle(data, from)
	}
}

// groControl is the control message UDP_GRO: the size of each datagram of a message, except the last.
type groControl struct {
	unix.Cmsghdr
	size int32
	_    [unsafe.Sizeof(uintptr(0)) - 4]byte
}

// datagramSize returns the size of each datagram, or 0 if the message is one datagram.
func (c *groControl) datagramSize() int {
	if c.Level != unix.SOL_UDP || c.Type != unix.UDP_GRO {
		return 0
	}
	return int(c.size)
}

// address reads a socket address, whose port is big-endian.
func address(name *unix.RawSockaddrInet4) netip.AddrPort {
	p := (*[2]byte)(unsafe.Pointer(&name.Port))
	return netip.AddrPortFrom(netip.AddrFrom4(name.Addr), uint16(p[0])<<8|uint16(p[1]))
}

// receive reads datagrams until the socket is closed, when it returns nil, or lost. Single errors concern earlier
// datagrams (ICMP) and are ignored.
func (s *socket) receive(handle func([]byte, netip.AddrPort)) error {
	b := s.in
	b.handle = handle
	for failures := 0; ; {
		b.taken = false
		err := s.wait.Read(b.try)
		if s.closed.Load() {
			return nil
		}
		if err == nil {
			err = b.err
		}
		if b.taken {
			failures = 0
		}
		failures++
		if err := s.failed(failures, err); err != nil {
			return err
		}
	}
}
