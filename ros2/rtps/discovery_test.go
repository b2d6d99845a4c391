// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestLateParticipantIsAnsweredAtOnce: a late participant does not wait for the next announcement of an early one.
func TestLateParticipantIsAnsweredAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{})
		a := start(t, n.Host(1), func(c *rtps.Config) { c.Name, c.UserData = "early", []byte("enclave=/;") })
		w := writer(t, a, reliable)
		time.Sleep(30*time.Second + 777*time.Millisecond)
		b := start(t, n.Host(2))
		r, _ := reader(t, b, reliable)
		eventually(t, 100*time.Millisecond, "match on both sides", func() bool { return w.Matched() == 1 && r.Matched() == 1 })
		found := b.Participants()
		if len(found) != 1 || found[0].GUID != a.GUID() || found[0].EntityName != "early" || string(found[0].UserData) != "enclave=/;" {
			t.Errorf("found %+v", found)
		}
		list := b.Endpoints()
		if len(list) != 1 || list[0].GUID != w.GUID() || list[0].Topic != topic || list[0].Type != typeName {
			t.Errorf("endpoints %+v", list)
		}
	})
}

// TestDiscoveryOnBadNetworks: participants and endpoints are discovered despite losses.
func TestDiscoveryOnBadNetworks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{Seed: 7, Loss: 0.3, Duplicate: 0.1, Reorder: 0.3})
		var all []*rtps.Participant
		for host := range 5 {
			p := start(t, n.Host(byte(host+1)))
			all = append(all, p)
			for range 10 {
				writer(t, p, reliable)
				reader(t, p, reliable)
			}
		}
		eventually(t, 30*time.Second, "everybody knows everything", func() bool {
			return !slices.ContainsFunc(all, func(p *rtps.Participant) bool { return len(p.Endpoints()) != 4*20 })
		})
	})
}

// TestLeaseExpiry: a participant that stops sending is removed after its lease, and discovered again when it returns.
func TestLeaseExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, a, b := pair(t, vnet.Config{})
		w := writer(t, a, reliable)
		_, in := reader(t, b, reliable)
		eventually(t, time.Second, "match", func() bool { return w.Matched() == 1 })
		host := n.Host(2).Addr()
		n.Cut(host, true)
		time.Sleep(16 * time.Second)
		if w.Matched() != 1 {
			t.Error("dropped before the lease of 20 s")
		}
		eventually(t, 5*time.Second, "expiry", func() bool { return w.Matched() == 0 && len(a.Participants()) == 0 })
		if s := a.Stats(); s.LeasesExpired != 1 {
			t.Errorf("%+v", s)
		}
		n.Cut(host, false)
		eventually(t, 5*time.Second, "return", func() bool { return w.Matched() == 1 })
		write(t, w, number(1, 8))
		eventually(t, time.Second, "sample after the return", func() bool { return len(in.all()) == 1 })
	})
}

// TestOrderlyLeave: peers remove a closed participant at once, not after its lease.
func TestOrderlyLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, a, b := pair(t, vnet.Config{})
		w := writer(t, a, reliable)
		r, in := reader(t, b, reliable)
		eventually(t, time.Second, "match", func() bool { return w.Matched() == 1 && r.Matched() == 1 })
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		eventually(t, 10*time.Millisecond, "leave", func() bool { return r.Matched() == 0 && len(b.Participants()) == 0 })
		synctest.Wait()
		if ev := in.matches(); len(ev) != 2 || ev[0].Kind != rtps.Matched || ev[1].Kind != rtps.Unmatched || ev[1].Remote != w.GUID() {
			t.Errorf("events %+v", ev)
		}
		if err := w.Write(number(0, 8)); err == nil {
			t.Error("a writer of a closed participant wrote")
		}
	})
}

// TestClosedEndpointIsUnmatched: closing one endpoint ends its matches only, and is reported by events.
func TestClosedEndpointIsUnmatched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, a, b := pair(t, vnet.Config{})
		var mu sync.Mutex
		var kinds []rtps.DiscoveryKind
		b.OnEndpoint(func(ev rtps.DiscoveryEvent) {
			mu.Lock()
			defer mu.Unlock()
			kinds = append(kinds, ev.Kind)
		})
		r, _ := reader(t, b, reliable)
		w1, w2 := writer(t, a, reliable), writer(t, a, bestEffort)
		w3 := writer(t, a, reliable)
		eventually(t, time.Second, "matches", func() bool { return r.Matched() == 2 && w1.Matched() == 1 && w3.Matched() == 1 })
		if w2.Matched() != 0 {
			t.Error("a best-effort writer matched a reliable reader")
		}
		w1.Close()
		eventually(t, time.Second, "first writer gone", func() bool { return r.Matched() == 1 && len(b.Endpoints()) == 2 })
		r.Close()
		eventually(t, time.Second, "reader gone", func() bool { return w3.Matched() == 0 && len(a.Endpoints()) == 0 })
		mu.Lock()
		defer mu.Unlock()
		want := []rtps.DiscoveryKind{rtps.ParticipantFound, rtps.EndpointFound, rtps.EndpointFound, rtps.EndpointFound, rtps.EndpointGone}
		if !slices.Equal(kinds, want) {
			t.Errorf("events %v, want %v", kinds, want)
		}
	})
}

// TestIncompatibleQoS: no data flows, and both sides' events name the policy.
func TestIncompatibleQoS(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, a, b := pair(t, vnet.Config{})
		var events inbox
		w, err := a.NewWriter(rtps.WriterConfig{Topic: topic, Type: typeName, QoS: qos(bestEffort), OnMatch: events.match})
		if err != nil {
			t.Fatal(err)
		}
		r, in := reader(t, b, reliable, transientLocal)
		time.Sleep(5 * time.Second)
		if w.Matched() != 0 || r.Matched() != 0 {
			t.Errorf("matched %d, %d", w.Matched(), r.Matched())
		}
		want := []wire.PolicyID{wire.PolicyDurability, wire.PolicyReliability}
		for _, side := range []*inbox{&events, in} {
			if ev := side.matches(); len(ev) != 1 || ev[0].Kind != rtps.Incompatible || !slices.Equal(ev[0].Policies, want) {
				t.Errorf("events %+v", ev)
			}
		}
	})
}
