// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/reassembly"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestUnansweredPerSourceAreLimited: one address can announce only a limited number of unanswered participants; those
// that answer do not count.
func TestUnansweredPerSourceAreLimited(t *testing.T) {
	b := newBench(t)
	for i := range maxUnansweredPerSource + 50 {
		b.announces(1, number(i))
	}
	if n, _ := b.Size(); n != maxUnansweredPerSource || b.Refusals().Unanswered != 50 {
		t.Errorf("%d unanswered, %+v", n, b.Refusals())
	}
	if b.announces(2, number(1000)) == nil {
		t.Error("another address was refused")
	}
	first := b.remotes[number(0)]
	b.Answered(first)
	b.Answered(first)
	if b.announces(1, number(2000)) == nil {
		t.Error("one more was added")
	}
	b.pass(unansweredTimeout + time.Millisecond)
	if b.announces(1, number(3000)) == nil {
		t.Error("a silent unanswered participant was not removed")
	}
	if b.announces(1, number(3001)) != nil {
		t.Error("two gave way at once")
	}
}

// TestSilentParticipantsAreRemovedFirst: at the limit, silent participants are removed first, unanswered ones before
// those that have answered, and no active one.
func TestSilentParticipantsAreRemovedFirst(t *testing.T) {
	b := newBench(t, func(c *Config) { c.MaxParticipants = 3 })
	heard, silent, silentUnanswered := b.announces(1, number(1)), b.announces(2, number(2)), b.announces(3, number(3))
	b.Answered(heard)
	b.Answered(silent)
	if b.announces(4, number(4)) != nil {
		t.Error("an active participant was removed")
	}
	b.pass(6 * time.Second)
	heard.RenewLease(b.now)
	for _, c := range []struct {
		newcomer int
		gone     *Participant
	}{{5, silentUnanswered}, {6, silent}} {
		if b.announces(c.newcomer, number(c.newcomer)) == nil || b.remotes[c.gone.Prefix()] != nil {
			t.Errorf("for %d %v was not removed", c.newcomer, c.gone.Prefix())
		}
		b.pass(replacePeriod)
	}
	if b.announces(7, number(7)) != nil || b.remotes[heard.Prefix()] == nil {
		t.Error("an active participant was removed")
	}
}

// TestEndpointsOfParticipantWithMostAreRemoved: when there is no memory for endpoints, the participant that has most
// loses some to one that has few, and gets none of it back.
func TestEndpointsOfParticipantWithMostAreRemoved(t *testing.T) {
	const capacity = 20
	b := newBench(t, func(c *Config) { c.EndpointBytes = capacity * (endpointOverhead + 10) })
	greedy, modest := b.announces(1, number(1)), b.announces(2, number(2))
	for i := range uint32(50) {
		b.offers(1, greedy, publication(greedy, i+1, "t"))
	}
	if _, n := b.Size(); n != capacity || b.Refusals().EndpointLimit != 30 {
		t.Errorf("%d endpoints, %+v", n, b.Refusals())
	}
	for i := range uint32(5) {
		b.offers(2, modest, publication(modest, i+1, "t"))
	}
	if len(modest.endpoints) != 5 || len(greedy.endpoints) != capacity-5 {
		t.Errorf("%d and %d endpoints", len(modest.endpoints), len(greedy.endpoints))
	}
	b.Remove(greedy, "test")
	b.Remove(modest, "test")
	if b.endpointBytes.Used != 0 {
		t.Errorf("%d bytes left", b.endpointBytes.Used)
	}
}

// TestEndpointEvents: found, changed with and without a new match, and gone.
func TestEndpointEvents(t *testing.T) {
	b := newBench(t)
	r := b.announces(1, number(1))
	b.heard()
	e := publication(r, 1, "t")
	b.offers(1, r, e)
	b.offers(1, r, e)
	e.UserData = []byte("typehash")
	b.offers(1, r, e)
	e.QoS.Reliability = wire.BestEffort
	b.offers(1, r, e)
	b.withdraws(at(1), r, e.GUID)
	b.withdraws(at(1), r, e.GUID)
	want := []string{"endpoint found t", "endpoint changed t false", "endpoint changed t true", "endpoint gone t"}
	if got := b.heard(); !slices.Equal(got, want) {
		t.Errorf("host events %q, want %q", got, want)
	}
	if b.endpointBytes.Used != 0 || r.Endpoint(e.GUID.Entity) != nil {
		t.Errorf("%d bytes left", b.endpointBytes.Used)
	}
	for name, bad := range map[string]func(e *wire.EndpointData){
		"another's": func(e *wire.EndpointData) { e.GUID.Prefix = number(2) },
		"built-in":  func(e *wire.EndpointData) { e.GUID.Entity = wire.EntityPublicationsWriter },
	} {
		before, forged := b.Refusals().EndpointMalformed, publication(r, 1, "t")
		if bad(forged); forged.IsWriter() {
			b.offers(1, r, forged)
		}
		if _, n := b.Size(); n != 0 || b.Refusals().EndpointMalformed != before+1 {
			t.Errorf("%s endpoint: %d known", name, n)
		}
	}
	reader := publication(r, 1, "t")
	reader.GUID.Entity = wire.NewEntityID(1, wire.KindReader)
	b.OnEndpoint(r, &Arrival{From: at(1), Now: b.now}, wire.EntityPublicationsWriter, &reassembly.Info{Kind: wire.PayloadData}, reader.AppendPayload(nil))
	if _, n := b.Size(); n != 0 {
		t.Error("a reader among publications was believed")
	}
}

