// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"bytes"
	"net/netip"
	"reflect"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Announcing the participant (DDSI-RTPS 8.5.3).
const (
	burstCount  = 5
	burstPeriod = 100 * time.Millisecond
	// probedIDs is how many participant ids a peer without multicast is looked for at: as many as Cyclone DDS of ROS 2 uses.
	probedIDs = 32
	// Directed replies to new participants in one announce period: in all, and to one address. A reply is not much longer than the
	// announcement it answers, so that a forged source address gains nothing.
	maxReplies          = 32
	maxRepliesPerSource = 4
	maxAmplification    = 2
)

// announcer is the state of the SPDP writer. Guarded by Participant.mu.
type announcer struct {
	sn      wire.SequenceNumber
	payload []byte
	sent    int // announcements since the start
	alarm   alarm
	replies map[netip.Addr]int
	total   int
	buf     *wire.Builder
}

// announcement returns the data that SPDP announces now.
func (p *Participant) announcement() wire.ParticipantData {
	locators := func(t Traffic) (list []wire.Locator) {
		for _, ap := range p.tx.socks.Locators(t) {
			if len(list) < 4 { // Fast DDS keeps four
				list = append(list, wire.LocatorFrom(ap))
			}
		}
		return list
	}
	return wire.ParticipantData{
		Version: wire.Version23, Vendor: wire.VendorOwn, GUID: p.guid, DomainID: p.cfg.DomainID, HasDomainID: true,
		BuiltinEndpoints: wire.OwnBuiltinEndpoints, Lease: wire.DurationOf(p.cfg.LeaseDuration),
		MetatrafficUnicast: locators(Metatraffic), DefaultUnicast: locators(UserTraffic),
		UserData: p.cfg.UserData, EntityName: p.cfg.Name,
	}
}

// refreshAnnouncement builds the payload; the sequence number rises only with its content, as peers expect.
func (p *Participant) refreshAnnouncement() {
	data := p.announcement()
	payload := data.AppendPayload(nil)
	if !bytes.Equal(payload, p.spdp.payload) {
		p.spdp.payload = payload
		p.spdp.sn++
	}
}

// announce sends the announcement to everyone: the group, the configured peers, and by unicast, which Wi-Fi carries more reliably,
// to every participant known.
func (p *Participant) announce(now time.Time) {
	if p.spdp.sent > burstCount && p.tx.socks.Refresh() {
		p.log.Info("network interfaces changed", "locators", p.tx.socks.Locators(UserTraffic))
		p.spdp.sent = 0
	}
	if p.spdp.sent == 0 {
		p.refreshAnnouncement()
	}
	d := wire.Data{Reader: wire.EntitySPDPReader, Writer: wire.EntitySPDPWriter, SN: p.spdp.sn, Kind: wire.PayloadData, Payload: p.spdp.payload}
	p.sendToAll(&d, now)
	clear(p.spdp.replies)
	p.spdp.total = 0
	p.sweep(now)
	period := p.cfg.AnnouncePeriod
	if p.spdp.sent++; p.spdp.sent <= burstCount {
		period = min(burstPeriod, period)
	}
	p.alarms.set(&p.spdp.alarm, now.Add(period))
}

// sendToAll sends a DATA of the SPDP writer to everyone.
func (p *Participant) sendToAll(d *wire.Data, now time.Time) {
	p.spdpMessage(d, wire.GUIDPrefix{}, now)
	b := p.spdp.buf.Bytes()
	if !p.cfg.LocalhostOnly && !p.cfg.NoMulticast {
		p.tx.send(b, netip.AddrPortFrom(MulticastGroup(), MulticastPort(p.cfg.DomainID)), Multicast)
	}
	for _, peer := range p.peers {
		for id := range probedIDs {
			if id != p.tx.socks.ParticipantID() || !p.own(peer) {
				p.tx.send(b, netip.AddrPortFrom(peer, UnicastPort(p.cfg.DomainID, id, Metatraffic)), Metatraffic)
			}
		}
	}
	for _, r := range p.remotes {
		p.spdpMessage(d, r.prefix, now)
		p.tx.send(p.spdp.buf.Bytes(), r.meta.to, Metatraffic)
	}
}

// own reports whether addr is an address of this participant.
func (p *Participant) own(addr netip.Addr) bool {
	for _, l := range p.tx.socks.Locators(Metatraffic) {
		if l.Addr() == addr {
			return true
		}
	}
	return addr.IsLoopback()
}

// spdpMessage builds a datagram with one DATA of the SPDP writer.
func (p *Participant) spdpMessage(d *wire.Data, to wire.GUIDPrefix, now time.Time) {
	b := p.spdp.buf
	b.Begin(p.guid.Prefix)
	if !to.IsZero() {
		b.InfoDst(to)
	}
	b.InfoTS(wire.TimeOf(now))
	b.Data(d)
}

// reply answers a new participant at once, so that it need not wait for the next announcement. INFO_DST in it tells that no answer is needed.
func (p *Participant) reply(r *remoteParticipant, in *intake) {
	s := &p.spdp
	d := wire.Data{Reader: wire.EntitySPDPReader, Writer: wire.EntitySPDPWriter, SN: s.sn, Kind: wire.PayloadData, Payload: s.payload}
	p.spdpMessage(&d, r.prefix, in.now)
	if s.total >= maxReplies || s.replies[r.source] >= maxRepliesPerSource || s.buf.Len() > maxAmplification*in.size {
		p.stats.RepliesSuppressed++
		return
	}
	s.total++
	s.replies[r.source]++
	p.tx.send(s.buf.Bytes(), r.meta.to, Metatraffic)
}

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
			p.stats.RefusedDisposals++
			p.complain(in.now, "participant disposal refused", "participant", guid, "from", in.from)
		case known != nil:
			p.removeRemote(known, "left")
		}
		return
	}
	data, err := wire.DecodeParticipant(m.Payload)
	if err != nil || data.GUID.Prefix != r.SourcePrefix || data.GUID.Entity != wire.EntityParticipant ||
		data.HasDomainID && data.DomainID != p.cfg.DomainID || data.DomainTag != "" {
		p.stats.RefusedParticipants++
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
		prefix: data.GUID.Prefix, data: data, source: in.from.Addr(), announced: in.now, heard: in.now,
		lease: clampLease(data.Lease), endpoints: map[wire.EntityID]*remoteEndpoint{},
	}
	if len(p.remotes) >= p.cfg.Limits.Participants || !p.locate(r, in.from) {
		p.stats.RefusedParticipants++
		p.complain(in.now, "participant refused: too many, or no usable locator", "from", in.from, "locators", data.MetatrafficUnicast)
		return nil
	}
	p.addRemote(r, in.now)
	if answer {
		p.reply(r, in)
	}
	return r
}

// sourcePatience is how long announcements of a participant must have stayed away from their usual address before those from
// another one are believed.
const sourcePatience = 8 * time.Second

// updateRemote takes a repeated announcement. A peer with several interfaces announces itself from each: the first one counts.
func (p *Participant) updateRemote(r *remoteParticipant, data *wire.ParticipantData, in *intake) {
	if in.from.Addr() != r.source && in.now.Sub(r.announced) < sourcePatience {
		if r.knows(in.from.Addr()) {
			r.heard = in.now
		} else {
			p.stats.RefusedParticipants++
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
		p.stats.RefusedParticipants++
		return
	}
	p.redirect(r)
	p.log.Info("participant changed", "prefix", r.prefix, "address", r.meta.to)
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
