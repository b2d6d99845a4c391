// SPDX-License-Identifier: Apache-2.0

package udp

import "net/netip"

// Numbers of the well-known ports (DDSI-RTPS 9.6.1.1, table 9.9).
const (
	portBase        = 7400
	domainGain      = 250
	participantGain = 2
	offsetMulticast = 0
	offsetMetaUni   = 10
	offsetUserUni   = 11
	// MaxDomainID is the greatest domain that has ports.
	MaxDomainID      = 232
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

// maxParticipants returns how many participant ids have ports in a domain: 120, or fewer at the end of the port
// numbers.
func maxParticipants(domain uint32) int {
	const lastPort = 65535
	return min(maxParticipantID, (lastPort-portBase-domainGain*int(domain)-offsetUserUni)/participantGain) + 1
}

// MulticastGroup returns the SPDP multicast group, 239.255.0.1 (DDSI-RTPS 9.6.1.4).
func MulticastGroup() netip.Addr { return netip.AddrFrom4([4]byte{239, 255, 0, 1}) }

// loopback returns the address of localhost mode, 127.0.0.1, or the n-th after it, for participants that find no free
// port there.
func loopback(n int) netip.Addr { return netip.AddrFrom4([4]byte{127, 0, 0, byte(1 + n)}) }

// maxLocalhostIDs is how many participants localhost mode has addresses for: 127.0.0.1 to 127.0.0.10.
const maxLocalhostIDs = 1200

// IDs returns how many participant ids have addresses in a domain, in localhost mode or not.
func IDs(domain uint32, localhost bool) int {
	if localhost {
		return maxLocalhostIDs
	}
	return maxParticipants(domain)
}

// Place returns the discovery address of the participant with an id on a machine. In localhost mode those without a
// port on 127.0.0.1 use 127.0.0.2 and so on, and machine is ignored.
func Place(domain uint32, localhost bool, machine netip.Addr, id int) netip.AddrPort {
	if localhost {
		ports := maxParticipants(domain)
		machine, id = loopback(id/ports), id%ports
	}
	return netip.AddrPortFrom(machine, UnicastPort(domain, id, Metatraffic))
}

// IDAt returns the id of the participant with a discovery address, or -1 if the port, or the loopback address, belongs
// to no id.
func IDAt(domain uint32, at netip.AddrPort) int {
	ports := maxParticipants(domain)
	ahead := int(at.Port()) - int(UnicastPort(domain, 0, Metatraffic))
	id := ahead / participantGain
	if ahead < 0 || ahead%participantGain != 0 || id >= ports {
		return -1
	}
	if machine := at.Addr().Unmap(); machine.IsLoopback() {
		n := 0 // index of the address of localhost mode
		for n*ports < maxLocalhostIDs && machine != loopback(n) {
			n++
		}
		if id += ports * n; id >= maxLocalhostIDs {
			return -1
		}
	}
	return id
}

// Loopback returns 127.0.0.1.
func Loopback() netip.Addr { return loopback(0) }
