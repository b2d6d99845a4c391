// SPDX-License-Identifier: Apache-2.0

package udp

import (
	"net"
	"net/netip"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// socket is one bound socket. It sends without waiting and without allocation, which package net cannot.
type socket struct {
	conn *net.UDPConn
	raw  syscall.RawConn
	in   *receiveBatch // of the goroutine that receives; nil if the socket only sends

	mu    sync.Mutex // guards what follows: the arguments and results of try
	to    unix.SockaddrInet4
	data  []byte
	err   error
	try   func(fd uintptr) bool
	batch sendBatch
}

// newSocket takes over conn. A receive buffer smaller than wanted is no error: the system has a limit.
// messages is how many it takes with one system call.
func newSocket(conn *net.UDPConn, receiveBuffer, messages int) (*socket, error) {
	s, err := newSendingSocket(conn)
	if err != nil {
		return nil, err
	}
	if receiveBuffer > 0 {
		if err := conn.SetReadBuffer(receiveBuffer); err != nil {
			return nil, err
		}
	}
	s.in, err = newReceiveBatch(s.raw, messages)
	return s, err
}

// newSendingSocket takes over conn, for sending only.
func newSendingSocket(conn *net.UDPConn) (*socket, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil, err
	}
	s := &socket{conn: conn, raw: raw}
	s.try = func(fd uintptr) bool {
		s.err = unix.Sendto(int(fd), s.data, unix.MSG_DONTWAIT, &s.to)
		return true // also when the buffer is full: never wait
	}
	return s, s.batch.init(raw)
}

// port returns the port that the socket is bound to.
func (s *socket) port() uint16 {
	addr, ok := s.conn.LocalAddr().(*net.UDPAddr)
	if !ok {
		return 0
	}
	return uint16(addr.Port)
}

// sendOn sends one datagram from an interface, with its address as the source: peers check that. It returns ErrBusy as
// send does.
func (s *socket) sendOn(i iface, datagram []byte, to netip.AddrPort) error {
	control := unix.PktInfo4(&unix.Inet4Pktinfo{Ifindex: int32(i.index), Spec_dst: i.prefix.Addr().As4()})
	name := unix.SockaddrInet4{Addr: to.Addr().As4(), Port: int(to.Port())}
	var failed error
	err := s.raw.Write(func(fd uintptr) bool {
		failed = unix.Sendmsg(int(fd), datagram, control, &name, unix.MSG_DONTWAIT)
		return true // also when the buffer is full: never wait
	})
	if err != nil {
		return err
	}
	return sendError(failed)
}

// send sends one datagram or returns ErrBusy.
func (s *socket) send(datagram []byte, to netip.AddrPort) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.to.Addr, s.to.Port, s.data = to.Addr().As4(), int(to.Port()), datagram
	err := s.raw.Write(s.try)
	s.data = nil
	if err != nil {
		return err
	}
	return sendError(s.err)
}
