// SPDX-License-Identifier: Apache-2.0

package discovery

import "net/netip"

// Origin reports whether a submessage with r's GUID from addr is accepted as sent by r: UDP has no authentication, but
// another machine has another address. r's addresses are those it announced and the source of its announcements; from
// this machine any local address is accepted. A peer on several networks may send from an address that it does not
// announce here: that is accepted until something arrives from an announced one.
func (d *Directory) Origin(r *Participant, addr netip.Addr) bool {
	if r.ownsAddress(addr) || d.hasAddress(addr) {
		r.verified = true
		return true
	}
	return !r.verified
}
