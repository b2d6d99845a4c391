// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"net/netip"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Announcing the participant (DDSI-RTPS 8.5.3).
const (
	burstCount  = 5
	burstPeriod = 100 * time.Millisecond
	// probedIDs is how many participant ids a peer without multicast is looked for at, at least: as many as Cyclone DDS
	// of ROS 2 uses.
	probedIDs = 32
	// maxAnnounced is how many locators are announced together: Fast DDS keeps four.
	maxAnnounced = 4
	// Directed replies to new participants in one announce period: in all, and to one address. A reply is hardly longer
	// than the announcement it answers (INFO_DST, and names differ), so that a forged source address gains next to
	// nothing.
	maxReplies          = 32
	maxRepliesPerSource = 4
	maxLonger           = 64
	// Announcements to known participants, one by one: so many, then a pause.
	toldTogether = 32
	toldPause    = 10 * time.Millisecond
)

// announcer is the state of the SPDP writer. Guarded by Participant.mu.
//
// On each interface it announces the address there only. Otherwise a peer on a network of ours that has an address of
// the same container bridge as we do would take that for the way to us: Cyclone DDS picks one of the addresses
// announced to it.
type announcer struct {
	sn       wire.SequenceNumber
	payloads [][]byte   // one for each interface, and one with all addresses, for peers beyond a router
	leaving  *wire.Data // sent instead, in the end
	sent     int        // announcements since the start or a change of the interfaces
	alarm    alarm
	untold   []wire.GUIDPrefix // who is still to be told in this round
	rest     alarm             // for them
	replies  map[netip.Addr]int
	total    int
	buf      *wire.Builder
}

// refreshAnnouncement builds the payloads. The sequence number rises only with the content, as peers expect.
func (p *Participant) refreshAnnouncement() {
	meta, user := p.tx.socks.Locators(udp.Metatraffic), p.tx.socks.Locators(udp.UserTraffic)
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
	if p.spdp.sent > burstCount {
		p.lookAtInterfaces()
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

// lookAtInterfaces asks the network whether the interfaces changed, unless an earlier question is unanswered: the
// answer may be long in coming, for instance from a kernel whose Wi-Fi chip hangs.
func (p *Participant) lookAtInterfaces() {
	if p.looking != nil {
		return
	}
	looking := make(chan struct{})
	p.looking = looking
	task.Go("network interfaces", func() {
		defer close(looking)
		changed := p.tx.socks.Refresh()
		p.mu.Lock()
		defer p.unlock()
		if p.looking = nil; changed && !p.closed {
			p.log.Info("network interfaces changed", "locators", p.tx.socks.Locators(udp.UserTraffic))
			p.spdp.sent = 0
			p.announce(time.Now())
		}
	})
}

// announceToAll sends the announcement to the group, to the configured peers, and by unicast, which Wi-Fi carries more
// reliably, to every participant known.
func (p *Participant) announceToAll(now time.Time) {
	if !p.cfg.LocalhostOnly && !p.cfg.NoMulticast {
		for i := range len(p.spdp.payloads) - 1 {
			b := p.spdpMessage(i, wire.GUIDPrefix{}, now)
			p.tx.sent(p.tx.socks.Multicast(b, i), len(b), udp.MulticastGroup())
		}
	}
	for _, peer := range p.peers {
		b := p.spdpMessage(p.tx.socks.Interface(peer), wire.GUIDPrefix{}, now)
		for id := range p.idsOn(peer) {
			if to := udp.Place(p.cfg.DomainID, p.cfg.LocalhostOnly, peer, id); id != p.tx.socks.ParticipantID() || !p.hasAddress(peer) {
				p.tx.send(b, to, udp.Metatraffic)
			}
		}
	}
	if p.spdp.leaving != nil || len(p.spdp.untold) == 0 { // else the round before is not finished
		p.spdp.untold = p.spdp.untold[:0]
		for prefix := range p.remotes {
			p.spdp.untold = append(p.spdp.untold, prefix)
		}
	}
	p.announceToSome(now)
}

// announceToSome goes on with announcing to the known participants one by one, a few at a time: on a large network, and
// on a small machine, all of them at once would hold up those that publish meanwhile.
func (p *Participant) announceToSome(now time.Time) {
	s := &p.spdp
	for n := 0; len(s.untold) > 0 && (n < toldTogether || s.leaving != nil); n++ {
		last := len(s.untold) - 1
		r := p.remotes[s.untold[last]]
		if s.untold = s.untold[:last]; r == nil {
			continue
		}
		if r.heard.After(r.toldAt) {
			r.tells = 0
		}
		if s.leaving == nil && r.tells >= patience {
			continue // it has not been heard since
		}
		r.toldAt = now
		r.tells++
		p.tx.send(p.spdpMessage(p.tx.socks.Interface(r.meta.to.Addr()), r.prefix, now), r.meta.to, udp.Metatraffic)
	}
	if len(s.untold) > 0 {
		p.alarms.set(&s.rest, now.Add(toldPause))
	}
}

// idsOn returns how many participant ids are probed on a machine: probedIDs, and where more are used, half as many
// above the highest that is known there. Participants take the lowest free id, so the search goes on until all are
// found.
func (p *Participant) idsOn(peer netip.Addr) int {
	n, self := probedIDs, p.hasAddress(peer)
	if self {
		n = max(n, p.tx.socks.ParticipantID()+1)
	}
	for _, r := range p.remotes {
		if addr := r.meta.to.Addr(); addr == peer || self && p.hasAddress(addr) {
			n = max(n, udp.IDAt(p.cfg.DomainID, r.meta.to)+1+probedIDs/2)
		}
	}
	return min(n, udp.IDs(p.cfg.DomainID, p.cfg.LocalhostOnly))
}

// hasAddress reports whether addr is an address of this participant.
func (p *Participant) hasAddress(addr netip.Addr) bool {
	for _, l := range p.tx.socks.Locators(udp.Metatraffic) {
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

// reply answers a new participant at once, so that it need not wait for the next announcement. INFO_DST in it tells
// that no answer is needed.
func (p *Participant) reply(r *remoteParticipant, in *intake) {
	s := &p.spdp
	b := p.spdpMessage(p.tx.socks.Interface(r.meta.to.Addr()), r.prefix, in.now)
	if s.total >= maxReplies || s.replies[r.source] >= maxRepliesPerSource || len(b) > in.size+maxLonger {
		p.drop(DropReply)
		return
	}
	s.total++
	s.replies[r.source]++
	p.tx.send(b, r.meta.to, udp.Metatraffic)
}
