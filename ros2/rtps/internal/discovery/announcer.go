// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"net/netip"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
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

// announcer is the state of the SPDP writer.
//
// On each interface it announces the address there only. Otherwise a peer on a network of ours that has an address of
// the same container bridge as we do would take that for the way to us: Cyclone DDS picks one of the addresses
// announced to it.
type announcer struct {
	sn        wire.SequenceNumber
	locators  []netip.AddrPort // of discovery, for which the payloads were built
	addresses []netip.Addr     // announced, and not given up since
	payloads  [][]byte         // one for each interface, and one with all addresses, for peers beyond a router
	leaving   *wire.Data       // sent instead, in the end
	retracted retraction       // of what was announced before this machine moved
	sent      int              // announcements since the start or a change of the interfaces
	alarm     alarm.Alarm
	untold    []wire.GUIDPrefix // who is still to be told in this round
	rest      alarm.Alarm       // for them
	replies   map[netip.Addr]int
	total     int
	buf       *wire.Builder
}

// refreshAnnouncement builds the payloads. The sequence number rises only with the content, as peers expect.
func (d *Directory) refreshAnnouncement() {
	meta, user := d.socks.Locators(udp.Metatraffic), d.socks.Locators(udp.UserTraffic)
	d.spdp.locators, d.spdp.payloads = meta, d.spdp.payloads[:0]
	d.spdp.sn++
	for i := range meta {
		d.spdp.payloads = append(d.spdp.payloads, d.announcement(meta[i:i+1], user[i:i+1]))
	}
	n := min(len(meta), maxAnnounced)
	d.spdp.payloads = append(d.spdp.payloads, d.announcement(meta[:n], user[:n]))
}

// announcement returns the payload that announces the given addresses.
func (d *Directory) announcement(meta, user []netip.AddrPort) []byte {
	data := wire.ParticipantData{
		Version: wire.Version23, Vendor: wire.VendorOwn, GUID: d.cfg.GUID, DomainID: d.cfg.DomainID, HasDomainID: true,
		BuiltinEndpoints: wire.OwnBuiltinEndpoints, Lease: wire.DurationOf(d.cfg.LeaseDuration),
		UserData: d.cfg.UserData, EntityName: d.cfg.Name,
	}
	for i := range meta {
		data.MetatrafficUnicast = append(data.MetatrafficUnicast, wire.LocatorFrom(meta[i]))
		data.DefaultUnicast = append(data.DefaultUnicast, wire.LocatorFrom(user[i]))
	}
	return data.AppendPayload(nil)
}

// announce sends the announcement to everyone, and arranges for the next.
func (d *Directory) announce(now time.Time) {
	if d.spdp.sent > burstCount {
		d.lookAtInterfaces()
	}
	if d.spdp.sent == 0 {
		if d.retract(now) {
			d.alarms.Set(&d.spdp.alarm, now.Add(min(burstPeriod, d.cfg.AnnouncePeriod)))
			return
		}
		d.refreshAnnouncement()
	}
	d.announceToAll(now)
	clear(d.spdp.replies)
	d.spdp.total = 0
	d.host.Announced(now)
	period := d.cfg.AnnouncePeriod
	if d.spdp.sent++; d.spdp.sent <= burstCount {
		period = min(burstPeriod, period)
	}
	d.alarms.Set(&d.spdp.alarm, now.Add(period))
}

// lookAtInterfaces asks the network whether the interfaces changed, unless an earlier question is unanswered: the
// answer may be long in coming, for instance from a kernel whose Wi-Fi chip hangs.
func (d *Directory) lookAtInterfaces() {
	if d.looking != nil {
		return
	}
	looking := make(chan struct{})
	d.looking = looking
	task.Go("network interfaces", func() {
		defer close(looking)
		changed := d.socks.Refresh()
		d.host.Locked(func(now time.Time) {
			if d.looking = nil; changed {
				d.log.Info("network interfaces changed", "locators", d.socks.Locators(udp.UserTraffic))
				d.spdp.sent = 0
				d.announce(now)
			}
		})
	})
}

