// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"net/netip"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Announcing the participant (DDSI-RTPS 8.5.3).
const (
	burstCount  = 5
	burstPeriod = 100 * time.Millisecond
	// probedIDs is how many participant ids a peer without multicast is looked for at: as many as Cyclone DDS of ROS 2 uses.
	probedIDs = 32
	// maxAnnounced is how many locators are announced together: Fast DDS keeps four.
	maxAnnounced = 4
	// Directed replies to new participants in one announce period: in all, and to one address. A reply is hardly longer than the announcement it
	// answers (INFO_DST, and names differ), so that a forged source address gains next to nothing.
	maxReplies          = 32
	maxRepliesPerSource = 4
	maxLonger           = 64
)

// announcer is the state of the SPDP writer. Guarded by Participant.mu.
//
// On each interface it announces the address there only. Otherwise a peer on a network of ours that has an address of the same
// container bridge as we do would take that for the way to us: Cyclone DDS picks one of the addresses announced to it.
type announcer struct {
	sn       wire.SequenceNumber
	payloads [][]byte   // one for each interface, and one with all addresses, for peers beyond a router
	leaving  *wire.Data // sent instead, in the end
	sent     int        // announcements since the start or a change of the interfaces
	alarm    alarm
	replies  map[netip.Addr]int
	total    int
	buf      *wire.Builder
}

// refreshAnnouncement builds the payloads. The sequence number rises only with the content, as peers expect.
func (p *Participant) refreshAnnouncement() {
	meta, user := p.tx.socks.Locators(Metatraffic), p.tx.socks.Locators(UserTraffic)
	p.spdp.payloads = p.spdp.payloads[:0]
	p.spdp.sn++
	for i := range meta {
		p.spdp.payloads = append(p.spdp.payloads, p.announcement(meta[i:i+1], user[i:i+1]))
	}
	n := min(len(meta), maxAnnounced)
	p.spdp.payloads = append(p.spdp.payloads, p.announcement(meta[:n], user[:n]))
}

// announcement returns the payload that announces the given addresses.
func (p *Participant) announcement(meta, user []netip.AddrPort) []byte {
	data := wire.ParticipantData{
		Version: wire.Version23, Vendor: wire.VendorOwn, GUID: p.guid, DomainID: p.cfg.DomainID, HasDomainID: true,
		BuiltinEndpoints: wire.OwnBuiltinEndpoints, Lease: wire.DurationOf(p.cfg.LeaseDuration),
		UserData: p.cfg.UserData, EntityName: p.cfg.Name,
	}
	for i := range meta {
		data.MetatrafficUnicast = append(data.MetatrafficUnicast, wire.LocatorFrom(meta[i]))
		data.DefaultUnicast = append(data.DefaultUnicast, wire.LocatorFrom(user[i]))
	}
	return data.AppendPayload(nil)
}

// announce sends the announcement to everyone, and arranges for the next.
func (p *Participant) announce(now time.Time) {
	if p.spdp.sent > burstCount && p.tx.socks.Refresh() {
		p.log.Info("network interfaces changed", "locators", p.tx.socks.Locators(UserTraffic))
		p.spdp.sent = 0
	}
	if p.spdp.sent == 0 {
		p.refreshAnnouncement()
	}
	p.announceToAll(now)
	clear(p.spdp.replies)
	p.spdp.total = 0
	p.sweep(now)
	period := p.cfg.AnnouncePeriod
	if p.spdp.sent++; p.spdp.sent <= burstCount {
		period = min(burstPeriod, period)
	}
	p.alarms.set(&p.spdp.alarm, now.Add(period))
}

// announceToAll sends the announcement to the group, to the configured peers, and by unicast, which Wi-Fi carries more reliably, to
// every participant known.
func (p *Participant) announceToAll(now time.Time) {
	if !p.cfg.LocalhostOnly && !p.cfg.NoMulticast {
		for i := range len(p.spdp.payloads) - 1 {
			b := p.spdpMessage(i, wire.GUIDPrefix{}, now)
			p.tx.count(p.tx.socks.Multicast(b, i), len(b), MulticastGroup())
		}
	}
	for _, peer := range p.peers {
		b := p.spdpMessage(p.tx.socks.Interface(peer), wire.GUIDPrefix{}, now)
		for id := range probedIDs {
			if id != p.tx.socks.ParticipantID() || !p.own(peer) {
				p.tx.send(b, netip.AddrPortFrom(peer, UnicastPort(p.cfg.DomainID, id, Metatraffic)), Metatraffic)
			}
		}
	}
	for _, r := range p.remotes {
		if r.heard.After(r.toldAt) {
			r.tells = 0
		}
		if s := p.spdp.leaving; s == nil && r.tells >= patience {
			continue // it has not been heard since
		}
		r.toldAt = now
		r.tells++
		p.tx.send(p.spdpMessage(p.tx.socks.Interface(r.meta.to.Addr()), r.prefix, now), r.meta.to, Metatraffic)
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

// spdpMessage builds the datagram for peers reached by interface number i, or -1 for others.
func (p *Participant) spdpMessage(i int, to wire.GUIDPrefix, now time.Time) []byte {
	s := &p.spdp
	if i < 0 || i >= len(s.payloads) {
		i = len(s.payloads) - 1
	}
	d := wire.Data{Reader: wire.EntitySPDPReader, Writer: wire.EntitySPDPWriter, SN: s.sn, Kind: wire.PayloadData, Payload: s.payloads[i]}
	if s.leaving != nil {
		d = *s.leaving
	}
	s.buf.Begin(p.guid.Prefix)
	if !to.IsZero() {
		s.buf.InfoDst(to)
	}
	s.buf.InfoTS(wire.TimeOf(now))
	s.buf.Data(&d)
	return s.buf.Bytes()
}

// reply answers a new participant at once, so that it need not wait for the next announcement. INFO_DST in it tells that no
// answer is needed.
func (p *Participant) reply(r *remoteParticipant, in *intake) {
	s := &p.spdp
	b := p.spdpMessage(p.tx.socks.Interface(r.meta.to.Addr()), r.prefix, in.now)
	if s.total >= maxReplies || s.replies[r.source] >= maxRepliesPerSource || len(b) > in.size+maxLonger {
		p.drop(DropReply)
		return
	}
	s.total++
	s.replies[r.source]++
	p.tx.send(b, r.meta.to, Metatraffic)
}
