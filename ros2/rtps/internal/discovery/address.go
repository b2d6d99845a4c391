// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"net/netip"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/send"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// minLocatorPort is the lowest port accepted in a peer's locator: those below belong to system services.
const minLocatorPort = 1024

// choose selects the destination from a peer's locators: the source address of its announcements if that is listed,
// else the first on one of our subnets. With any other, a forged announcement could direct our traffic at a third
// party.
func (d *Directory) choose(list []wire.Locator, source netip.Addr) (best netip.AddrPort, ok bool) {
	for _, l := range list {
		ap, valid := l.AddrPort()
		if !valid || !ap.Addr().Is4() {
			continue
		}
		if ap.Port() < minLocatorPort || ap.Addr() != source && !d.socks.Reachable(ap.Addr()) {
			d.drops.Locator++
			continue
		}
		if ap.Addr() == source {
			return ap, true
		}
		if !ok {
			best, ok = ap, true
		}
	}
	return best, ok
}

// locate sets the participant's destinations, and reports whether there are any. A participant without a metatraffic
// locator is answered at the source of its announcement.
func (d *Directory) locate(r *Participant, from netip.AddrPort) bool {
	meta, ok := d.choose(r.data.MetatrafficUnicast, from.Addr())
	if !ok {
		if len(r.data.MetatrafficUnicast) > 0 || from.Port() < minLocatorPort {
			return false
		}
		meta = from
	}
	user, ok := d.choose(r.data.DefaultUnicast, from.Addr())
	if !ok {
		user = meta
	}
	r.meta = send.Destination{To: meta, Prefix: r.prefix, Traffic: udp.Metatraffic}
	r.user = send.Destination{To: user, Prefix: r.prefix, Traffic: udp.UserTraffic}
	return true
}

// DestinationOf returns the destination of a remote endpoint: its own locator, else its participant's.
func (d *Directory) DestinationOf(ep *Endpoint) send.Destination {
	dest := ep.owner.user
	if to, ok := d.choose(ep.data.Unicast, ep.owner.source); ok {
		dest.To = to
	}
	return dest
}
