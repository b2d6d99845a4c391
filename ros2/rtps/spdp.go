// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"bytes"
	"reflect"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// onAnnouncement takes a sample of a remote SPDP writer: alive or leaving.
func (p *Participant) onAnnouncement(in *intake, r *wire.Receiver, m *wire.Data) {
	known := p.remotes[r.SourcePrefix]
	if known != nil && in.from.Addr() == known.source && m.Kind == wire.PayloadData && m.InlineQoS.Empty() && bytes.Equal(m.Payload, known.payload) {
		known.heard, known.announced = in.now, in.now
		return // nothing new, as nearly always
	}
	if !in.describe(r, m.InlineQoS, m.Kind) {
		return
	}
	if m.Kind != wire.PayloadData || in.info.status.Gone() {
		guid, _ := wire.BuiltinKey(m)
		switch {
		case guid.Prefix != r.SourcePrefix || known != nil && !known.knows(in.from.Addr()):
			p.drop(DropDisposal)
			p.complain(in.now, "participant disposal refused", "participant", guid, "from", in.from)
		case known != nil:
			p.removeRemote(known, "left")
		}
		return
	}
	data, err := wire.DecodeParticipant(m.Payload)
	forged := err != nil || data.GUID.Prefix != r.SourcePrefix || data.GUID.Entity != wire.EntityParticipant
	if forged || data.HasDomainID && data.DomainID != p.cfg.DomainID || data.DomainTag != "" {
		reason := DropParticipantForeign
		if forged {
			reason = DropParticipantMalformed
		}
		p.drop(reason)
		p.complain(in.now, "participant refused", "from", in.from, "guid", data.GUID, "domain", data.DomainID, "error", err)
		return
	}
	if known != nil {
		p.updateRemote(known, &data, in)
	} else if known = p.meet(&data, in, !r.Directed()); known == nil {
		return
	}
	if in.from.Addr() == known.source {
		known.payload = append(known.payload[:0], m.Payload...)
	}
}

// meet takes in a participant seen for the first time, or returns nil.
func (p *Participant) meet(data *wire.ParticipantData, in *intake, answer bool) *remoteParticipant {
	r := &remoteParticipant{
		prefix: data.GUID.Prefix, data: data, source: in.from.Addr(), met: in.from.Addr(), announced: in.now, heard: in.now,
		lease: clampLease(data.Lease), endpoints: map[wire.EntityID]*remoteEndpoint{},
	}
	if !p.locate(r, in.from) {
		p.drop(DropParticipantUnreachable)
		p.complain(in.now, "participant refused: no usable locator", "from", in.from, "locators", data.MetatrafficUnicast)
		return nil
	}
	if !p.admit(r.met, in.now) {
		return nil
	}
	p.addRemote(r, in.now)
	if answer {
		p.reply(r, in)
	}
	return r
}

// sourcePatience is how long announcements of a participant must have stayed away from their usual address before those
// from another one are believed.
const sourcePatience = 8 * time.Second

// updateRemote takes a repeated announcement. A peer with several interfaces announces itself from each: the first one
// counts.
func (p *Participant) updateRemote(r *remoteParticipant, data *wire.ParticipantData, in *intake) {
	if in.from.Addr() != r.source && in.now.Sub(r.announced) < sourcePatience {
		if r.knows(in.from.Addr()) {
			r.heard = in.now
		} else {
			p.drop(DropParticipantSource)
		}
		return
	}
	moved := in.from.Addr() != r.source
	r.heard, r.announced, r.source, r.lease = in.now, in.now, in.from.Addr(), clampLease(data.Lease)
	if !moved && reflect.DeepEqual(r.data, data) {
		return
	}
	old := *r
	if r.data = data; !p.locate(r, in.from) {
		r.data, r.meta, r.user, r.source = old.data, old.meta, old.user, old.source
		p.drop(DropParticipantUnreachable)
		return
	}
	p.redirect(r)
	p.log.Debug("participant changed", "prefix", r.prefix, "address", r.meta.to)
	p.emit(DiscoveryEvent{Kind: ParticipantChanged, Participant: data})
}

// redirect sends the traffic to all endpoints of a participant to its present locators.
func (p *Participant) redirect(r *remoteParticipant) {
	for _, b := range p.builtins {
		for _, proxy := range b.writer.readers {
			if proxy.remote == r {
				proxy.dest = r.meta
			}
		}
	}
	for _, w := range p.userWriters {
		for _, proxy := range w.readers {
			if proxy.remote == r {
				proxy.dest = p.destinationOf(r.endpoints[proxy.guid.Entity])
			}
		}
	}
	for _, list := range p.sources {
		for _, w := range list {
			switch {
			case w.remote != r:
			case w.r.builtin != nil:
				w.dest = r.meta
			default:
				w.dest = p.destinationOf(r.endpoints[w.guid.Entity])
			}
		}
	}
}
