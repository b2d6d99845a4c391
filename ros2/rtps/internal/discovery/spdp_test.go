// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestParticipantEvents: the host's events: found once however often it is announced, changed when its announcement
// changes, gone when disposed of.
func TestParticipantEvents(t *testing.T) {
	b, a := newBench(t), number(1)
	b.announces(1, a)
	b.announces(1, a)
	d := announcementOf(a, at(1).String())
	d.EntityName = "another"
	b.deliver(at(1), a, &wire.Data{Kind: wire.PayloadData, Payload: d.AppendPayload(nil)})
	b.disposes(at(1), a)
	b.disposes(at(1), a)
	want := []string{"found " + a.String(), "changed " + a.String(), "gone " + a.String()}
	if got := b.heard(); !slices.Equal(got, want) {
		t.Errorf("host events %q, want %q", got, want)
	}
	if n, _ := b.Size(); n != 0 || b.Refusals() != (Refused{}) {
		t.Errorf("%d left, %+v", n, b.Refusals())
	}
}

// TestRefusedAnnouncements: each is counted by its reason and none is accepted.
func TestRefusedAnnouncements(t *testing.T) {
	a := number(1)
	for _, c := range []struct {
		name   string
		change func(d *wire.ParticipantData)
		from   netip.AddrPort
		want   Refused
	}{
		{"of another's name", func(d *wire.ParticipantData) { d.GUID.Prefix = number(2) }, at(1), Refused{Malformed: 1}},
		{"of an endpoint", func(d *wire.ParticipantData) { d.GUID.Entity = 7 }, at(1), Refused{Malformed: 1}},
		{"of another domain", func(d *wire.ParticipantData) { d.DomainID, d.HasDomainID = 3, true }, at(1), Refused{Foreign: 1}},
		{"with a domain tag", func(d *wire.ParticipantData) { d.DomainTag = "x" }, at(1), Refused{Foreign: 1}},
		{"to a third party", func(d *wire.ParticipantData) {
			d.MetatrafficUnicast = []wire.Locator{wire.LocatorFrom(netip.MustParseAddrPort("192.0.2.1:7410"))}
		}, at(1), Refused{Locator: 1, Unreachable: 1}},
		{"to a service of the system", func(d *wire.ParticipantData) {
			d.MetatrafficUnicast = []wire.Locator{wire.LocatorFrom(netip.MustParseAddrPort("10.0.0.1:53"))}
		}, at(1), Refused{Locator: 1, Unreachable: 1}},
		{"from a low port, without locator", func(d *wire.ParticipantData) { d.MetatrafficUnicast = nil },
			netip.MustParseAddrPort("10.0.0.1:53"), Refused{Unreachable: 1}},
	} {
		b := newBench(t)
		d := announcementOf(a, at(1).String())
		c.change(&d)
		b.deliver(c.from, a, &wire.Data{Kind: wire.PayloadData, Payload: d.AppendPayload(nil)})
		if n, _ := b.Size(); n != 0 || b.Refusals() != c.want || len(b.heard()) != 0 || len(b.sent) != 0 {
			t.Errorf("%s: %d known, %+v, %d answers", c.name, n, b.Refusals(), len(b.sent))
		}
	}
	b := newBench(t)
	b.deliver(at(1), a, &wire.Data{Kind: wire.PayloadData, Payload: []byte{0, 3, 0, 0, 9}})
	b.deliver(at(1), a, &wire.Data{Kind: wire.PayloadData, InlineQoS: wire.ParameterList{Bytes: []byte{0x01, 0x40, 4, 0, 0, 0, 0, 0, 1, 0, 0, 0}}})
	if got := b.Refusals(); got != (Refused{Malformed: 1, InlineQoS: 1}) {
		t.Errorf("malformed ones: %+v", got)
	}
}

// TestForgedDisposal: a disposal of a participant is accepted only from one of its addresses.
func TestForgedDisposal(t *testing.T) {
	b, a := newBench(t), number(1)
	r := b.announces(1, a)
	b.offers(1, r, publication(r, 1, "t"))
	b.disposes(at(2), a)
	b.withdraws(at(2), r, publication(r, 1, "t").GUID)
	b.withdraws(at(1), r, wire.GUID{Prefix: number(3), Entity: 1})
	if n, e := b.Size(); n != 1 || e != 1 || b.Refusals().Disposal != 3 {
		t.Errorf("%d participants, %d endpoints, %+v", n, e, b.Refusals())
	}
	b.withdraws(netip.AddrPortFrom(udp.Loopback(), 7411), r, publication(r, 1, "t").GUID)
	if _, e := b.Size(); e != 0 {
		t.Error("from this machine itself it was refused")
	}
}