// TestDestination: an endpoint's destination is its own locator if that is acceptable, else its participant's.
func TestDestination(t *testing.T) {
	b := newBench(t)
	r := b.announces(1, number(1))
	for locator, want := range map[string]string{
		"10.0.0.1:9000": "10.0.0.1:9000", "10.0.0.77:9000": "10.0.0.77:9000", "192.0.2.1:9000": "10.0.0.1:7410", "10.0.0.1:22": "10.0.0.1:7410",
	} {
		e := publication(r, 1, "t")
		e.Unicast = []wire.Locator{wire.LocatorFrom(netip.MustParseAddrPort(locator))}
		b.offers(1, r, e)
		if got := b.DestinationOf(r.Endpoint(e.GUID.Entity)); got.To.String() != want || got.Prefix != r.Prefix() {
			t.Errorf("%s is reached at %v, want %s", locator, got.To, want)
		}
	}
}

// TestCountersMatchContents: after random announcements, withdrawals, messages and removals the counters are right and
// within the limits, and the host got one event for every participant and endpoint.
func TestCountersMatchContents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := newBench(nil, func(c *Config) { c.MaxParticipants, c.EndpointBytes = 6, 12*(endpointOverhead+10) })
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			i := rapid.IntRange(1, 9).Draw(t, "participant")
			r := b.remotes[number(i)]
			switch rapid.IntRange(0, 6).Draw(t, "kind") {
			case 0, 1:
				b.announces(i, number(i))
			case 2:
				b.disposes(at(rapid.IntRange(1, 9).Draw(t, "from")), number(i))
			case 3:
				b.pass(time.Duration(rapid.IntRange(0, 8000).Draw(t, "ms")) * time.Millisecond)
			default:
				if r == nil {
					continue
				}
				r.RenewLease(b.now)
				b.Answered(r)
				e := publication(r, uint32(rapid.IntRange(1, 5).Draw(t, "endpoint")), "t")
				if rapid.Bool().Draw(t, "withdraw") {
					b.withdraws(at(i), r, e.GUID)
				} else {
					b.offers(i, r, e)
				}
			}
			b.audit(t)
		}
	})
}

// audit recomputes all counters.
func (b *bench) audit(t *rapid.T) {
	bytes, waiting, endpoints := 0, 0, 0
	for r := range b.Participants() {
		own := 0
		for _, e := range r.endpoints {
			own += sizeOf(e.Data())
		}
		if bytes += own; own != r.endpointBytes {
			t.Fatalf("%d bytes of endpoints counted as %d", own, r.endpointBytes)
		}
		if !r.answered {
			waiting++
		}
	}
	counts := map[string]int{}
	for _, n := range b.news {
		counts[n[:5]]++
	}
	for range b.Endpoints() {
		endpoints++
	}
	participants, n := b.Size()
	if bytes != b.endpointBytes.Used || bytes > b.endpointBytes.Limit || waiting != b.unanswered.waiting || n != endpoints ||
		participants > b.cfg.MaxParticipants || counts["found"]-len(goneOf(b.news)) != participants {
		t.Fatalf("%d of %d bytes, %d of %d unanswered, %d of %d endpoints, %d participants; %q",
			bytes, b.endpointBytes.Used, waiting, b.unanswered.waiting, n, endpoints, participants, b.news)
	}
}

// goneOf returns the events of participants that are gone.
func goneOf(news []string) (list []string) {
	for _, n := range news {
		if n[:4] == "gone" {
			list = append(list, n)
		}
	}
	return list
}
