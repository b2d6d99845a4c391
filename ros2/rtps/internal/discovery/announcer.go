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
	// probedIDs is the minimum number of participant ids probed on a peer without multicast, as in Cyclone DDS of ROS
	// 2.
	probedIDs = 32
	// maxAnnounced bounds the locators announced together: Fast DDS keeps four.
	maxAnnounced = 4
	// Bounds of directed replies to new participants in one announce period, in total and to one address. A reply is
	// little longer than the announcement it answers (by INFO_DST and the names), so a forged announcement draws about
	// as many times its bytes as there are replies, 1 + maxRepeats.
	maxReplies           = 256
	maxRepliesPerAddress = 64
	maxLonger            = 64
	// A new participant that does not show that it knows ours gets the reply again after replyPeriod, which doubles, up
	// to maxRepeats times: Fast DDS announces itself before it accepts announcements.
	replyPeriod = 20 * time.Millisecond
	maxRepeats  = 3
	// Number of unicast announcements to known participants between two pauses.
	sentTogether = 32
	sentPause    = 10 * time.Millisecond
)

// announcer is the state of the SPDP writer.
//
// On each interface it announces only the address there. Otherwise a peer on a common network that also has a container
// bridge with the same address as ours might send to that: Cyclone DDS picks one of the announced addresses.
type announcer struct {
	sn        wire.SequenceNumber
	locators  []netip.AddrPort // of discovery, for which the payloads were built
	addresses []netip.Addr     // announced and still valid
	payloads  [][]byte         // one for each interface, and one with all addresses, for peers beyond a router
	leaving   *wire.Data       // disposal, sent instead of announcements when closing
	retracted retraction       // of the addresses before this machine moved
	sent      int              // announcements since the start or a change of the interfaces
	alarm     alarm.Alarm
	pending   []wire.GUIDPrefix  // participants not yet sent to in this round
	rest      alarm.Alarm        // for the next batch of them
	replies   map[netip.Addr]int // in the period since counted, by destination
	total     int
	counted   time.Time
	changed   bool // the content of the announcement, since the payloads were built
	buf       *wire.Builder
	longer    int // bytes by which the properties are longer than at the start
}

// refreshAnnouncement builds the payloads. The sequence number rises only when the content changes, as peers expect.
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
		UserData: d.cfg.UserData, EntityName: d.cfg.Name, Properties: d.cfg.Properties, Security: d.cfg.Security,
	}
	if d.cfg.Security != nil {
		data.BuiltinEndpoints |= wire.SecureBuiltinEndpoints
	}
	for i := range meta {
		data.MetatrafficUnicast = append(data.MetatrafficUnicast, wire.LocatorFrom(meta[i]))
		data.DefaultUnicast = append(data.DefaultUnicast, wire.LocatorFrom(user[i]))
	}
	return data.AppendPayload(nil)
}

// SetProperties replaces the properties that are announced. The new ones are announced within burstPeriod, together with
// other changes in that time: peers can cause them.
func (d *Directory) SetProperties(list []wire.Property) {
	d.spdp.longer += propertyBytes(list) - propertyBytes(d.cfg.Properties)
	d.cfg.Properties = list
	d.spdp.changed = true
	d.alarms.SetEarlier(&d.spdp.alarm, time.Now().Add(burstPeriod))
}

// propertyBytes returns about how many bytes properties take in an announcement.
func propertyBytes(list []wire.Property) (n int) {
	for _, p := range list {
		n += len(p.Name) + len(p.Value) + 16
	}
	return n
}

// Announcement returns the payload that announces the local participant with all its addresses.
func (d *Directory) Announcement() []byte {
	meta, user := d.socks.Locators(udp.Metatraffic), d.socks.Locators(udp.UserTraffic)
	n := min(len(meta), maxAnnounced)
	return d.announcement(meta[:n], user[:n])
}

// announce sends the announcement to all peers, and schedules the next one.
func (d *Directory) announce(now time.Time) {
	if d.spdp.sent > burstCount {
		d.refreshInterfaces()
	}
	if d.spdp.sent == 0 {
		if d.retract(now) {
			d.alarms.Set(&d.spdp.alarm, now.Add(min(burstPeriod, d.cfg.AnnouncePeriod)))
			return
		}
		d.refreshAnnouncement()
	} else if d.spdp.changed {
		d.refreshAnnouncement()
	}
	d.spdp.changed = false
	d.announceToAll(now)
	d.host.Announced(now)
	period := d.cfg.AnnouncePeriod
	if d.spdp.sent++; d.spdp.sent <= burstCount {
		period = min(burstPeriod, period)
	}
	d.alarms.Set(&d.spdp.alarm, now.Add(period))
}