// TestSecondAddress: a participant that announces itself from several addresses is reached at the first, until that has
// been silent for a while; from a foreign address nothing is accepted before.
func TestSecondAddress(t *testing.T) {
	b, a := newBench(t), number(1)
	b.announces(1, a)
	d := announcementOf(a, at(2).String())
	say := func() {
		b.deliver(at(2), a, &wire.Data{Kind: wire.PayloadData, Payload: d.AppendPayload(nil)})
	}
	say()
	if r := b.remotes[a]; r.Metatraffic().To != at(1) || b.Refusals().Source != 1 {
		t.Errorf("moved at once to %v", r.Metatraffic().To)
	}
	b.pass(sourceTimeout)
	say()
	if r := b.remotes[a]; r.Metatraffic().To != at(2) {
		t.Errorf("still at %v", r.Metatraffic().To)
	}
}

// TestLease: a participant that is silent for its lease is removed with its endpoints; an active one is kept.
func TestLease(t *testing.T) {
	b := newBench(t)
	silent, heard := b.announces(1, number(1)), b.announces(2, number(2))
	b.offers(1, silent, publication(silent, 1, "t"))
	b.heard()
	for range 15 {
		b.pass(time.Second)
		heard.RenewLease(b.now)
	}
	want := []string{"endpoint gone t", "gone " + silent.Prefix().String()}
	if got := b.heard(); !slices.Equal(got, want) || b.Refusals().Leases != 1 {
		t.Errorf("host events %q, want %q; %+v", got, want, b.Refusals())
	}
	if b.remotes[heard.Prefix()] != heard || heard.LastReceived() != b.now {
		t.Error("the other is gone, too")
	}
}

// TestReplies: a new participant is answered at once, one that answers us is not, and a flood of new ones only a few
// times.
func TestReplies(t *testing.T) {
	b := newBench(t)
	b.announces(1, number(1))
	if !slices.Equal(b.sent, []netip.AddrPort{at(1)}) {
		t.Errorf("answers to %v", b.sent)
	}
	d := announcementOf(number(2), at(2).String())
	b.OnAnnouncement(&Arrival{From: at(2), Size: 200, Now: b.now}, &wire.Receiver{SourcePrefix: number(2), DestPrefix: ourPrefix},
		&wire.Data{Kind: wire.PayloadData, Payload: d.AppendPayload(nil)})
	if len(b.sent) != 1 {
		t.Error("what was an answer was answered")
	}
	for i := range maxRepliesPerAddress + 6 {
		b.announces(3, number(10+i)) // from one address
	}
	if len(b.sent) != 1+maxRepliesPerAddress {
		t.Errorf("%d answers to one address", len(b.sent)-1)
	}
	for i := range maxReplies {
		b.announces(100+i, number(100+i))
	}
	if len(b.sent) != maxReplies || int(b.Refusals().Reply) != 1+maxRepliesPerAddress+6 {
		t.Errorf("%d answers, %+v", len(b.sent), b.Refusals())
	}
}

// TestAnnouncing: a burst, then with the period; to each participant by unicast, until it has been silent too often.
func TestAnnouncing(t *testing.T) {
	b := newBench(t, func(c *Config) { c.LeaseDuration = time.Hour })
	b.pass(burstCount * burstPeriod)
	if b.groups != burstCount+1 {
		t.Errorf("%d announcements in the burst", b.groups)
	}
	b.pass(30 * time.Second)
	if b.groups != burstCount+1+10 {
		t.Errorf("%d announcements after 30 s", b.groups)
	}
	d := announcementOf(number(1), at(1).String())
	d.Lease = 300 * wire.Second
	b.deliver(at(1), number(1), &wire.Data{Kind: wire.PayloadData, Payload: d.AppendPayload(nil)})
	b.sent = nil
	b.pass(2 * time.Minute)
	if len(b.sent) != maxTries+maxRepeats {
		t.Errorf("%d announcements sent to a silent participant", len(b.sent))
	}
	b.Leave(b.now)
	if len(b.sent) != maxTries+maxRepeats+1 {
		t.Error("no disposal was sent to it")
	}
}

