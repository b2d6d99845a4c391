// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"net/netip"
)

// Receive hands a datagram to a participant as if a socket had received it from this machine.
func Receive(p *Participant, datagram []byte) {
	p.receive(datagram, netip.AddrPortFrom(loopback(), 7411), UserTraffic)
}
