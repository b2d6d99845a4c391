// SPDX-License-Identifier: Apache-2.0

package udp

import (
	"errors"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// errAddressInUse is matched when the port is taken, or the group joined already.
const errAddressInUse = windows.WSAEADDRINUSE

// Options that package windows does not have.
const (
	soExclusiveAddrUse = ^windows.SO_REUSEADDR                    // SO_EXCLUSIVEADDRUSE of winsock2.h
	sioUDPNetReset     = windows.IOC_IN | windows.IOC_VENDOR | 15 // SIO_UDP_NETRESET of mswsock.h
	fionbio            = 0x8004667e                               // FIONBIO of winsock2.h
	fdRead             = 1                                        // FD_READ of winsock2.h
)

// prepare sets what must be set before a socket is bound. On Windows the option SO_REUSEADDR lets a socket take the
// port of any other that does not forbid it: so one that shares its port has it, and all others forbid it. Datagrams
// that a peer or a router refuses are not reported: receiving would fail for them.
func prepare(s windows.Handle, shared bool) error {
	for _, code := range []uint32{windows.SIO_UDP_CONNRESET, sioUDPNetReset} {
		_ = set(s, code, 0) // older systems lack the second, and Wine both
	}
	if shared {
		return os.NewSyscallError("setsockopt", windows.SetsockoptInt(s, windows.SOL_SOCKET, windows.SO_REUSEADDR, 1))
	}
	err := windows.SetsockoptInt(s, windows.SOL_SOCKET, soExclusiveAddrUse, 1)
	if errors.Is(err, windows.WSAENOPROTOOPT) { // Wine
		return nil
	}
	return os.NewSyscallError("setsockopt", err)
}

// neverBlock has all calls return WSAEWOULDBLOCK instead of waiting.
func neverBlock(s windows.Handle) error { return set(s, fionbio, 1) }

// set gives a socket's ioctl a value.
func set(s windows.Handle, code, value uint32) error {
	returned := uint32(0)
	err := windows.WSAIoctl(s, code, (*byte)(unsafe.Pointer(&value)), uint32(unsafe.Sizeof(value)), nil, 0, &returned, nil, 0)
	return os.NewSyscallError("WSAIoctl", err)
}

// selectRead has the system set an event when the socket has a datagram, and again after each read that leaves some.
func selectRead(s, event windows.Handle) error {
	call := windows.NewLazySystemDLL("ws2_32.dll").NewProc("WSAEventSelect")
	if failed, _, err := call.Call(uintptr(s), uintptr(event), fdRead); failed != 0 {
		return os.NewSyscallError("WSAEventSelect", err)
	}
	return nil
}

// setSendBuffer sets the size of the queue of what is sent, bytes.
func setSendBuffer(s windows.Handle, bytes int) error {
	return os.NewSyscallError("setsockopt", windows.SetsockoptInt(s, windows.SOL_SOCKET, windows.SO_SNDBUF, bytes))
}

func setMulticastLoop(s windows.Handle) error {
	return os.NewSyscallError("setsockopt", windows.SetsockoptInt(s, windows.IPPROTO_IP, windows.IP_MULTICAST_LOOP, 1))
}

func setMulticastHostOnly(s windows.Handle) error {
	return os.NewSyscallError("setsockopt", windows.SetsockoptInt(s, windows.IPPROTO_IP, windows.IP_MULTICAST_TTL, 0))
}

// joinGroup reports a group that was joined already by errAddressInUse: Windows says WSAEINVAL.
func joinGroup(s windows.Handle, group, local [4]byte) error {
	err := windows.SetsockoptIPMreq(s, windows.IPPROTO_IP, windows.IP_ADD_MEMBERSHIP, &windows.IPMreq{Multiaddr: group, Interface: local})
	if errors.Is(err, windows.WSAEINVAL) {
		return errAddressInUse
	}
	return os.NewSyscallError("setsockopt", err)
}

func setMulticastInterface(s windows.Handle, local [4]byte) error {
	return os.NewSyscallError("setsockopt", windows.SetsockoptInet4Addr(s, windows.IPPROTO_IP, windows.IP_MULTICAST_IF, local))
}
