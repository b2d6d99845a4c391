// SPDX-License-Identifier: Apache-2.0

// Package udp is what a DDSI-RTPS participant asks of a network, and UDP over IPv4: the three sockets of a participant,
// its ports, the choice of interfaces, and batches of datagrams as Linux takes and gives them.
//
// Sending does not wait: all of it is MSG_DONTWAIT, and what the kernel does not take is refused with ErrBusy
// (TestPartialBatches; on a queue that stands still TestStalledQueue of package interop). An address that the kernel
// takes nothing for costs the others nothing (TestLaneOfItsOwn, TestStalledInterface of package interop).
package udp

import (
	"log/slog"
	"net/netip"
)

// Traffic tells the kinds of RTPS traffic apart, each with ports of its own (DDSI-RTPS 9.6.1.1).
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

// Network opens the sockets of a participant. System is the real one; tests pass a virtual one (package vnet).
type Network interface {
	// Listen opens the sockets of one participant. They receive nothing before Serve.
	Listen(Config) (Sockets, error)
}

// Config is what a Network must know about the participant.
type Config struct {
	DomainID      uint32
	Interfaces    []string // names or addresses; empty means all suitable ones
	LocalhostOnly bool
	ReceiveBuffer int // wanted socket receive buffer in bytes
	Logger        *slog.Logger
}

// Sockets are the open sockets of one participant. All methods are safe for concurrent use. None but Refresh and Close
// may wait: a datagram that the network cannot take now is refused with ErrBusy, which tells of its address alone, or
// for Multicast of its interface: others may be tried.
type Sockets interface {
	// ParticipantID is the participant id whose ports were free (DDSI-RTPS 9.6.1.1), or -1 if none were and others were
	// taken.
	ParticipantID() int
	// Locators returns the unicast address peers reach us at on each interface, the preferred one first.
	Locators(Traffic) []netip.AddrPort
	// Interface returns the number of the interface, in the order of Locators, on whose subnet addr is, or -1.
	Interface(addr netip.Addr) int
	// Reachable reports whether a peer may name addr as its locator: an address on a subnet of ours.
	Reachable(addr netip.Addr) bool
	// Refresh looks for added and removed interfaces and addresses and reports whether Locators changed. It may wait
	// for the system: the participant calls it on a goroutine of its own, one call at a time, and no other method may
	// wait for it.
	Refresh() bool
	// Serve starts handing received datagrams to handle, one goroutine for each socket. The bytes are valid during the
	// call only. A socket that can no longer receive is told to lost, with the reason; Close is none.
	Serve(handle func(datagram []byte, from netip.AddrPort, t Traffic), lost func(error))
	// Send sends one datagram from the socket of kind t, Metatraffic or UserTraffic.
	Send(datagram []byte, to netip.AddrPort, t Traffic) error
	// Multicast sends one datagram to the SPDP group on interface number i.
	Multicast(datagram []byte, i int) error
	// Close closes the sockets and returns when no handle call runs any more.
	Close() error
}

// Datagram is one datagram and where it goes.
type Datagram struct {
	Data []byte
	To   netip.AddrPort
}

// OwnSender is implemented by Sockets that can give one destination a send buffer of its own.
type OwnSender interface {
	// SendOwn sends what goes to an address from now on, of kind t, by a socket of its own with a small send buffer, so
	// that ErrBusy tells that its queue is full before the queue of the network interface drops datagrams.
	SendOwn(to netip.Addr, t Traffic)
}

// BatchSender is implemented by Sockets that can hand several datagrams to the system at once.
type BatchSender interface {
	// SendBatch sends datagrams, in order, from the socket of kind t, Metatraffic or UserTraffic. It returns how many
	// the network took; if not all, err says why the next one was not: ErrBusy, or what is wrong with it alone.
	SendBatch(list []Datagram, t Traffic) (n int, err error)
}
