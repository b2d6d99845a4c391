// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// maxUDPPayload is the largest UDP payload there is; peers send up to 65,500 bytes.
const maxUDPPayload = 65507

// udpSocket is one bound socket. It sends without waiting and without allocation, which package net cannot.
type udpSocket struct {
	conn *net.UDPConn
	raw  syscall.RawConn

	mu   sync.Mutex // guards what follows: the arguments and results of try
	to   unix.SockaddrInet4
	data []byte
	err  error
	try  func(fd uintptr) bool
}

// newUDPSocket takes over conn. A receive buffer smaller than wanted is no error: the system has a limit.
func newUDPSocket(conn *net.UDPConn, receiveBuffer int) (*udpSocket, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil, err
	}
	if receiveBuffer > 0 {
		if err := conn.SetReadBuffer(receiveBuffer); err != nil {
			return nil, err
		}
	}
	s := &udpSocket{conn: conn, raw: raw}
	s.try = func(fd uintptr) bool {
		s.err = unix.Sendto(int(fd), s.data, unix.MSG_DONTWAIT, &s.to)
		return true // also when the buffer is full: never wait
	}
	return s, nil
}

// send sends one datagram or returns ErrBusy.
func (s *udpSocket) send(datagram []byte, to netip.AddrPort) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.to.Addr, s.to.Port, s.data = to.Addr().As4(), int(to.Port()), datagram
	err := s.raw.Write(s.try)
	s.data = nil
	switch {
	case err != nil:
		return err
	case errors.Is(s.err, unix.EAGAIN) || errors.Is(s.err, unix.ENOBUFS):
		return ErrBusy
	default:
		return s.err
	}
}

// Failures to receive, in a row.
const (
	tiringFailures = 10 // from this many on there is a pause between two …
	failurePause   = 10 * time.Millisecond
	fatalFailures  = 300 // … and this many, about 3 s, mean that the socket is lost
)

// receive reads datagrams until the socket is closed, which gives nil, or lost. Single errors are reports about earlier datagrams
// (ICMP) and are passed over.
func (s *udpSocket) receive(handle func([]byte, netip.AddrPort)) error {
	buf := make([]byte, maxUDPPayload+1)
	for failures := 0; ; {
		n, from, err := s.conn.ReadFromUDPAddrPort(buf)
		switch {
		case errors.Is(err, net.ErrClosed):
			return nil
		case err == nil:
			failures = 0
			handle(buf[:n], netip.AddrPortFrom(from.Addr().Unmap(), from.Port()))
			continue
		}
		switch failures++; {
		case failures >= fatalFailures:
			return fmt.Errorf("%w: %d failures to receive in a row on %v: %w", ErrLost, failures, s.conn.LocalAddr(), err)
		case failures > tiringFailures: // the system is in trouble: do not add to it
			<-time.After(failurePause)
		}
	}
}
