// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestParticipantMoves: a peer's new address is used once the old one has been silent.
func TestParticipantMoves(t *testing.T) {
	underAttack(t, func(a *attacker) {
		prefix := randomPrefix()
		from := func(addr string) {
			a.announce(netip.MustParseAddrPort(addr), prefix, nil, addr)
			time.Sleep(time.Second)
		}
		locator := func() string {
			for _, d := range a.victim.Participants() {
				if d.GUID.Prefix == prefix {
					return d.MetatrafficUnicast[0].String()
				}
			}
			return ""
		}
		from("10.0.0.50:7410")
		from("10.0.0.51:7410") // too soon
		if got := locator(); got != "udp/10.0.0.50:7410" {
			t.Errorf("at %s", got)
		}
		time.Sleep(10 * time.Second)
		before := a.bytesTo("10.0.0.51")
		from("10.0.0.51:7410")
		time.Sleep(5 * time.Second)
		if got := locator(); got != "udp/10.0.0.51:7410" || a.bytesTo("10.0.0.51") == before {
			t.Errorf("at %s, %d bytes sent there", got, a.bytesTo("10.0.0.51")-before)
		}
		from("10.9.9.9:7410") // not one of our subnets, but its source address
		time.Sleep(10 * time.Second)
		from("10.9.9.9:7410")
		if got := locator(); got != "udp/10.9.9.9:7410" {
			t.Errorf("at %s", got)
		}
	})
}

// TestEndpointLocator: an endpoint's own locator takes precedence over its participant's (Fast DDS gives some endpoints
// their own ports).
func TestEndpointLocator(t *testing.T) {
	underAttack(t, func(a *attacker) {
		prefix := randomPrefix()
		a.announce(a.own, prefix, nil, a.own.String())
		e := wire.EndpointData{
			GUID: wire.GUID{Prefix: prefix, Entity: wire.NewEntityID(1, wire.KindReader)}, Topic: "rt/v", Type: typeName, QoS: qos(bestEffort),
			Unicast: []wire.Locator{wire.LocatorFrom(netip.MustParseAddrPort("8.8.8.8:7999")), wire.LocatorFrom(netip.MustParseAddrPort("10.0.0.67:7001"))},
		}
		a.forge(a.own, prefix, func(b *wire.Builder) {
			b.Heartbeat(&wire.Heartbeat{Writer: wire.EntitySubscriptionsWriter, First: 1, Last: 1, Count: 1})
			b.Data(&wire.Data{Writer: wire.EntitySubscriptionsWriter, SN: 1, Kind: wire.PayloadData, Payload: e.AppendPayload(nil)})
		})
		time.Sleep(time.Second)
		if a.victims.Matched() != 2 {
			t.Fatalf("matched %d", a.victims.Matched())
		}
		write(t, a.victims, number(1, 500))
		time.Sleep(time.Second)
		if own, other := a.bytesTo("10.0.0.67"), a.bytesTo("8.8.8.8"); own < 500 || other != 0 {
			t.Errorf("%d and %d bytes", own, other)
		}
		if got := a.victim.Stats().RefusedLocators; got == 0 {
			t.Error("foreign locator not counted")
		}
	})
}

// TestUpdatedEndpoint: a change of USER_DATA is reported and ends no match; a change of QoS does.
func TestUpdatedEndpoint(t *testing.T) {
	underAttack(t, func(a *attacker) {
		prefix := randomPrefix()
		a.announce(a.own, prefix, nil, a.own.String())
		time.Sleep(time.Second)
		var kinds []rtps.DiscoveryKind
		a.victim.OnEndpoint(func(ev rtps.DiscoveryEvent) { kinds = append(kinds, ev.Kind) })
		e := wire.EndpointData{GUID: wire.GUID{Prefix: prefix, Entity: wire.NewEntityID(1, wire.KindReader)}, Topic: "rt/v", Type: typeName, QoS: qos(bestEffort)}
		sn := wire.SequenceNumber(0)
		send := func() {
			sn++
			a.forge(a.own, prefix, func(b *wire.Builder) {
				b.Heartbeat(&wire.Heartbeat{Writer: wire.EntitySubscriptionsWriter, First: 1, Last: sn, Count: wire.Count(sn)})
				b.Data(&wire.Data{Writer: wire.EntitySubscriptionsWriter, SN: sn, Kind: wire.PayloadData, Payload: e.AppendPayload(nil)})
			})
			time.Sleep(time.Second)
		}
		var matched []int
		for _, change := range []func(){
			func() {}, func() { e.UserData = []byte("typehash=x;") }, func() {}, func() { e.QoS.Durability = wire.TransientLocal },
		} {
			change()
			send()
			matched = append(matched, a.victims.Matched())
		}
		synctest.Wait()
		if want := []int{2, 2, 2, 1}; !slices.Equal(matched, want) {
			t.Errorf("matched %v, want %v", matched, want)
		}
		if want := []rtps.DiscoveryKind{rtps.EndpointFound, rtps.EndpointChanged, rtps.EndpointChanged}; !slices.Equal(kinds, want) {
			t.Errorf("events %v, want %v", kinds, want)
		}
	})
}
