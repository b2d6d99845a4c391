// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"net/netip"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
)

// SetPeers replaces Config.Peers, for peers whose addresses become known or change later. New ones are looked for at
// once. With Config.LocalhostOnly it changes nothing.
func (p *Participant) SetPeers(peers []netip.Addr) {
	p.mu.Lock()
	defer p.unlock()
	before := p.peers
	p.peers = p.probed(peers)
	isNew := func(a netip.Addr) bool { return !slices.Contains(before, a) }
	if !p.closed && slices.ContainsFunc(p.peers, isNew) {
		p.spdp.sent = min(p.spdp.sent, 1) // a burst again
		p.announce(time.Now())
	}
}

// probed returns the addresses that are probed by unicast.
func (p *Participant) probed(peers []netip.Addr) (out []netip.Addr) {
	if p.cfg.LocalhostOnly {
		return []netip.Addr{udp.Loopback()}
	}
	for _, a := range peers {
		if a = a.Unmap(); a.Is4() && !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}
