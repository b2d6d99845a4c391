// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// attacker forges datagrams. Its victim is the participant on host 1, whose good peer is on host 2.
type attacker struct {
	t          *testing.T
	net        *vnet.Net
	victim     *rtps.Participant
	peer       *rtps.Participant
	writer     *rtps.Writer // of the peer
	reader     *rtps.Reader // of the victim, matched with writer
	victims    *rtps.Writer // of the victim, matched with a reader of the peer
	peerReader *rtps.Reader
	in         *inbox
	own        netip.AddrPort
	spoofed    netip.AddrPort // the peer's

	mu   sync.Mutex
	sent map[netip.Addr]int // bytes the victim sent, by destination
}

// underAttack starts the victim and its peer and runs f.
func underAttack(t *testing.T, f func(a *attacker)) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{})
		victim := start(t, n.Host(1), func(c *rtps.Config) { c.Limits.Participants, c.Limits.EndpointBytes = 150, 1<<20 })
		peer := start(t, n.Host(2))
		a := &attacker{t: t, net: n, victim: victim, peer: peer, own: netip.MustParseAddrPort("10.0.0.66:7410"),
			spoofed: netip.MustParseAddrPort("10.0.0.2:7410"), sent: map[netip.Addr]int{}}
		a.writer = writer(t, peer, reliable, keepAll)
		a.reader, a.in = reader(t, victim, reliable)
		var err error
		if a.victims, err = victim.NewWriter(rtps.WriterConfig{Topic: "rt/v", Type: typeName, QoS: qos(reliable, depth(100))}); err != nil {
			t.Fatal(err)
		}
		if a.peerReader, err = peer.NewReader(rtps.ReaderConfig{Topic: "rt/v", Type: typeName, QoS: qos(reliable)}); err != nil {
			t.Fatal(err)
		}
		eventually(t, time.Second, "match", func() bool {
			return a.writer.Matched() == 1 && a.reader.Matched() == 1 && a.victims.Matched() == 1
		})
		time.Sleep(time.Second)
		n.Watch(func(from, to netip.AddrPort, datagram []byte) {
			if from.Addr() == n.Host(1).Addr() {
				a.mu.Lock()
				defer a.mu.Unlock()
				a.sent[to.Addr()] += len(datagram)
			}
		})
		f(a)
		a.stillWorks()
	})
}

// stillWorks checks that the exchange with the well-behaved peer continues.
func (a *attacker) stillWorks() {
	a.t.Helper()
	before := len(a.in.all())
	write(a.t, a.writer, number(77, 5000))
	eventually(a.t, 3*time.Second, "a sample after the attack", func() bool { return slices.Contains(a.in.numbers()[before:], 77) })
}

// forge sends a datagram to the victim, as written by the participant src.
func (a *attacker) forge(from netip.AddrPort, src wire.GUIDPrefix, build func(b *wire.Builder)) {
	b := wire.NewBuilder(wire.MaxMessageSize)
	b.Begin(src)
	build(b)
	for _, t := range []udp.Traffic{udp.Metatraffic, udp.UserTraffic} {
		a.net.Inject(from, netip.AddrPortFrom(a.net.Host(1).Addr(), udp.UnicastPort(5, 0, t)), b.Bytes())
	}
}

// announce forges an announcement with the given locators.
func (a *attacker) announce(from netip.AddrPort, src wire.GUIDPrefix, change func(*wire.ParticipantData), locators ...string) {
	d := wire.ParticipantData{
		Version: wire.Version23, Vendor: wire.VendorCyclone, GUID: wire.GUID{Prefix: src, Entity: wire.EntityParticipant},
		BuiltinEndpoints: wire.OwnBuiltinEndpoints, Lease: 100 * wire.Second, EntityName: "a name that makes it longer than our answer",
	}
	for _, l := range locators {
		d.MetatrafficUnicast = append(d.MetatrafficUnicast, wire.LocatorFrom(netip.MustParseAddrPort(l)))
	}
	if change != nil {
		change(&d)
	}
	a.forge(from, src, func(b *wire.Builder) {
		b.Data(&wire.Data{Writer: wire.EntitySPDPWriter, SN: 1, Kind: wire.PayloadData, Payload: d.AppendPayload(nil)})
	})
}

