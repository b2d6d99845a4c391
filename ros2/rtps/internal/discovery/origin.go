// SPDX-License-Identifier: Apache-2.0

package discovery

import "net/netip"

// Origin reports whether a submessage that carries r's GUID and came from addr is taken for one of r: UDP has no
// authentication, but another machine has another address. r's addresses are those it announced and the one it
// announces itself from; what this machine sends to itself may come from any of its own. A peer on several networks may
// send from an address that it does not announce here: it is believed as long as nothing has come from an announced
// one.
func (d *Directory) Origin(r *Participant, addr netip.Addr) bool {
	if r.knows(addr) || d.hasAddress(addr) {
		r.verified = true
		return true
	}
	return !r.verified
}
