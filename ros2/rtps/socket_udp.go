// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"net"
	"net/netip"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// udpSocket is one bound socket. It sends without waiting and without allocation, which package net cannot.
type udpSocket struct {
	conn *net.UDPConn
	raw  syscall.RawConn
	in   *receiveBatch // of the goroutine that receives

	mu    sync.Mutex // guards what follows: the arguments and results of try
	to    unix.SockaddrInet4
	data  []byte
	err   error
	try   func(fd uintptr) bool
	batch sendBatch
}

// newUDPSocket takes over conn. A receive buffer smaller than wanted is no error: the system has a limit.
// messages is how many it takes with one system call.
func newUDPSocket(conn *net.UDPConn, receiveBuffer, messages int) (*udpSocket, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil, err
	}
	if receiveBuffer > 0 {
		if err := conn.SetReadBuffer(receiveBuffer); err != nil {
			return nil, err
		}
	}
	in, err := newReceiveBatch(raw, messages)
	if err != nil {
		return nil, err
	}
	s := &udpSocket{conn: conn, raw: raw, in: in}
	s.try = func(fd uintptr) bool {
		s.err = unix.Sendto(int(fd), s.data, unix.MSG_DONTWAIT, &s.to)
		return true // also when the buffer is full: never wait
	}
	return s, s.batch.init(raw)
}

// send sends one datagram or returns ErrBusy.
func (s *udpSocket) send(datagram []byte, to netip.AddrPort) error {
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
