// SPDX-License-Identifier: Apache-2.0

package udp

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// errAddressInUse is matched when the port is taken, or the group joined already.
const errAddressInUse = unix.EADDRINUSE

// socket is one bound socket. It sends without blocking or allocating, which package net cannot.
//
// It is not registered with the runtime's poller, which would also wake up whenever the socket becomes writable again:
// each time the receiver or the network card has consumed a datagram. Receiving waits on ready instead.
type socket struct {
	local  netip.AddrPort
	ready  *os.File        // an epoll set of only this socket, readable when the socket is; nil if it only sends
	wait   syscall.RawConn // of ready
	in     *receiveBatch   // of the goroutine that receives; nil if the socket only sends
	closed atomic.Bool

	mu    sync.Mutex // guards the fields below
	fd    int        // -1 after close
	batch sendBatch
}

// receiveOn prepares a socket for receiving up to messages per system call. A receive buffer smaller than requested is
// not an error: the system limits it.
func (s *socket) receiveOn(receiveBuffer, messages int) error {
	if receiveBuffer > 0 {
		if err := s.option(unix.SOL_SOCKET, unix.SO_RCVBUF, receiveBuffer); err != nil {
			return err
		}
	}
	set, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return os.NewSyscallError("epoll_create1", err)
	}
	if err := unix.EpollCtl(set, unix.EPOLL_CTL_ADD, s.fd, &unix.EpollEvent{Events: unix.EPOLLIN}); err != nil {
		return errors.Join(os.NewSyscallError("epoll_ctl", err), unix.Close(set))
	}
	if err := unix.SetNonblock(set, true); err != nil { // so that the runtime waits for it
		return errors.Join(os.NewSyscallError("fcntl", err), unix.Close(set))
	}
	s.ready = os.NewFile(uintptr(set), "socket")
	if s.wait, err = s.ready.SyscallConn(); err != nil {
		return err
	}
	s.in = newReceiveBatch(s.fd, messages)
	return nil
}

// open binds a socket for sending. If shared is set, other sockets with the same options may bind the port, too.
func open(local netip.AddrPort, shared bool) (*socket, error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	s := &socket{fd: fd}
	s.batch.init(fd)
	if err := s.bind(local, shared); err != nil {
		return nil, errors.Join(fmt.Errorf("udp %v: %w", local, err), s.close())
	}
	return s, nil
}

func (s *socket) bind(local netip.AddrPort, shared bool) error {
	if shared { // other implementations set both options, and Linux requires the same of all sockets on a port
		if err := errors.Join(s.option(unix.SOL_SOCKET, unix.SO_REUSEADDR, 1), s.option(unix.SOL_SOCKET, unix.SO_REUSEPORT, 1)); err != nil {
			return err
		}
	}
	if err := unix.Bind(s.fd, &unix.SockaddrInet4{Addr: local.Addr().As4(), Port: int(local.Port())}); err != nil {
		return os.NewSyscallError("bind", err)
	}
	bound, err := unix.Getsockname(s.fd)
	if err != nil {
		return os.NewSyscallError("getsockname", err)
	}
	if a, ok := bound.(*unix.SockaddrInet4); ok {
		s.local = netip.AddrPortFrom(netip.AddrFrom4(a.Addr), uint16(a.Port))
	}
	return nil
}

// option sets an integer option.
func (s *socket) option(level, name, value int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return os.NewSyscallError("setsockopt", unix.SetsockoptInt(s.fd, level, name, value))
}

// sendOnly makes the socket one that only sends, with a send buffer of a number of bytes.
func (s *socket) sendOnly(buffer int) error {
	return errors.Join(s.option(unix.SOL_SOCKET, unix.SO_SNDBUF, buffer), s.option(unix.SOL_SOCKET, unix.SO_RCVBUF, 0))
}

// loopMulticast delivers what is sent to a group to this machine, too.
func (s *socket) loopMulticast() error { return s.option(unix.IPPROTO_IP, unix.IP_MULTICAST_LOOP, 1) }

// keepMulticast keeps what is sent to a group on this machine.
func (s *socket) keepMulticast() error { return s.option(unix.IPPROTO_IP, unix.IP_MULTICAST_TTL, 0) }

// receiveJoined has the socket receive only what arrives on interfaces where it joined the group, not what any other
// socket of the machine joined.
func (s *socket) receiveJoined() error { return s.option(unix.IPPROTO_IP, unix.IP_MULTICAST_ALL, 0) }

// loopbackGroup returns the address to bind for receiving the discovery group on the loopback interface alone.
func loopbackGroup() netip.Addr { return MulticastGroup() }

// join joins a multicast group on an interface. The call may block.
func (s *socket) join(group netip.Addr, i iface) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return unix.SetsockoptIPMreqn(s.fd, unix.IPPROTO_IP, unix.IP_ADD_MEMBERSHIP, &unix.IPMreqn{Multiaddr: group.As4(), Ifindex: int32(i.index)})
}

// close ends sending and receiving, and returns when neither is running. Closing twice is harmless.
func (s *socket) close() error {
	if s.closed.Swap(true) {
		return nil
	}
	var err error
	if s.ready != nil {
		err = s.ready.Close() // returns when receive has released the socket
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	fd := s.fd
	s.fd = -1
	return errors.Join(err, os.NewSyscallError("close", unix.Close(fd)))
}

// send sends one datagram or returns ErrBusy.
func (s *socket) send(datagram []byte, to netip.AddrPort) error {
	one := [...]Datagram{{datagram, to}}
	_, err := s.sendAll(one[:])
	return err
}

// sendOn sends one datagram on an interface, with its address as the source, which peers check. It returns ErrBusy as
// send does.
func (s *socket) sendOn(i iface, datagram []byte, to netip.AddrPort) error {
	control := unix.PktInfo4(&unix.Inet4Pktinfo{Ifindex: int32(i.index), Spec_dst: i.prefix.Addr().As4()})
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fd < 0 {
		return net.ErrClosed
	}
	name := unix.SockaddrInet4{Addr: to.Addr().As4(), Port: int(to.Port())}
	return sendError(unix.Sendmsg(s.fd, datagram, control, &name, unix.MSG_DONTWAIT))
}
