// SPDX-License-Identifier: Apache-2.0

package udp

import (
	"errors"

	"golang.org/x/sys/unix"
)

// Errors of the system: the port is taken or the group joined already; there is no memory for the datagram.
const (
	errAddressInUse = unix.EADDRINUSE
	errNoBuffers    = unix.ENOBUFS
)

// prepare sets what must be set before a socket is bound. To share a port, all of its sockets need both options.
func prepare(fd uintptr, shared bool) error {
	if !shared {
		return nil
	}
	return errors.Join(unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEADDR, 1),
		unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEPORT, 1))
}

func setMulticastLoop(fd uintptr) error {
	return unix.SetsockoptInt(int(fd), unix.IPPROTO_IP, unix.IP_MULTICAST_LOOP, 1)
}

func setMulticastHostOnly(fd uintptr) error {
	return unix.SetsockoptInt(int(fd), unix.IPPROTO_IP, unix.IP_MULTICAST_TTL, 0)
}

func joinGroup(fd uintptr, group, local [4]byte) error {
	return unix.SetsockoptIPMreq(int(fd), unix.IPPROTO_IP, unix.IP_ADD_MEMBERSHIP, &unix.IPMreq{Multiaddr: group, Interface: local})
}

func setMulticastInterface(fd uintptr, local [4]byte) error {
	return unix.SetsockoptInet4Addr(int(fd), unix.IPPROTO_IP, unix.IP_MULTICAST_IF, local)
}
