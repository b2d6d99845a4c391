// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"net/netip"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// victim creates a participant with endpoints that match those of a known peer, without a network.
func victim(f testing.TB) (p *Participant, peer wire.GUIDPrefix, w, r wire.GUID) {
	p, err := NewParticipant(Config{Network: &twoInterfaces{locals: []netip.Prefix{netip.MustParsePrefix("10.0.0.1/24")}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { p.Close() })
	q := wire.DefaultWriterQoS()
	writer, err := p.NewWriter(WriterConfig{Topic: "t", Type: "t", QoS: q})
	if err != nil {
		f.Fatal(err)
	}
	reader, err := p.NewReader(ReaderConfig{Topic: "t", Type: "t", QoS: q, OnSample: func(s *Sample) { _ = append([]byte(nil), s.Payload...) }})
	if err != nil {
		f.Fatal(err)
	}
	return p, wire.GUIDPrefix{1, 16, 3, 4}, writer.GUID(), reader.GUID()
}

// seeds are datagrams of the peer: its announcement, its endpoints, and one of each submessage to ours.
func seeds(peer wire.GUIDPrefix, w, r wire.GUID) (list [][]byte) {
	add := func(build func(b *wire.Builder)) {
		b := wire.NewBuilder(4000)
		b.Begin(peer)
		build(b)
		list = append(list, b.Bytes())
	}
	d := wire.ParticipantData{
		GUID: wire.GUID{Prefix: peer, Entity: wire.EntityParticipant}, BuiltinEndpoints: wire.OwnBuiltinEndpoints, Lease: 10 * wire.Second,
		MetatrafficUnicast: []wire.Locator{wire.LocatorFrom(netip.MustParseAddrPort("10.0.0.2:7410"))},
	}
	add(func(b *wire.Builder) {
		b.Data(&wire.Data{Writer: wire.EntitySPDPWriter, SN: 1, Kind: wire.PayloadData, Payload: d.AppendPayload(nil)})
	})
	pub := wire.EndpointData{GUID: wire.GUID{Prefix: peer, Entity: wire.NewEntityID(1, wire.KindWriter)}, Topic: "t", Type: "t", QoS: wire.DefaultWriterQoS()}
	sub := pub
	sub.GUID.Entity = wire.NewEntityID(2, wire.KindReader)
	add(func(b *wire.Builder) {
		for e, data := range map[wire.EntityID]wire.EndpointData{wire.EntityPublicationsWriter: pub, wire.EntitySubscriptionsWriter: sub} {
			b.Heartbeat(&wire.Heartbeat{Writer: e, First: 1, Last: 1, Count: 1})
			b.Data(&wire.Data{Writer: e, SN: 1, Kind: wire.PayloadData, Payload: data.AppendPayload(nil)})
		}
	})
	add(func(b *wire.Builder) {
		e := pub.GUID.Entity
		b.Heartbeat(&wire.Heartbeat{Writer: e, First: 1, Last: 9, Count: 1})
		b.Data(&wire.Data{Writer: e, SN: 2, Kind: wire.PayloadData, Payload: make([]byte, 40)})
		gap := wire.NewGap(r.Entity, e, 3, 5)
		b.Gap(&gap)
		b.DataFrag(&wire.DataFrag{Writer: e, SN: 7, First: 2, Count: 2, FragmentSize: 100, SampleSize: 450, Payload: make([]byte, 200)})
	})
	add(func(b *wire.Builder) {
		set, frags := wire.SequenceNumberSet{Base: 1}, wire.FragmentNumberSet{Base: 1}
		set.Add(2)
		frags.Add(3)
		b.AckNack(&wire.AckNack{Reader: sub.GUID.Entity, Writer: w.Entity, State: set, Count: 1})
		b.NackFrag(&wire.NackFrag{Reader: sub.GUID.Entity, Writer: w.Entity, SN: 1, State: frags, Count: 1})
	})
	add(func(b *wire.Builder) {
		m := wire.NewDispose(wire.EntityPublicationsWriter, 2, pub.GUID)
		b.Data(&m)
		m = wire.NewDispose(wire.EntitySPDPWriter, 2, d.GUID)
		b.Data(&m)
	})
	return list
}

// FuzzReceive passes two datagrams of a known peer to a participant, then fires its timers. Whatever their content, it
// must neither crash nor exceed its memory limits, and removing the peer must free all of it.
func FuzzReceive(f *testing.F) {
	p, peer, w, r := victim(f)
	good := seeds(peer, w, r)
	for _, a := range good {
		for _, b := range good {
			f.Add(a, b)
		}
	}
	from := netip.MustParseAddrPort("10.0.0.2:7410")
	f.Fuzz(func(t *testing.T, a, b []byte) {
		for _, datagram := range [][]byte{good[0], good[1], a, b} {
			p.receive(datagram, from, udp.UserTraffic)
		}
		p.mu.Lock()
		p.alarms.Run(time.Now().Add(20 * time.Millisecond))
		if used := p.budgets.samples.Used; used > p.budgets.samples.Limit {
			t.Errorf("%d bytes held", used)
		}
		for r := range p.directory.Participants() {
			p.directory.Remove(r, "end of the test")
		}
		p.tx.Flush(true)
		if used := p.budgets.samples.Used + p.budgets.discovery.Used; used != 0 || len(p.sources) != 0 {
			t.Errorf("%d bytes and %d writers left behind", used, len(p.sources))
		}
		p.mu.Unlock()
		p.calls.turn.begin()
		p.calls.drain()
		p.calls.turn.end()
	})
}

// TestSeedsAreAccepted checks that no fuzz seed is rejected as malformed or unknown.
func TestSeedsAreAccepted(t *testing.T) {
	p, peer, w, r := victim(t)
	for i, datagram := range seeds(peer, w, r)[:4] {
		p.receive(datagram, netip.MustParseAddrPort("10.0.0.2:7410"), udp.UserTraffic)
		if s := p.Stats(); s.Malformed != 0 || s.UnknownSource != 0 || s.Participants != 1 {
			t.Fatalf("seed %d: %+v", i, s)
		}
	}
	if s := p.Stats(); s.Endpoints != 2 || s.HeldBytes == 0 || s.RefusedEndpoints != 0 {
		t.Errorf("%+v", s)
	}
}