// announceToAll sends the announcement to the group, to the configured peers, and by unicast, which Wi-Fi carries more
// reliably, to every participant known.
func (d *Directory) announceToAll(now time.Time) {
	if !d.cfg.LocalhostOnly && !d.cfg.NoMulticast && (d.spdp.leaving != nil || d.upToDate()) {
		for i := range len(d.spdp.payloads) - 1 {
			b := d.spdpMessage(i, wire.GUIDPrefix{}, now)
			d.tx.Multicast(b, i)
		}
	}
	for _, peer := range d.peers {
		if d.spdp.leaving == nil && !d.usable(d.socks.Interface(peer), peer) {
			continue
		}
		b := d.spdpMessage(d.socks.Interface(peer), wire.GUIDPrefix{}, now)
		for id := range d.idsOn(peer) {
			if to := udp.Place(d.cfg.DomainID, d.cfg.LocalhostOnly, peer, id); id != d.socks.ParticipantID() || !d.hasAddress(peer) {
				d.tx.Send(b, to, udp.Metatraffic)
			}
		}
	}
	if d.spdp.leaving != nil || len(d.spdp.untold) == 0 { // else the round before is not finished
		d.spdp.untold = d.spdp.untold[:0]
		for prefix := range d.remotes {
			d.spdp.untold = append(d.spdp.untold, prefix)
		}
	}
	d.announceToSome(now)
}

// announceToSome goes on with announcing to the known participants one by one, a few at a time: on a large network, and
// on a small machine, all of them at once would hold up those that publish meanwhile.
func (d *Directory) announceToSome(now time.Time) {
	s := &d.spdp
	for n := 0; len(s.untold) > 0 && (n < toldTogether || s.leaving != nil); n++ {
		last := len(s.untold) - 1
		r := d.remotes[s.untold[last]]
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
		if i := d.socks.Interface(r.meta.To.Addr()); s.leaving != nil || d.usable(i, r.meta.To.Addr()) {
			d.tx.Send(d.spdpMessage(i, r.prefix, now), r.meta.To, udp.Metatraffic)
		}
	}
	if len(s.untold) > 0 {
		d.alarms.Set(&s.rest, now.Add(toldPause))
	}
}

// spdpMessage builds the datagram for peers reached by interface number i, or -1 for others.
func (d *Directory) spdpMessage(i int, to wire.GUIDPrefix, now time.Time) []byte {
	s := &d.spdp
	if i < 0 || i >= len(s.payloads) {
		i = len(s.payloads) - 1
	}
	m := wire.Data{Reader: wire.EntitySPDPReader, Writer: wire.EntitySPDPWriter, SN: s.sn, Kind: wire.PayloadData, Payload: s.payloads[i]}
	if s.leaving != nil {
		m = *s.leaving
	}
	s.buf.Begin(d.cfg.GUID.Prefix)
	if !to.IsZero() {
		s.buf.InfoDst(to)
	}
	s.buf.InfoTS(wire.TimeOf(now))
	s.buf.Data(&m)
	return s.buf.Bytes()
}

// reply answers a new participant at once, so that it need not wait for the next announcement. INFO_DST in it tells
// that no answer is needed.
func (d *Directory) reply(r *Participant, in *Arrival) {
	s, i := &d.spdp, d.socks.Interface(r.meta.To.Addr())
	if !d.usable(i, r.meta.To.Addr()) {
		return
	}
	b := d.spdpMessage(i, r.prefix, in.Now)
	if s.total >= maxReplies || s.replies[r.source] >= maxRepliesPerSource || len(b) > in.Size+maxLonger {
		d.drops.Reply++
		return
	}
	s.total++
	s.replies[r.source]++
	d.tx.Send(b, r.meta.To, udp.Metatraffic)
}
