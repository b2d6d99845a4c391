// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"net/netip"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/discovery"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/memory"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/reassembly"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/send"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// remoteParticipant is the state kept for a remote participant, in addition to discovery's. Guarded by Participant.mu.
type remoteParticipant struct {
	*discovery.Participant
	manualAssertedAt time.Time // last assertion of its manual-by-participant writers
	expired          expiredWriters
	repair           send.Bucket  // its share of retransmissions
	rate             send.Rate    // of large samples and retransmissions to it
	memory           memory.Share // user samples in assembly or out of order
	discoveryMemory  memory.Share // the same of discovery
	piggyback        piggyback
	shared           sharedPeer
	fresh            newMatches
	secure           *securedPeer // nil without DDS Security
}

// vendorOf returns the implementation of an endpoint of a participant: its GUID has it, unless an identity makes the
// GUID. r is nil for the local participant.
func vendorOf(guid *wire.GUID, r *remoteParticipant) wire.VendorID {
	if r != nil && r.secure != nil {
		return r.Data().Vendor
	}
	return guid.Prefix.Vendor()
}

// observer is the discovery.Host of a Participant.
type observer struct{ *Participant }

var _ discovery.Host = observer{}

// ParticipantFound implements host: it connects the built-in endpoints.
func (p observer) ParticipantFound(r *discovery.Participant, now time.Time) {
	peer := &remoteParticipant{
		Participant: r, repair: send.NewBucket(p.cfg.RepairRate, p.cfg.SendBurst),
		rate:            send.NewRate(p.cfg.SendRate, p.cfg.SendBurst),
		memory:          memory.Share{Total: &p.budgets.samples, Limit: p.cfg.Limits.PeerBytes},
		discoveryMemory: memory.Share{Total: &p.budgets.discovery, Limit: discoveryPeerBytes},
	}
	peer.shared = p.shared.view(r.Data(), p.guid.Prefix)
	p.remotes[r.Prefix()] = peer
	if p.secure != nil {
		p.secure.found(peer, now)
		return
	}
	p.connect(peer, now)
}

// connect connects the built-in endpoints of a participant that need no authentication, and reports it.
func (p *Participant) connect(r *remoteParticipant, now time.Time) {
	p.builtins.connect(r, now)
	p.emit(DiscoveryEvent{Kind: ParticipantFound, Participant: r.Data()})
}

// ParticipantChanged implements host: it redirects the traffic to the participant's new locators.
func (p observer) ParticipantChanged(r *discovery.Participant) {
	p.redirect(p.remotes[r.Prefix()])
	p.shared.changed(p.remotes[r.Prefix()], p.guid.Prefix)
	p.secure.changed(p.remotes[r.Prefix()])
	p.emit(DiscoveryEvent{Kind: participantChanged, Participant: r.Data()})
}

// ParticipantGone implements host.
func (p observer) ParticipantGone(r *discovery.Participant) {
	p.builtins.disconnect(p.remotes[r.Prefix()])
	p.secure.gone(r.Prefix())
	p.remotes[r.Prefix()].shared.close()
	p.shared.gone(r.Prefix())
	delete(p.remotes, r.Prefix())
	p.emit(DiscoveryEvent{Kind: participantGone, Participant: r.Data()})
}

// EndpointFound implements host.
func (p observer) EndpointFound(e *discovery.Endpoint, now time.Time) {
	p.emit(DiscoveryEvent{Kind: EndpointFound, Participant: e.Participant().Data(), Endpoint: e.Data()})
	p.matchEndpoint(e, now)
}

// EndpointChanged implements host.
func (p observer) EndpointChanged(e *discovery.Endpoint, rematch bool, now time.Time) {
	if rematch {
		p.unmatchEndpoint(e, p.userWriters) // its topic may have changed
	}
	p.emit(DiscoveryEvent{Kind: EndpointChanged, Participant: e.Participant().Data(), Endpoint: e.Data()})
	if rematch {
		p.matchEndpoint(e, now)
	}
}

// EndpointGone implements host.
func (p observer) EndpointGone(e *discovery.Endpoint) {
	p.unmatchEndpoint(e, p.topics.on(e.Data().Topic).writers)
	p.secure.forgetRemote(e.Data().GUID)
	p.emit(DiscoveryEvent{Kind: EndpointGone, Participant: e.Participant().Data(), Endpoint: e.Data()})
}

// Announced implements host: it drops samples in assembly that have made no progress for long.
func (p observer) Announced(now time.Time) {
	for _, list := range p.sources {
		for _, w := range list {
			w.asm.Sweep(now)
		}
	}
}

// Complain implements host.
func (p observer) LogRejected(now time.Time, msg string, args ...any) {
	p.logRejected(now, msg, args...)
}

// Locked implements host.
func (p observer) Locked(f func(now time.Time)) {
	p.mu.Lock()
	defer p.unlock()
	if !p.closed {
		f(time.Now())
	}
}

// onEndpointSample passes an announcement or disposal of a remote endpoint to discovery.
func (p *Participant) onEndpointSample(w *writerProxy, info *reassembly.Info, payload []byte) {
	p.directory.OnEndpoint(w.remote.Participant, p.in.arrival(), w.guid.Entity, info, payload)
}

// SetPeers replaces Config.Peers, for peers whose addresses become known or change later. New ones are announced to at
// once. With Config.LocalhostOnly it changes nothing.
func (p *Participant) SetPeers(peers []netip.Addr) {
	p.mu.Lock()
	defer p.unlock()
	if !p.closed {
		p.directory.SetPeers(peers, time.Now())
	}
}

// redirect sets the destination of all of a participant's endpoints to its current locators.
func (p *Participant) redirect(r *remoteParticipant) {
	for _, b := range p.builtins.pairs {
		for _, proxy := range b.writer.readers {
			if proxy.remote == r {
				proxy.dest = r.Metatraffic()
			}
		}
	}
	for _, w := range p.userWriters {
		for _, proxy := range w.readers {
			if proxy.remote == r {
				proxy.dest = p.directory.DestinationOf(r.Endpoint(proxy.guid.Entity))
			}
		}
	}
	for _, list := range p.sources {
		for _, w := range list {
			switch {
			case w.remote != r:
			case w.r.builtin != nil:
				w.dest = r.Metatraffic()
			default:
				w.dest = p.directory.DestinationOf(r.Endpoint(w.guid.Entity))
			}
		}
	}
}
