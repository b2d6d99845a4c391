// SPDX-License-Identifier: Apache-2.0

// Package udp defines the network interface of a DDSI-RTPS participant and implements it for UDP over IPv4: the three
// sockets of a participant, its ports, the selection of interfaces, and batched system calls of Linux.
//
// Sending does not block: it uses MSG_DONTWAIT, and what the kernel does not accept returns ErrBusy
// (TestUnsentMessagesAreSentAgain; on a stalled queue TestStalledQueue of package interop). A stalled address does not
// affect the others (TestFullDestinationGetsItsOwnSocket, TestStalledInterface of package interop).
package udp

import (
	"log/slog"
	"net/netip"
)

// Traffic is a kind of RTPS traffic, each with its own ports (DDSI-RTPS 9.6.1.1).
type Traffic uint8

const (
	// Multicast is discovery traffic to the SPDP group.
	Multicast Traffic = iota
	// Metatraffic is unicast discovery and liveliness traffic.
	Metatraffic
	// UserTraffic is unicast traffic of topics.
	UserTraffic
)

// String names the kind in logs.
func (t Traffic) String() string {
	switch t {
	case Multicast:
		return "multicast"
	case Metatraffic:
		return "metatraffic"
	default:
		return "user traffic"
	}
}

// Network opens the sockets of a participant. System uses the operating system's; tests use a virtual network (package
// vnet).
type Network interface {
	// Listen opens the sockets of one participant. They receive nothing before Serve.
	Listen(Config) (Sockets, error)
}

// Config is the configuration of a participant's sockets.
type Config struct {
	DomainID      uint32
	Interfaces    []string // names or addresses; empty means all suitable ones
	LocalhostOnly bool
	ReceiveBuffer int // requested socket receive buffer, bytes
	Logger        *slog.Logger
}

// Sockets are the open sockets of one participant. All methods are safe for concurrent use. Only Refresh and Close may
// block: sending a datagram that the network cannot accept now returns ErrBusy, which applies to its address only, or
// for Multicast to its interface: others may be tried.
type Sockets interface {
	// ParticipantID is the participant id whose ports were free (DDSI-RTPS 9.6.1.1), or -1 if other ports are used
	// because none were.
	ParticipantID() int
	// Locators returns this participant's unicast address on each interface, the preferred one first.
	Locators(Traffic) []netip.AddrPort
	// Interface returns the number of the interface, in the order of Locators, on whose subnet addr is, or -1.
	Interface(addr netip.Addr) int
	// Reachable reports whether addr is acceptable as a peer's locator: an address on one of our subnets.
	Reachable(addr netip.Addr) bool
	// Refresh detects added and removed interfaces and addresses and reports whether Locators changed. It may block:
	// the participant calls it on a separate goroutine, one call at a time, and no other method may wait for it.
	Refresh() bool
	// Serve starts passing received datagrams to handle, on one goroutine per socket. The bytes are valid during the
	// call only. If a socket can no longer receive, except after Close, lost is called with the reason.
	Serve(handle func(datagram []byte, from netip.AddrPort, t Traffic), lost func(error))
	// Send sends one datagram from the socket of kind t, Metatraffic or UserTraffic.
	Send(datagram []byte, to netip.AddrPort, t Traffic) error
	// Multicast sends one datagram to the SPDP group on interface number i.
	Multicast(datagram []byte, i int) error
	// Close closes the sockets and returns when all calls of handle have returned.
	Close() error
}

// Datagram is one datagram and its destination.
type Datagram struct {
	Data []byte
	To   netip.AddrPort
}

// OwnSender is implemented by Sockets that can use a dedicated socket for a destination.
type OwnSender interface {
	// SendOwn makes later sends of kind t to an address use a separate socket with a small send buffer, so that ErrBusy
	// is returned before the queue of the network interface drops datagrams.
	SendOwn(to netip.Addr, t Traffic)
}

// BatchSender is implemented by Sockets that can send several datagrams at once.
type BatchSender interface {
	// SendBatch sends datagrams, in order, from the socket of kind t, Metatraffic or UserTraffic. It returns how many
	// were sent; if not all, err is the next one's error: ErrBusy, or an error that concerns only it.
	SendBatch(list []Datagram, t Traffic) (n int, err error)
}
