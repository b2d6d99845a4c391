// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"net/netip"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
)

// SetPeers replaces the peers that are probed by unicast. New ones are probed at once.
func (d *Directory) SetPeers(peers []netip.Addr, now time.Time) {
	before := d.peers
	d.peers = d.probed(peers)
	isNew := func(a netip.Addr) bool { return !slices.Contains(before, a) }
	if slices.ContainsFunc(d.peers, isNew) {
		d.spdp.sent = min(d.spdp.sent, 1) // a burst again
		d.announce(now)
	}
}

// probed returns the addresses that are probed by unicast.
func (d *Directory) probed(peers []netip.Addr) (out []netip.Addr) {
	if d.cfg.LocalhostOnly {
		return []netip.Addr{udp.Loopback()}
	}
	for _, a := range peers {
		if a = a.Unmap(); a.Is4() && !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}

// probes returns the addresses that are probed now: those of SetPeers, and this machine where the loopback interface is
// the only one, since Cyclone DDS uses no multicast on it unless it has the flag MULTICAST.
func (d *Directory) probes() []netip.Addr {
	if slices.ContainsFunc(d.socks.Locators(udp.Metatraffic), func(l netip.AddrPort) bool { return !l.Addr().IsLoopback() }) ||
		slices.ContainsFunc(d.peers, netip.Addr.IsLoopback) {
		return d.peers
	}
	return append(slices.Clone(d.peers), udp.Loopback())
}

// idsOn returns how many participant ids are probed on a machine: probedIDs, and if more are in use, half as many above
// the highest known one. Participants use the lowest free id, so all are eventually found.
func (d *Directory) idsOn(peer netip.Addr) int {
	n, self := probedIDs, d.hasAddress(peer)
	if self {
		n = max(n, d.socks.ParticipantID()+1)
	}
	for _, r := range d.remotes {
		if addr := r.meta.To.Addr(); addr == peer || self && d.hasAddress(addr) {
			n = max(n, udp.IDAt(d.cfg.DomainID, r.meta.To)+1+probedIDs/2)
		}
	}
	return min(n, udp.IDs(d.cfg.DomainID, d.cfg.LocalhostOnly))
}

// hasAddress reports whether addr is an address of the local participant.
func (d *Directory) hasAddress(addr netip.Addr) bool {
	for _, l := range d.socks.Locators(udp.Metatraffic) {
		if l.Addr() == addr {
			return true
		}
	}
	return addr.IsLoopback()
}
