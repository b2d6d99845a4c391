// SPDX-License-Identifier: Apache-2.0

package udp

import (
	"fmt"
	"net/netip"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// maxUDPPayload is the largest UDP payload there is; peers send up to 65,500 bytes.
const maxUDPPayload = 65507

// receiveSize is the room for one message: several datagrams that the kernel put together may be larger than one can
// be.
const receiveSize = 1 << 16

// Messages that one system call takes: samples come in crowds, discovery does not.
const (
	userMessages = 8
	metaMessages = 2
)

// receiveBatch takes several datagrams with one system call, recvmmsg. Where the kernel has UDP_GRO it also leaves
// together what came as one train from the network card, or from a sender on this machine, and says how long each
// datagram was.
type receiveBatch struct {
	call func(fd uintptr, list []messageHeader) (int, unix.Errno) // recvmmsg; tests have others
	fd   uintptr                                                  // of the socket
	pace pace                                                     // of real calls

	// Arguments and results of try.
	got    int
	err    unix.Errno
	try    func(fd uintptr) bool
	handle func([]byte, netip.AddrPort)
	taken  bool // since the last failure
	more   bool // there may be more than fitted into one call

	buffer  []byte // receiveSize for each message
	headers []messageHeader
	parts   []unix.Iovec
	names   []unix.RawSockaddrInet4
	control []trainControl
}

// newReceiveBatch makes room for n messages from a socket. Memory that no datagram ever fills is not used.
func newReceiveBatch(fd, n int) *receiveBatch {
	b := &receiveBatch{
		fd: uintptr(fd), buffer: make([]byte, n*receiveSize), headers: make([]messageHeader, n), parts: make([]unix.Iovec, n),
		names: make([]unix.RawSockaddrInet4, n), control: make([]trainControl, n), pace: newPace(),
	}
	for i := range n {
		b.parts[i].Base = &b.buffer[i*receiveSize]
		b.parts[i].SetLen(receiveSize)
	}
	b.call, b.try = b.recvmmsg, b.receive
	_ = unix.SetsockoptInt(fd, unix.SOL_UDP, unix.UDP_GRO, 1) // older kernels have none
	return b
}

// receive hands over what there is until there is no more, which the kernel tells by a call that gives less than
// there is room for: then it returns false, to be called again when there is. It returns true after an error. All
// of it happens in one call of RawConn.Read, because each new one would forget that something arrived since, and
// would have to look first. The runtime is told of all calls but the first: else a flood would keep the processor
// from the others.
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

// prepare readies the headers for the next call, which changes them.
func (b *receiveBatch) prepare() {
	for i := range b.headers {
		h := &b.headers[i]
		*h = messageHeader{}
		h.Name, h.Namelen = (*byte)(unsafe.Pointer(&b.names[i])), unix.SizeofSockaddrInet4
		h.Iov = &b.parts[i]
		h.SetIovlen(1)
		b.control[i] = trainControl{}
		h.Control = (*byte)(unsafe.Pointer(&b.control[i]))
		h.SetControllen(int(unsafe.Sizeof(b.control[i])))
	}
}

// each hands over the datagrams that came.
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

// trainControl is the control message UDP_GRO: how long each datagram of a message was, but the last.
type trainControl struct {
	unix.Cmsghdr
	size int32
	_    [unsafe.Sizeof(uintptr(0)) - 4]byte
}

// datagramSize returns that, or 0 if the message is one datagram.
func (c *trainControl) datagramSize() int {
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

// Failures to receive, in a row.
const (
	tiringFailures = 10 // from this many on there is a pause between two …
	failurePause   = 10 * time.Millisecond
	fatalFailures  = 300 // … and this many, about 3 s, mean that the socket is lost
)

// receive reads datagrams until the socket is closed, which gives nil, or lost. Single errors are reports about earlier
// datagrams (ICMP) and are passed over.
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
		switch failures++; {
		case failures >= fatalFailures:
			return fmt.Errorf("%w: %d failures to receive in a row on %v: %w", ErrLost, failures, s.local, err)
		case failures > tiringFailures: // the system is in trouble: do not add to it
			<-time.After(failurePause)
		}
	}
}