// bytesTo returns what the victim has sent to an address.
func (a *attacker) bytesTo(addr string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.sent[netip.MustParseAddr(addr)]
}

// prefixes counts the prefixes of randomPrefix.
var prefixes atomic.Uint64

// randomPrefix returns another prefix at each call.
func randomPrefix() (p wire.GUIDPrefix) {
	rng := rand.New(rand.NewPCG(prefixes.Add(1), 1))
	for i := range p {
		p[i] = byte(rng.Uint32())
	}
	return p
}

// TestHugeNumbers: GAPs and HEARTBEATs over the whole range of numbers take no noticeable time or memory.
func TestHugeNumbers(t *testing.T) {
	underAttack(t, func(a *attacker) {
		src, w := a.peer.GUID().Prefix, a.writer.GUID().Entity
		for i := range 1000 {
			a.forge(a.spoofed, src, func(b *wire.Builder) {
				gap := wire.NewGap(wire.EntityUnknown, w, wire.SequenceNumber(1e6+4*i), wire.SequenceNumber(1e6+4*i+1))
				b.Gap(&gap)
				if i == 999 {
					gap = wire.NewGap(wire.EntityUnknown, w, 1e7, 1<<62)
					b.Gap(&gap)
					b.Heartbeat(&wire.Heartbeat{Writer: w, First: 1, Last: 1 << 60, Count: 1000})
				}
			})
		}
		time.Sleep(time.Second)
		if n := a.bytesTo("10.0.0.2"); n > 20_000 {
			t.Errorf("%d bytes sent in a second", n)
		}
	})
}

// TestFragmentFlood: memory for claimed sample sizes and for many incomplete samples is bounded.
func TestFragmentFlood(t *testing.T) {
	underAttack(t, func(a *attacker) {
		src, w := a.peer.GUID().Prefix, a.writer.GUID().Entity
		frag := func(sn wire.SequenceNumber, size uint32) {
			a.forge(a.spoofed, src, func(b *wire.Builder) {
				b.DataFrag(&wire.DataFrag{Writer: w, SN: sn, First: 1, Count: 1, FragmentSize: 60_000, SampleSize: size, Payload: make([]byte, 60_000)})
			})
		}
		frag(200, 1<<32-1)
		frag(201, 5<<20)
		if s := a.victim.Stats(); s.HeldBytes != 0 {
			t.Errorf("%d bytes held", s.HeldBytes)
		}
		for i := range wire.SequenceNumber(200) {
			frag(20+i, 4<<20)
			time.Sleep(time.Millisecond)
		}
		if s := a.victim.Stats(); s.HeldBytes > 16<<20 || s.FragmentsRefused < 150 {
			t.Errorf("%d bytes held, %d refused", s.HeldBytes, s.FragmentsRefused)
		}
		time.Sleep(10 * time.Second)
		if s := a.victim.Stats(); s.HeldBytes != 0 {
			t.Errorf("%d bytes held after the time-out", s.HeldBytes)
		}
	})
}

// TestRequestFlood: the retransmissions that one reader can cause are bounded.
func TestRequestFlood(t *testing.T) {
	underAttack(t, func(a *attacker) {
		for i := range 50 {
			write(t, a.victims, number(i, 60_000))
		}
		time.Sleep(2 * time.Second)
		before := a.bytesTo("10.0.0.2")
		for i := range 2_000 {
			set := wire.SequenceNumberSet{Base: 1}
			set.AddRange(1, 50)
			frags := wire.FragmentNumberSet{Base: 1}
			for f := range wire.FragmentNumber(40) {
				frags.Add(f + 1)
			}
			a.forge(a.spoofed, a.peer.GUID().Prefix, func(b *wire.Builder) {
				r, w := a.peerReader.GUID().Entity, a.victims.GUID().Entity
				b.AckNack(&wire.AckNack{Reader: r, Writer: w, State: set, Count: wire.Count(1000 + i)})
				b.NackFrag(&wire.NackFrag{Reader: r, Writer: w, SN: wire.SequenceNumber(1 + i%50), State: frags, Count: wire.Count(1000 + i)})
			})
			time.Sleep(500 * time.Microsecond)
		}
		if n := a.bytesTo("10.0.0.2") - before; n > 4_500_000 { // RepairRate for a second, and a burst
			t.Errorf("%d bytes sent again in a second", n)
		}
	})
}
