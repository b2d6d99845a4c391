// SPDX-License-Identifier: Apache-2.0

package udp

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/windows"
)

// sendBuffer is the size of the queue of what is sent, bytes: as Linux' own. That of Windows, 64 kB, is one image's.
const sendBuffer = 208 << 10

// socket is one bound socket. It sends without blocking, one datagram per system call, which package net cannot: its
// sockets wait where the system's queue is full. Those do not open under Wine, either.
type socket struct {
	local  netip.AddrPort
	in     *receiver // nil if the socket only sends
	closed atomic.Bool

	mu     sync.Mutex     // guards the fields below; while a multicast is sent also its interface
	handle windows.Handle // InvalidHandle after close
	index  int            // interface of the last multicast; 0 before the first
}

// open binds a socket for sending. If shared is set, other sockets with the same options may bind the port, too.
func open(local netip.AddrPort, shared bool) (*socket, error) {
	if err := windows.WSAStartup(0x202, &windows.WSAData{}); err != nil { // counts; close calls WSACleanup
		return nil, os.NewSyscallError("WSAStartup", err)
	}
	const flags = windows.WSA_FLAG_OVERLAPPED | windows.WSA_FLAG_NO_HANDLE_INHERIT
	handle, err := windows.WSASocket(windows.AF_INET, windows.SOCK_DGRAM, windows.IPPROTO_UDP, nil, 0, flags)
	if err != nil {
		return nil, errors.Join(os.NewSyscallError("WSASocket", err), windows.WSACleanup())
	}
	s := &socket{handle: handle}
	if err := s.bind(local, shared); err != nil {
		return nil, errors.Join(fmt.Errorf("udp %v: %w", local, err), s.close())
	}
	return s, nil
}

func (s *socket) bind(local netip.AddrPort, shared bool) error {
	if err := errors.Join(neverBlock(s.handle), prepare(s.handle, shared), setSendBuffer(s.handle, sendBuffer)); err != nil {
		return err
	}
	if err := windows.Bind(s.handle, &windows.SockaddrInet4{Addr: local.Addr().As4(), Port: int(local.Port())}); err != nil {
		return os.NewSyscallError("bind", err)
	}
	bound, err := windows.Getsockname(s.handle)
	if err != nil {
		return os.NewSyscallError("getsockname", err)
	}
	if a, ok := bound.(*windows.SockaddrInet4); ok {
		s.local = netip.AddrPortFrom(netip.AddrFrom4(a.Addr), uint16(a.Port))
	}
	return nil
}

// option calls f with the socket's handle, unless it is closed.
func (s *socket) option(f func(windows.Handle) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return f(s.handle) // InvalidHandle: WSAENOTSOCK
}

// sendOnly makes the socket one that only sends, with a send buffer of a number of bytes.
func (s *socket) sendOnly(buffer int) error {
	return s.option(func(h windows.Handle) error { return setSendBuffer(h, buffer) })
}

// loopMulticast delivers what is sent to a group to this machine, too.
func (s *socket) loopMulticast() error { return s.option(setMulticastLoop) }

// keepMulticast keeps what is sent to a group on this machine.
func (s *socket) keepMulticast() error { return s.option(setMulticastHostOnly) }

// receiveJoined has nothing to do: a socket gets what arrives on the interfaces where it joined the group.
func (s *socket) receiveJoined() error { return nil }

// loopbackGroup returns the address to bind for receiving the discovery group on the loopback interface alone: Windows
// permits none of a group, and delivers the group to a socket of the interface's address.
func loopbackGroup() netip.Addr { return loopback(0) }

// join joins a multicast group on an interface. The call may block.
func (s *socket) join(group netip.Addr, i iface) error {
	return s.option(func(h windows.Handle) error { return joinGroup(h, group.As4(), i.prefix.Addr().As4()) })
}

// close ends sending and receiving, and returns when neither is running. Closing twice is harmless.
func (s *socket) close() error {
	if s.closed.Swap(true) {
		return nil
	}
	var err error
	if s.in != nil {
		err = s.in.close()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	handle := s.handle
	s.handle = windows.InvalidHandle
	return errors.Join(err, os.NewSyscallError("closesocket", windows.Closesocket(handle)), windows.WSACleanup())
}

// send sends one datagram or returns ErrBusy.
func (s *socket) send(datagram []byte, to netip.AddrPort) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return sendTo(s.handle, datagram, to)
}

// sendOn sends one datagram to a group on an interface, whose address the system makes its source. It returns ErrBusy
// as send does.
func (s *socket) sendOn(i iface, datagram []byte, to netip.AddrPort) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.index != i.index {
		if err := setMulticastInterface(s.handle, i.prefix.Addr().As4()); err != nil {
			return err
		}
		s.index = i.index
	}
	return sendTo(s.handle, datagram, to)
}

// sendTo sends one datagram or returns ErrBusy.
func sendTo(s windows.Handle, datagram []byte, to netip.AddrPort) error {
	addr := windows.RawSockaddrInet4{Family: windows.AF_INET, Addr: to.Addr().As4()}
	binary.BigEndian.PutUint16((*[2]byte)(unsafe.Pointer(&addr.Port))[:], to.Port())
	buffer, sent := windows.WSABuf{Len: uint32(len(datagram)), Buf: unsafe.SliceData(datagram)}, uint32(0)
	err := windows.WSASendTo(s, &buffer, 1, &sent, 0, (*windows.RawSockaddrAny)(unsafe.Pointer(&addr)),
		int32(unsafe.Sizeof(addr)), nil, nil)
	if errors.Is(err, windows.WSAEWOULDBLOCK) || errors.Is(err, windows.WSAENOBUFS) {
		return ErrBusy
	}
	return os.NewSyscallError("WSASendTo", err)
}
