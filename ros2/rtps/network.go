// SPDX-License-Identifier: Apache-2.0

package rtps

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

// Network opens the sockets of a participant. The default is UDP over IPv4; tests pass a virtual one (package vnet).
type Network interface {
	// Listen opens the sockets of one participant. They receive nothing before Serve.
	Listen(NetworkConfig) (Sockets, error)
}

// NetworkConfig is what a Network must know about the participant.
type NetworkConfig struct {
	DomainID      uint32
	Interfaces    []string // names or addresses; empty means all suitable ones
	LocalhostOnly bool
	ReceiveBuffer int // wanted socket receive buffer in bytes
	Logger        *slog.Logger
}

// Sockets are the open sockets of one participant. All methods are safe for concurrent use, and none blocks for long:
// a datagram that the network cannot take now is refused with ErrBusy.
type Sockets interface {
	// ParticipantID is the participant id whose ports were free (DDSI-RTPS 9.6.1.1).
	ParticipantID() int
	// Locators returns the unicast address peers reach us at on each interface, the preferred one first.
	Locators(Traffic) []netip.AddrPort
	// Interface returns the number of the interface, in the order of Locators, on whose subnet addr is, or -1.
	Interface(addr netip.Addr) int
	// Reachable reports whether a peer may name addr as its locator: an address on a subnet of ours.
	Reachable(addr netip.Addr) bool
	// Refresh looks for added and removed interfaces and addresses and reports whether Locators changed.
	Refresh() bool
	// Serve starts handing received datagrams to handle, one goroutine for each socket. The bytes are valid during the call only.
	// A socket that can no longer receive is told to lost, with the reason; Close is none.
	Serve(handle func(datagram []byte, from netip.AddrPort, t Traffic), lost func(error))
	// Send sends one datagram from the socket of kind t, Metatraffic or UserTraffic.
	Send(datagram []byte, to netip.AddrPort, t Traffic) error
	// Multicast sends one datagram to the SPDP group on interface number i.
	Multicast(datagram []byte, i int) error
	// Close closes the sockets and returns when no handle call runs any more.
	Close() error
}

// Numbers of the well-known ports (DDSI-RTPS 9.6.1.1, table 9.9).
const (
	portBase         = 7400
	domainGain       = 250
	participantGain  = 2
	offsetMulticast  = 0
	offsetMetaUni    = 10
	offsetUserUni    = 11
	maxDomainID      = 232
	maxParticipantID = 119
)

// MulticastPort returns the port of the SPDP multicast group in a domain.
func MulticastPort(domain uint32) uint16 {
	return uint16(portBase + domainGain*domain + offsetMulticast)
}

// UnicastPort returns the unicast port of a kind of traffic for a participant id.
func UnicastPort(domain uint32, id int, t Traffic) uint16 {
	offset := uint32(offsetMetaUni)
	if t == UserTraffic {
		offset = offsetUserUni
	}
	return uint16(portBase + domainGain*domain + offset + participantGain*uint32(id))
}

// maxParticipants returns how many participant ids have ports in a domain: 120, or fewer at the end of the port numbers.
func maxParticipants(domain uint32) int {
	const lastPort = 65535
	return min(maxParticipantID, (lastPort-portBase-domainGain*int(domain)-offsetUserUni)/participantGain) + 1
}

// MulticastGroup returns the SPDP multicast group, 239.255.0.1 (DDSI-RTPS 9.6.1.4).
func MulticastGroup() netip.Addr { return netip.AddrFrom4([4]byte{239, 255, 0, 1}) }

// loopback returns the address of localhost mode.
func loopback() netip.Addr { return netip.AddrFrom4([4]byte{127, 0, 0, 1}) }
