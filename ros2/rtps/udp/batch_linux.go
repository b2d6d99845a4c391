// SPDX-License-Identifier: Apache-2.0

package udp

import (
	"net"
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"
)

// messageHeader is the kernel's struct mmsghdr: a message of sendmmsg, and the number of bytes sent.
type messageHeader struct {
	unix.Msghdr
	n uint32
}

// maxBatch bounds the messages of one system call.
const maxBatch = 64

// sendBatch sends datagrams with one system call, sendmmsg, where the kernel has it. Consecutive ones of equal size to
// one destination, as the fragments of a sample are, become one message that the kernel or the network card segments
// (UDP_SEGMENT). It does not allocate or block. The socket's mutex guards it.
type sendBatch struct {
	call func(fd uintptr, list []messageHeader) (int, unix.Errno) // sendmmsg; tests replace it
	many bool                                                     // the kernel has sendmmsg
	// the kernel, and every route so far, has UDP_SEGMENT
	segment bool

	list []messageHeader // the argument of call
	pace pace            // for real calls

	headers [maxBatch]messageHeader
	parts   [maxBatch]unix.Iovec
	names   [maxBatch]unix.RawSockaddrInet4
	control [maxBatch]segmentControl
	counts  [maxBatch]int // datagrams of each message
}

// init determines what the kernel supports.
func (b *sendBatch) init(fd int) {
	b.call, b.many, b.pace = b.sendmmsg, true, newPace()
	_, err := unix.GetsockoptInt(fd, unix.SOL_UDP, unix.UDP_SEGMENT)
	b.segment = err == nil
}

// sendmmsg is the system call.
func (b *sendBatch) sendmmsg(fd uintptr, list []messageHeader) (int, unix.Errno) {
	return b.pace.call(unix.SYS_SENDMMSG, fd, list, false)
}

// sendAll sends datagrams in order. It returns how many were sent, and the next one's error.
func (s *socket) sendAll(list []Datagram) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fd < 0 {
		return 0, net.ErrClosed
	}
	done := 0
	for done < len(list) {
		n, err := s.sendSome(list[done:])
		if done += n; err != nil {
			return done, err
		}
	}
	return done, nil
}

// sendSome sends a batch of datagrams: at least one if it returns no error, or none if the kernel turns out to lack a
// feature, which is then not used again.
func (s *socket) sendSome(list []Datagram) (int, error) {
	b := &s.batch
	if !b.many {
		return s.sendOne(list[0])
	}
	b.prepare(list)
	sent, errno := b.call(uintptr(s.fd), b.list)
	datagrams := 0
	for _, n := range b.counts[:max(sent, 0)] {
		datagrams += n
	}
	cut := b.counts[0] > 1
	b.forget()
	switch {
	case errno == 0:
		return datagrams, nil // the rest is tried again: the kernel returns an error only when it can send none
	case errno == unix.EINTR:
		return 0, nil
	case errno == unix.ENOSYS:
		b.many = false
		return 0, nil
	case cut && cannotSegment(errno):
		b.segment = false
		return 0, nil
	}
	return 0, sendError(errno)
}

// sendOne sends one datagram if the kernel supports no batches.
func (s *socket) sendOne(d Datagram) (int, error) {
	to := unix.SockaddrInet4{Addr: d.To.Addr().As4(), Port: int(d.To.Port())}
	if err := unix.Sendto(s.fd, d.Data, unix.MSG_DONTWAIT, &to); err != nil {
		return 0, sendError(err)
	}
	return 1, nil
}

// prepare fills the message headers for datagrams, as many as fit a batch.
func (b *sendBatch) prepare(list []Datagram) {
	list = list[:min(len(list), maxBatch)]
	messages, parts := 0, 0
	for len(list) > 0 {
		n := 1
		if b.segment {
			n = gsoSegments(list)
		}
		for i, d := range list[:n] {
			p := &b.parts[parts+i]
			p.Base = unsafe.SliceData(d.Data)
			p.SetLen(len(d.Data))
		}
		name, h := &b.names[messages], &b.headers[messages]
		setAddress(name, list[0].To)
		*h = messageHeader{}
		h.Name, h.Namelen = (*byte)(unsafe.Pointer(name)), unix.SizeofSockaddrInet4
		h.Iov = &b.parts[parts]
		h.SetIovlen(n)
		if n > 1 {
			c := &b.control[messages]
			c.set(uint16(len(list[0].Data)))
			h.Control = (*byte)(unsafe.Pointer(c))
			h.SetControllen(int(unsafe.Sizeof(*c)))
		}
		b.counts[messages] = n
		messages++
		parts += n
		list = list[n:]
	}
	b.list = b.headers[:messages]
}

// forget clears the references to the data.
func (b *sendBatch) forget() {
	clear(b.parts[:])
	b.list = nil
}

// setAddress fills in a socket address, whose port is big-endian.
func setAddress(name *unix.RawSockaddrInet4, to netip.AddrPort) {
	port := to.Port()
	*name = unix.RawSockaddrInet4{Family: unix.AF_INET, Addr: to.Addr().As4()}
	p := (*[2]byte)(unsafe.Pointer(&name.Port))
	p[0], p[1] = byte(port>>8), byte(port)
}
