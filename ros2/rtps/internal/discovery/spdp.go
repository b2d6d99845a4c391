// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"bytes"
	"reflect"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// OnAnnouncement handles a sample of a remote SPDP writer: an announcement or a disposal.
func (d *Directory) OnAnnouncement(in *Arrival, r *wire.Receiver, m *wire.Data) {
	known := d.remotes[r.SourcePrefix]
	if known != nil && in.From.Addr() == known.source && m.Kind == wire.PayloadData && m.InlineQoS.Empty() && bytes.Equal(m.Payload, known.payload) {
		known.lastReceived, known.announced = in.Now, in.Now
		if !known.aware && !known.answered && !r.Directed() && d.mayReply(known, in) {
			d.sendReply(known, in.Now) // the former replies may have arrived too early
		}
		return // unchanged, as nearly always
	}
	var q wire.InlineQoS
	if !m.InlineQoS.Empty() && q.Decode(m.InlineQoS) != nil {
		d.drops.InlineQoS++
		return
	}
	if m.Kind != wire.PayloadData || q.Status.Gone() {
		guid, _ := wire.BuiltinKey(m)
		switch {
		case guid.Prefix != r.SourcePrefix || known != nil && !known.ownsAddress(in.From.Addr()):
			d.drops.Disposal++
			d.host.LogRejected(in.Now, "participant disposal rejected", "participant", guid, "from", in.From)
		case known != nil:
			d.Remove(known, "left")
		}
		return
	}
	data, err := wire.DecodeParticipant(m.Payload)
	forged := err != nil || data.GUID.Prefix != r.SourcePrefix || data.GUID.Entity != wire.EntityParticipant
	if forged || data.HasDomainID && data.DomainID != d.cfg.DomainID || data.DomainTag != "" {
		if forged {
			d.drops.Malformed++
		} else {
			d.drops.Foreign++
		}
		d.host.LogRejected(in.Now, "participant rejected", "from", in.From, "guid", data.GUID, "domain", data.DomainID, "error", err)
		return
	}
	if known != nil {
		d.updateRemote(known, &data, in)
	} else if known = d.add(&data, in, !r.Directed()); known == nil {
		return
	}
	if in.From.Addr() == known.source {
		known.payload = append(known.payload[:0], m.Payload...)
	}
}

// add adds a participant announced for the first time. It returns nil if the participant is rejected.
func (d *Directory) add(data *wire.ParticipantData, in *Arrival, answer bool) *Participant {
	r := &Participant{
		prefix: data.GUID.Prefix, data: data, source: in.From.Addr(), firstSource: in.From.Addr(), announced: in.Now, lastReceived: in.Now,
		lease: clampLease(data.Lease), endpoints: map[wire.EntityID]*Endpoint{},
	}
	if !d.locate(r, in.From) {
		d.drops.Unreachable++
		d.host.LogRejected(in.Now, "participant rejected: no usable locator", "from", in.From, "locators", data.MetatrafficUnicast)
		return nil
	}
	if !d.admit(r.firstSource, in.Now) {
		return nil
	}
	r.aware = !answer
	d.addRemote(r, in.Now)
	if answer {
		d.reply(r, in)
	}
	return r
}

// sourceTimeout is how long a participant's announcements from its usual address must have been absent before those
// from another one are accepted.
const sourceTimeout = 8 * time.Second

// updateRemote handles a repeated announcement. A peer with several interfaces announces itself from each: the first
// one counts.
func (d *Directory) updateRemote(r *Participant, data *wire.ParticipantData, in *Arrival) {
	if in.From.Addr() != r.source && in.Now.Sub(r.announced) < sourceTimeout {
		if r.ownsAddress(in.From.Addr()) {
			r.lastReceived = in.Now
		} else {
			d.drops.Source++
		}
		return
	}
	moved := in.From.Addr() != r.source
	r.lastReceived, r.announced, r.source = in.Now, in.Now, in.From.Addr()
	if lease := clampLease(data.Lease); d.cfg.Security == nil || lease > r.lease { // a shorter one may be forged
		r.lease = lease
	}
	if !moved && reflect.DeepEqual(r.data, data) {
		return
	}
	old := *r
	if r.data = data; !d.locate(r, in.From) {
		r.data, r.meta, r.user, r.source = old.data, old.meta, old.user, old.source
		d.drops.Unreachable++
		return
	}
	r.verified = r.verified && !moved
	d.log.Debug("participant changed", "prefix", r.prefix, "address", r.meta.To)
	d.host.ParticipantChanged(r)
}
