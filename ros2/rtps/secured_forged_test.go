// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"bytes"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestReplaysAfterReconnection: what was received before the end of a match is not received again after the next one,
// whatever is sent again and whenever.
func TestReplaysAfterReconnection(t *testing.T) {
	for name, kinds := range map[string][]option{
		"best effort": {bestEffort}, "reliable": {reliable}, "transient local": {reliable, transientLocal},
	} {
		for _, g := range []rules{
			allProtected(security.Sign, security.None), {topic: security.TopicRules{Data: security.Encrypt}}, {domain: security.DomainRules{RTPS: security.Sign}},
		} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { replaysAfterReconnection(t, g, kinds) })
			})
		}
	}
}

// replaysAfterReconnection records the datagrams of a writer, ends the leases at both ends, and injects them before and
// after the next match.
func replaysAfterReconnection(t *testing.T, g rules, kinds []option) {
	n := vnet.New(vnet.Config{})
	a, b := start(t, n.Host(1), securedBy("s", g)), start(t, n.Host(2), securedBy("s", g))
	type sent struct {
		from, to netip.AddrPort
		datagram []byte
	}
	var recorded []sent
	n.Watch(func(from, to netip.AddrPort, datagram []byte) {
		if from.Addr() == n.Host(1).Addr() && to.Addr() == n.Host(2).Addr() {
			recorded = append(recorded, sent{from, to, bytes.Clone(datagram)})
		}
	})
	w := writer(t, a, kinds...)
	r, in := reader(t, b, kinds...)
	matched := func() bool { return w.Matched() == 1 && r.Matched() == 1 }
	eventually(t, time.Minute, "match", matched)
	time.Sleep(time.Second)
	for i := range 20 {
		write(t, w, number(i, 20))
		time.Sleep(50 * time.Millisecond)
	}
	time.Sleep(time.Second)
	n.Watch(nil)
	if got := in.numbers(); len(got) != 20 {
		t.Fatalf("received %v", got)
	}
	list := recorded
	n.Cut(n.Host(2).Addr(), true)
	eventually(t, time.Minute, "the end of the match", func() bool { return w.Matched() == 0 && r.Matched() == 0 })
	n.Cut(n.Host(2).Addr(), false)
	replay := func() {
		for _, s := range list {
			n.Inject(s.from, s.to, s.datagram)
		}
	}
	for range 150 {
		replay()
		if time.Sleep(40 * time.Millisecond); matched() {
			break
		}
	}
	eventually(t, time.Minute, "another match", matched)
	for range 10 {
		replay()
		time.Sleep(200 * time.Millisecond)
	}
	write(t, w, number(20, 20))
	time.Sleep(5 * time.Second)
	if got := in.numbers(); len(got) != 21 || got[20] != 20 {
		t.Errorf("received %v", got)
	}
}

// forgedAnnouncement returns an announcement in the name of a participant on host 2.
func forgedAnnouncement(n *vnet.Net, b *rtps.Participant, change func(*wire.ParticipantData)) []byte {
	d := wire.ParticipantData{Version: wire.Version23, Vendor: wire.VendorOwn, GUID: b.GUID(), BuiltinEndpoints: wire.OwnBuiltinEndpoints,
		Lease: 100 * wire.Second, MetatrafficUnicast: []wire.Locator{wire.LocatorFrom(netip.AddrPortFrom(n.Host(2).Addr(), 8660))}}
	change(&d)
	forged := wire.NewBuilder(1400)
	forged.Begin(b.GUID().Prefix)
	forged.Data(&wire.Data{Writer: wire.EntitySPDPWriter, SN: 1, Kind: wire.PayloadData, Payload: d.AppendPayload(nil)})
	return bytes.Clone(forged.Bytes())
}

// TestForgedFirstAnnouncement: where participants without identity are allowed, an announcement without one, in the
// name of a participant that has one, does not keep that from being authenticated.
func TestForgedFirstAnnouncement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{})
		g := allProtected(security.Sign, security.None)
		g.domain.AllowUnauthenticated = true
		a := start(t, n.Host(1), securedBy("s", g))
		n.Cut(n.Host(2).Addr(), true)
		b := start(t, n.Host(2), securedBy("s", g))
		announcement := forgedAnnouncement(n, b, func(*wire.ParticipantData) {})
		n.Cut(n.Host(2).Addr(), false)
		for _, port := range []uint16{8660, 8662} {
			n.Inject(netip.AddrPortFrom(n.Host(2).Addr(), 8662), netip.AddrPortFrom(n.Host(1).Addr(), port), announcement)
		}
		eventually(t, time.Second, "the forged participant", func() bool { return len(a.Participants()) == 1 })
		if !flows(t, a, b) || !flows(t, b, a) {
			t.Error("nothing arrives")
		}
	})
}
