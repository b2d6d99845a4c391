// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"net/netip"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// remoteParticipant is a participant that SPDP found. Guarded by Participant.mu.
type remoteParticipant struct {
	prefix      wire.GUIDPrefix
	data        *wire.ParticipantData // replaced, never changed
	payload     []byte                // as announced from source last
	source      netip.Addr            // where its announcements come from
	met         netip.Addr            // where the first one came from
	answered    bool                  // it has answered us, see crowd
	announced   time.Time             // last announcement from there
	meta        destination           // of discovery traffic
	user        destination           // of user traffic without an endpoint locator
	heard       time.Time             // last valid message
	lease       time.Duration
	heardManual time.Time // when its writers asserted by hand together last were
	silent      silentWriters
	toldAt      time.Time // last announcement sent to it alone
	tells       int       // those since it was last heard
	expiry      alarm
	repair      bucket // its share of retransmissions

	memory          memoryShare // samples of users in assembly or out of order
	discoveryMemory memoryShare // the same of discovery
	endpoints       map[wire.EntityID]*remoteEndpoint
	endpointBytes   int // they take
}

// remoteEndpoint is a writer or reader that SEDP found. Guarded by Participant.mu.
type remoteEndpoint struct {
	owner *remoteParticipant
	data  *wire.EndpointData // replaced, never changed
}

// knows reports whether addr is an address of the participant: where it announces itself from, one of its locators, or
// loopback, from where only this machine can send.
func (r *remoteParticipant) knows(addr netip.Addr) bool {
	if addr == r.source || addr.IsLoopback() {
		return true
	}
	for _, list := range [][]wire.Locator{r.data.MetatrafficUnicast, r.data.DefaultUnicast} {
		for _, l := range list {
			if ap, ok := l.AddrPort(); ok && ap.Addr() == addr {
				return true
			}
		}
	}
	return false
}

// patience is how many times a participant is written to without an answer before each further time needs a new sign of
// life. It keeps a forged announcement from making us talk to a stranger for the whole lease it names.
const patience = 8

// worthwhile reports whether to write to the participant again, after so many tries, the last one at the given time.
func (r *remoteParticipant) worthwhile(tries int, last time.Time) bool {
	return tries < patience || r.heard.After(last)
}

// minLocatorPort is the lowest port a peer may name: below it are the services of the system.
const minLocatorPort = 1024

// choose returns the address to send to out of a peer's locators: the one its announcements come from if that is
// listed, else the first on a subnet of ours. Any other would let a forged announcement turn us against a third party.
func (p *Participant) choose(list []wire.Locator, source netip.Addr) (best netip.AddrPort, ok bool) {
	for _, l := range list {
		ap, valid := l.AddrPort()
		if !valid || !ap.Addr().Is4() {
			continue
		}
		if ap.Port() < minLocatorPort || ap.Addr() != source && !p.tx.socks.Reachable(ap.Addr()) {
			p.drop(DropLocator)
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

// locate sets where the participant is reached; false if nowhere. A participant without metatraffic locator is answered
// where its announcement came from.
func (p *Participant) locate(r *remoteParticipant, from netip.AddrPort) bool {
	meta, ok := p.choose(r.data.MetatrafficUnicast, from.Addr())
	if !ok {
		if len(r.data.MetatrafficUnicast) > 0 || from.Port() < minLocatorPort {
			return false
		}
		meta = from
	}
	user, ok := p.choose(r.data.DefaultUnicast, from.Addr())
	if !ok {
		user = meta
	}
	r.meta = destination{to: meta, prefix: r.prefix, traffic: udp.Metatraffic}
	r.user = destination{to: user, prefix: r.prefix, traffic: udp.UserTraffic}
	return true
}

// destinationOf returns where a remote endpoint is reached: at its own locator, else at its participant's.
func (p *Participant) destinationOf(ep *remoteEndpoint) destination {
	d := ep.owner.user
	if to, ok := p.choose(ep.data.Unicast, ep.owner.source); ok {
		d.to = to
	}
	return d
}

// Bounds of the lease a peer may ask for: not so short that one lost announcement ends it, nor so long that it stays
// for ever.
const (
	minLease = 1 * time.Second
	maxLease = 5 * time.Minute
)

func clampLease(d wire.Duration) time.Duration {
	return min(max(d.Duration(), minLease), maxLease)
}

// addRemote takes a new participant in and connects the discovery endpoints.
func (p *Participant) addRemote(r *remoteParticipant, now time.Time) {
	p.remotes[r.prefix] = r
	p.crowd.enter(r.met)
	r.repair = newBucket(p.cfg.RepairRate, p.cfg.SendBurst)
	r.memory = memoryShare{total: &p.memory, limit: p.cfg.Limits.PeerBytes}
	r.discoveryMemory = memoryShare{total: &p.discoveryMemory, limit: discoveryPeerBytes}
	r.expiry.fire = func(now time.Time) { p.checkLease(r, now) }
	p.alarms.set(&r.expiry, now.Add(r.lease))
	p.connectBuiltin(r, now)
	p.log.Debug("participant found", "prefix", r.prefix, "vendor", r.data.Vendor, "name", r.data.EntityName, "address", r.meta.to)
	p.emit(DiscoveryEvent{Kind: ParticipantFound, Participant: r.data})
}

// checkLease drops the participant if nothing was heard of it for its lease.
func (p *Participant) checkLease(r *remoteParticipant, now time.Time) {
	if end := r.heard.Add(r.lease); end.After(now) {
		p.alarms.set(&r.expiry, end)
		return
	}
	p.stats.LeasesExpired++
	p.removeRemote(r, "lease expired")
}

// removeRemote forgets a participant and all its endpoints.
func (p *Participant) removeRemote(r *remoteParticipant, reason string) {
	delete(p.remotes, r.prefix)
	if !r.answered {
		p.crowd.leave(r.met)
	}
	p.alarms.cancel(&r.expiry)
	for _, ep := range r.endpoints {
		p.removeEndpoint(ep)
	}
	p.disconnectBuiltin(r)
	p.tx.discard(r.prefix)
	p.log.Debug("participant gone", "prefix", r.prefix, "reason", reason)
	p.emit(DiscoveryEvent{Kind: ParticipantGone, Participant: r.data})
}