// TestAnnouncement: the content of the announcement, to all and to one; its number rises only when the content changes.
func TestAnnouncement(t *testing.T) {
	b := newBench(t, func(c *Config) { c.Name, c.UserData, c.DomainID = "/robot", []byte("enclave=/;"), 7 })
	check := func(when string, sn wire.SequenceNumber, to wire.GUIDPrefix, address string) {
		t.Helper()
		d := b.last.data
		if b.last.sn != sn || b.last.to != to || b.last.kind != wire.PayloadData || d.GUID != b.cfg.GUID || d.EntityName != "/robot" ||
			string(d.UserData) != "enclave=/;" || d.DomainID != 7 || d.Lease.Duration() != b.cfg.LeaseDuration || len(d.DefaultUnicast) != 1 ||
			d.MetatrafficUnicast[0].String() != address {
			t.Errorf("%s: number %d to %v says %+v", when, b.last.sn, b.last.to, d)
		}
	}
	check("first", 1, wire.GUIDPrefix{}, "udp/10.0.0.1:7410")
	b.announces(1, number(1))
	check("to a newcomer", 1, number(1), "udp/10.0.0.1:7410")
	b.pass(time.Minute)
	b.disposes(at(1), number(1))
	b.pass(10 * time.Second)
	check("after a minute", 1, wire.GUIDPrefix{}, "udp/10.0.0.1:7410")
	b.local, b.moved = netip.MustParseAddr("10.3.0.1"), true
	b.groups = 0
	b.pass(4 * time.Second)
	b.moved = false
	if check("at another address", 3, wire.GUIDPrefix{}, "udp/10.3.0.1:7410"); b.groups < burstCount {
		t.Errorf("%d announcements after the address changed", b.groups)
	}
	if b.Leave(b.now); b.groups == 0 || b.last.kind == wire.PayloadData || b.last.sn <= 3 {
		t.Errorf("in the end: number %d, %+v", b.last.sn, b.last)
	}
}

// TestOneRefreshAtATime: while a refresh of the interfaces is running, no other is started, and everything else
// continues.
func TestOneRefreshAtATime(t *testing.T) {
	b := newBench(t)
	for n := 0; b.Refreshing() == nil; n++ {
		if n > 100 {
			t.Fatal("the network is not asked for its interfaces")
		}
		b.now = b.alarms.Run(b.now)
	}
	asked, before := b.Refreshing(), b.groups
	for range 5 {
		b.now = b.alarms.Run(b.now)
	}
	if b.Refreshing() != asked || b.groups < before+4 {
		t.Errorf("asked again: %v; %d announcements meanwhile", b.Refreshing() != asked, b.groups-before)
	}
	<-asked
	if (<-b.locked)(b.now); b.Refreshing() != nil {
		t.Error("the refresh did not end")
	}
}

// TestProbing: more participant ids of peers without multicast are probed when more are in use.
func TestProbing(t *testing.T) {
	peer := at(9).Addr()
	b := newBench(t, func(c *Config) { c.NoMulticast, c.Peers = true, []netip.Addr{peer, peer, netip.IPv6Loopback()} })
	if len(b.sent) != probedIDs || b.groups != 0 {
		t.Errorf("%d places probed, %d to the group", len(b.sent), b.groups)
	}
	high := netip.AddrPortFrom(peer, udp.UnicastPort(0, 40, udp.Metatraffic))
	d := announcementOf(number(1), high.String())
	b.deliver(high, number(1), &wire.Data{Kind: wire.PayloadData, Payload: d.AppendPayload(nil)})
	b.sent = nil
	b.SetPeers([]netip.Addr{peer, at(8).Addr()}, b.now)
	if want := (40 + 1 + probedIDs/2) + probedIDs + 1; len(b.sent) != want {
		t.Errorf("%d places, want %d", len(b.sent), want)
	}
	b.sent = nil
	b.SetPeers([]netip.Addr{peer}, b.now)
	if len(b.sent) != 0 {
		t.Error("a peer less is no reason to announce")
	}
}

// TestForgedLease: an announcement, which any machine can send, shortens no lease in a secured domain.
func TestForgedLease(t *testing.T) {
	for _, secured := range []bool{false, true} {
		b := newBench(t, func(c *Config) {
			if secured {
				c.Security = &wire.ParticipantSecurity{}
			}
		})
		r := b.announces(1, wire.GUIDPrefix{7})
		for lease, want := range map[wire.Duration]time.Duration{1 * wire.Second: 10 * time.Second, 20 * wire.Second: 20 * time.Second} {
			if !secured {
				want = lease.Duration()
			}
			r.lease = 10 * time.Second
			d := announcementOf(r.prefix, at(1).String())
			d.Lease = lease
			b.deliver(at(1), r.prefix, &wire.Data{Writer: wire.EntitySPDPWriter, SN: 1, Kind: wire.PayloadData, Payload: d.AppendPayload(nil)})
			if r.lease != want {
				t.Errorf("secured %v: a lease of %v becomes %v", secured, lease.Duration(), r.lease)
			}
		}
	}
}