// refreshInterfaces refreshes the list of interfaces on a separate goroutine, unless a refresh is still running: it may
// take long, for instance if the Wi-Fi chip does not respond to the kernel.
func (d *Directory) refreshInterfaces() {
	if d.refreshing != nil {
		return
	}
	refreshing := make(chan struct{})
	d.refreshing = refreshing
	task.Go("network interfaces", func() {
		defer close(refreshing)
		changed := d.socks.Refresh()
		d.host.Locked(func(now time.Time) {
			if d.refreshing = nil; changed {
				d.log.Info("network interfaces changed", "locators", d.socks.Locators(udp.UserTraffic))
				d.spdp.sent = 0
				d.announce(now)
			}
		})
	})
}

// announceToAll sends the announcement to the group, to the configured peers, and to every known participant by
// unicast, which is more reliable over Wi-Fi.
func (d *Directory) announceToAll(now time.Time) {
	if !d.cfg.NoMulticast && (d.spdp.leaving != nil || d.upToDate()) {
		for i := range len(d.spdp.payloads) - 1 {
			b := d.spdpMessage(i, wire.GUIDPrefix{}, now)
			d.tx.Multicast(b, i)
		}
	}
	for _, peer := range d.probes() {
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
	if d.spdp.leaving != nil || len(d.spdp.pending) == 0 { // else the previous round is not finished
		d.spdp.pending = d.spdp.pending[:0]
		for prefix := range d.remotes {
			d.spdp.pending = append(d.spdp.pending, prefix)
		}
	}
	d.announceToSome(now)
}

// announceToSome continues the unicast announcements to the known participants, a few at a time: on a large network,
// sending all at once would delay the publishers of a slow machine.
func (d *Directory) announceToSome(now time.Time) {
	s := &d.spdp
	for n := 0; len(s.pending) > 0 && (n < sentTogether || s.leaving != nil); n++ {
		last := len(s.pending) - 1
		r := d.remotes[s.pending[last]]
		if s.pending = s.pending[:last]; r == nil {
			continue
		}
		if r.lastReceived.After(r.sentAt) {
			r.sends = 0
		}
		if s.leaving == nil && r.sends >= maxTries {
			continue // nothing was received from it since
		}
		r.sentAt = now
		r.sends++
		if i := d.socks.Interface(r.meta.To.Addr()); s.leaving != nil || d.usable(i, r.meta.To.Addr()) {
			d.tx.Send(d.spdpMessage(i, r.prefix, now), r.meta.To, udp.Metatraffic)
		}
	}
	if len(s.pending) > 0 {
		d.alarms.Set(&s.rest, now.Add(sentPause))
	}
}

// spdpMessage builds the datagram for peers reached through interface number i, or -1 for others.
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

// reply answers a new participant at once, so that it need not wait for the next announcement, and again while it does
// not know the local participant. The INFO_DST shows that no answer is needed.
func (d *Directory) reply(r *Participant, in *Arrival) {
	if !d.mayReply(r, in) {
		return
	}
	d.sendReply(r, in.Now)
	r.again.Fire = func(now time.Time) { d.repeatReply(r, now) }
	d.alarms.Set(&r.again, in.Now.Add(replyPeriod))
}

// mayReply reports whether a reply to an announcement can be sent, and is not much longer than it: otherwise it is
// counted as dropped.
func (d *Directory) mayReply(r *Participant, in *Arrival) bool {
	to := r.meta.To.Addr()
	i := d.socks.Interface(to)
	if !d.usable(i, to) {
		return false
	}
	if len(d.spdpMessage(i, r.prefix, in.Now)) > in.Size+maxLonger+max(d.spdp.longer, 0) {
		d.drops.Reply++
		return false
	}
	return true
}

// sendReply sends a directed reply, within their bounds.
func (d *Directory) sendReply(r *Participant, now time.Time) {
	s, to := &d.spdp, r.meta.To.Addr()
	i := d.socks.Interface(to)
	if now.Sub(s.counted) >= d.cfg.AnnouncePeriod {
		clear(s.replies)
		s.total, s.counted = 0, now
	}
	switch {
	case !d.usable(i, to):
	case s.total >= maxReplies || s.replies[to] >= maxRepliesPerAddress:
		d.drops.Reply++
	default:
		s.total++
		s.replies[to]++
		d.tx.Send(d.spdpMessage(i, r.prefix, now), r.meta.To, udp.Metatraffic)
	}
}

// repeatReply sends the reply to a new participant again, unless it has shown that it knows the local one.
func (d *Directory) repeatReply(r *Participant, now time.Time) {
	if r.aware || r.answered || r.repeats >= maxRepeats {
		return
	}
	r.repeats++
	d.sendReply(r, now)
	d.alarms.Set(&r.again, now.Add(replyPeriod<<r.repeats))
}
