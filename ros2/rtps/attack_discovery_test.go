// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"net/netip"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestReflection: forged locators do not make the participant send to a third party.
func TestReflection(t *testing.T) {
	for _, locator := range []string{"8.8.8.8:7410", "239.1.2.3:7410", "10.0.0.255:7410", "255.255.255.255:7410", "10.0.0.99:53", "127.0.0.1:7410"} {
		underAttack(t, func(a *attacker) {
			a.announce(a.own, randomPrefix(), nil, locator)
			time.Sleep(5 * time.Second)
			if n := a.bytesTo(netip.MustParseAddrPort(locator).Addr().String()); n != 0 {
				t.Errorf("%s: %d bytes sent", locator, n)
			}
			if s := a.victim.Stats(); s.Participants != 1 || s.RefusedParticipants == 0 || s.RefusedLocators == 0 {
				t.Errorf("%s: %+v", locator, s)
			}
		})
	}
}

// TestForgedAnnouncementCausesFewDatagrams: one datagram does not make us send to an unverified address for the five
// minutes of its lease.
func TestForgedAnnouncementCausesFewDatagrams(t *testing.T) {
	underAttack(t, func(a *attacker) {
		for range 20 {
			write(t, a.victims, number(0, 100))
		}
		src := randomPrefix()
		a.announce(a.own, src, func(d *wire.ParticipantData) { d.Lease = wire.DurationInfinite }, a.own.String())
		e := wire.EndpointData{GUID: wire.GUID{Prefix: src, Entity: wire.NewEntityID(1, wire.KindReader)}, Topic: "rt/v", Type: typeName, QoS: qos(reliable)}
		a.forge(a.own, src, func(b *wire.Builder) {
			b.Heartbeat(&wire.Heartbeat{Writer: wire.EntitySubscriptionsWriter, First: 1, Last: 1, Count: 1})
			b.Data(&wire.Data{Writer: wire.EntitySubscriptionsWriter, SN: 1, Kind: wire.PayloadData, Payload: e.AppendPayload(nil)})
		})
		time.Sleep(30 * time.Second)
		settled := a.bytesTo(a.own.Addr().String())
		time.Sleep(200 * time.Second)
		if n := a.bytesTo(a.own.Addr().String()) - settled; n != 0 || settled > 20_000 {
			t.Errorf("%d bytes in the first 30 s, %d in the next 200 s", settled, n)
		}
		time.Sleep(100 * time.Second)
		if s := a.victim.Stats(); s.Participants != 1 || s.LeasesExpired != 1 {
			t.Errorf("after five minutes: %+v", s)
		}
	})
}

// TestSmallAnnouncementsAreNotAnswered: a directed reply is never much longer than the announcement it answers.
func TestSmallAnnouncementsAreNotAnswered(t *testing.T) {
	for name, answered := range map[string]bool{"small": false, "a name that makes the announcement as long as ours, and longer": true} {
		underAttack(t, func(a *attacker) {
			size := 0
			watch := func(d *wire.ParticipantData) {
				if d.EntityName = name; name == "small" {
					d.EntityName, d.Lease = "", 0
				}
				size = len(d.AppendPayload(nil)) + 20 + 24
			}
			before, prefix := a.victim.Stats().Dropped[rtps.DropReply], randomPrefix()
			for i, last := 0, uint64(0); i < 3; i++ { // the same again: it did not know us
				a.announce(a.own, prefix, watch, a.own.String())
				time.Sleep(time.Millisecond)
				withheld := a.victim.Stats().Dropped[rtps.DropReply] - before
				if answered && withheld != 0 || !answered && withheld <= last {
					t.Errorf("%d bytes, %d times: withheld %d, before %d", size, i+1, withheld, last)
				}
				last = withheld
			}
		})
	}
}

// TestLeaseIsClamped: a lease that is too short is lengthened.
func TestLeaseIsClamped(t *testing.T) {
	underAttack(t, func(a *attacker) {
		a.announce(a.own, randomPrefix(), func(d *wire.ParticipantData) { d.Lease = wire.DurationOf(time.Millisecond) }, a.own.String())
		for _, c := range []struct {
			after time.Duration
			want  int
		}{{900 * time.Millisecond, 2}, {300 * time.Millisecond, 1}} {
			time.Sleep(c.after)
			if n := a.victim.Stats().Participants; n != c.want {
				t.Errorf("%d participants, want %d", n, c.want)
			}
		}
	})
}

// TestForgedDisposals: a participant or its endpoint can be neither disposed of nor moved by another participant.
func TestForgedDisposals(t *testing.T) {
	underAttack(t, func(a *attacker) {
		prefix := a.peer.GUID().Prefix
		a.forge(a.own, prefix, func(b *wire.Builder) {
			d := wire.NewDispose(wire.EntitySPDPWriter, 1000, a.peer.GUID())
			b.Data(&d)
		})
		a.forge(a.own, prefix, func(b *wire.Builder) {
			d := wire.NewDispose(wire.EntityPublicationsWriter, 2, a.writer.GUID())
			b.Data(&d)
		})
		a.forge(a.own, randomPrefix(), func(b *wire.Builder) {
			d := wire.NewDispose(wire.EntitySPDPWriter, 1000, a.peer.GUID())
			b.Data(&d)
		})
		a.announce(a.own, prefix, nil, a.own.String())
		time.Sleep(time.Second)
		if s := a.victim.Stats(); s.Participants != 1 || s.RefusedDisposals < 3 || a.bytesTo(a.own.Addr().String()) != 0 {
			t.Errorf("%+v", s)
		}
		if a.reader.Matched() != 1 {
			t.Error("the writer was disposed of")
		}
	})
}
