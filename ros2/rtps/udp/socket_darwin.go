// SPDX-License-Identifier: Apache-2.0

package udp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"syscall"
)

// socket is one bound socket of package net. Unlike Linux' it sends one datagram per system call, and waits where the
// system's queue is full.
type socket struct {
	local  netip.AddrPort
	conn   *net.UDPConn
	buffer []byte // of the goroutine that receives; nil if the socket only sends
	closed atomic.Bool

	mu    sync.Mutex // guards the interface of multicasts, from its choice until the datagram is sent
	index int        // of that interface; 0 before the first
}

// receiveOn prepares a socket for receiving; the number of messages per system call is 1 here. A receive buffer smaller
// than requested is not an error: the system limits it.
func (s *socket) receiveOn(receiveBuffer, _ int) error {
	s.buffer = make([]byte, 1<<16)
	if receiveBuffer <= 0 {
		return nil
	}
	_ = s.conn.SetReadBuffer(receiveBuffer) // macOS refuses more than its limit, Windows none
	return nil
}

// open binds a socket for sending. If shared is set, other sockets with the same options may bind the port, too.
func open(local netip.AddrPort, shared bool) (*socket, error) {
	config := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error {
		return control(c, func(fd uintptr) error { return prepare(fd, shared) })
	}}
	c, err := config.ListenPacket(context.Background(), "udp4", local.String())
	if err != nil {
		return nil, fmt.Errorf("udp %v: %w", local, err)
	}
	conn, ok := c.(*net.UDPConn)
	if !ok {
		return nil, errors.Join(fmt.Errorf("udp %v: %T is no UDP socket", local, c), c.Close())
	}
	s := &socket{conn: conn}
	if s.local, err = netip.ParseAddrPort(conn.LocalAddr().String()); err != nil {
		return nil, errors.Join(fmt.Errorf("udp %v: %w", local, err), conn.Close())
	}
	return s, nil
}

// control calls f with the socket's handle.
func control(c syscall.RawConn, f func(fd uintptr) error) error {
	var failed error
	if err := c.Control(func(fd uintptr) { failed = f(fd) }); err != nil {
		return err
	}
	return failed
}

// option calls f with the socket's handle.
func (s *socket) option(f func(fd uintptr) error) error {
	c, err := s.conn.SyscallConn()
	if err != nil {
		return err
	}
	return control(c, f)
}

// sendOnly makes the socket one that only sends, with a send buffer of a number of bytes.
func (s *socket) sendOnly(buffer int) error { return s.conn.SetWriteBuffer(buffer) }

// loopMulticast delivers what is sent to a group to this machine, too.
func (s *socket) loopMulticast() error { return s.option(setMulticastLoop) }

// keepMulticast keeps what is sent to a group on this machine.
func (s *socket) keepMulticast() error { return s.option(setMulticastHostOnly) }

// receiveJoined has nothing to do: a socket gets what arrives on the interfaces where it joined the group.
func (s *socket) receiveJoined() error { return nil }

// loopbackGroup returns the address to bind for receiving the discovery group on the loopback interface alone.
func loopbackGroup() netip.Addr { return MulticastGroup() }

// join joins a multicast group on an interface, which is named by its address: so all systems can.
func (s *socket) join(group netip.Addr, i iface) error {
	return s.option(func(fd uintptr) error { return joinGroup(fd, group.As4(), i.prefix.Addr().As4()) })
}

// close ends sending and receiving. Closing twice is harmless.
func (s *socket) close() error {
	if s.closed.Swap(true) {
		return nil
	}
	return s.conn.Close()
}

// send sends one datagram.
func (s *socket) send(datagram []byte, to netip.AddrPort) error {
	_, err := s.conn.WriteToUDPAddrPort(datagram, to)
	return sendError(err)
}

// sendOn sends one datagram to a group on an interface, whose address the system makes its source.
func (s *socket) sendOn(i iface, datagram []byte, to netip.AddrPort) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.index != i.index {
		if err := s.option(func(fd uintptr) error { return setMulticastInterface(fd, i.prefix.Addr().As4()) }); err != nil {
			return err
		}
		s.index = i.index
	}
	return s.send(datagram, to)
}

// sendError maps a full buffer to ErrBusy and returns other errors unchanged.
func sendError(err error) error {
	if errors.Is(err, errNoBuffers) {
		return ErrBusy
	}
	return err
}

// receive reads datagrams until the socket is closed, when it returns nil, or lost. Single errors concern earlier
// datagrams (ICMP) and are ignored.
func (s *socket) receive(handle func([]byte, netip.AddrPort)) error {
	for failures := 0; ; {
		n, from, err := s.conn.ReadFromUDPAddrPort(s.buffer)
		if s.closed.Load() {
			return nil
		}
		if err == nil {
			failures = 0
			handle(s.buffer[:n], netip.AddrPortFrom(from.Addr().Unmap(), from.Port()))
			continue
		}
		failures++
		if err := s.failed(failures, err); err != nil {
			return err
		}
	}
}
