// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"net/netip"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// dropCauses returns, for each reason to drop received data, a function that causes such a drop.
func dropCauses() map[rtps.DropReason]func(a *attacker) {
	return map[rtps.DropReason]func(a *attacker){
		rtps.DropShort:     func(a *attacker) { a.raw([]byte{0}) },
		rtps.DropMalformed: func(a *attacker) { a.raw([]byte("RTPS this is no message of the protocol")) },
		rtps.DropNotOurs: func(a *attacker) {
			a.asPeer(func(b *wire.Builder) { b.InfoDst(randomPrefix()); b.Heartbeat(a.hb(1, 1, 100)) })
		},
		rtps.DropLooped: func(a *attacker) {
			a.forge(a.own, a.victim.GUID().Prefix, func(b *wire.Builder) { b.Heartbeat(a.hb(1, 1, 100)) })
		},
		rtps.DropUnknownParticipant: func(a *attacker) {
			a.forge(a.own, randomPrefix(), func(b *wire.Builder) { b.Heartbeat(a.hb(1, 1, 100)) })
		},
		rtps.DropOrigin: func(a *attacker) {
			a.forge(a.own, a.peer.GUID().Prefix, func(b *wire.Builder) { b.Heartbeat(a.hb(1, 0, 7)) })
		},
		rtps.DropUnknownEndpoint: func(a *attacker) {
			a.asPeer(func(b *wire.Builder) {
				b.Heartbeat(&wire.Heartbeat{Writer: wire.NewEntityID(99, wire.KindWriter), First: 1, Last: 1, Count: 1})
			})
		},
		rtps.DropInlineQoS: func(a *attacker) {
			d := a.data(1, 20)
			d.InlineQoS.Bytes = []byte{0x70, 0, 4, 0, 1, 2, 3, 4, 1, 0, 0, 0} // a key hash of four bytes
			a.asPeer(func(b *wire.Builder) { b.Data(d) })
		},
		rtps.DropLivelinessMessage: func(a *attacker) {
			m := wire.ParticipantMessageData{Prefix: randomPrefix(), Kind: wire.LivelinessUpdateAutomatic}
			a.asPeer(func(b *wire.Builder) {
				b.Data(&wire.Data{Writer: wire.EntityParticipantMessageWriter, SN: 2, Kind: wire.PayloadData, Payload: m.AppendPayload(nil)})
			})
		},
		rtps.DropStaleCount: func(a *attacker) {
			for range 2 {
				a.asPeer(func(b *wire.Builder) { b.Heartbeat(a.hb(1, 0, 7)) })
			}
		},
		rtps.DropDuplicate: func(a *attacker) {
			write(a.t, a.writer, number(1, 20))
			time.Sleep(time.Millisecond)
			a.asPeer(func(b *wire.Builder) { b.Data(a.data(1, 20)) })
		},
		rtps.DropSampleSize:   func(a *attacker) { a.small(number(1, 200)) },
		rtps.DropFragmentSize: func(a *attacker) { a.frag(2, 5<<20) },
		rtps.DropSampleWindow: func(a *attacker) { a.asPeer(func(b *wire.Builder) { b.Data(a.data(1000, 20)) }) },
		rtps.DropSampleMemory: func(a *attacker) {
			for i := range 200 {
				a.asPeer(func(b *wire.Builder) { b.Data(a.data(2+i, 60_000)) })
				time.Sleep(200 * time.Microsecond)
			}
		},
		rtps.DropSampleExpired:  expireSample,
		rtps.DropSampleQueue:    fillQueue,
		rtps.DropFragmentWindow: func(a *attacker) { a.frag(1000, 100_000) },
		rtps.DropFragmentMemory: func(a *attacker) {
			for i := range 4 {
				a.frag(2+i, 4<<20)
			}
		},
		rtps.DropFragmentContradiction: func(a *attacker) { a.frag(2, 100_000); a.frag(2, 100_001) },
		rtps.DropPartial:               func(a *attacker) { a.frag(2, 100_000); time.Sleep(10 * time.Second) },
		rtps.DropGap: func(a *attacker) {
			for i := range 100 {
				a.asPeer(func(b *wire.Builder) {
					gap := wire.NewGap(wire.EntityUnknown, a.writer.GUID().Entity, wire.SequenceNumber(1e6+4*i), wire.SequenceNumber(1e6+4*i+1))
					b.Gap(&gap)
				})
			}
		},
		rtps.DropRequest: requestTooMuch,
		rtps.DropParticipantMalformed: func(a *attacker) {
			a.announce(a.own, randomPrefix(), func(d *wire.ParticipantData) { d.GUID.Prefix = randomPrefix() }, a.own.String())
		},
		rtps.DropParticipantForeign: func(a *attacker) {
			a.announce(a.own, randomPrefix(), func(d *wire.ParticipantData) { d.HasDomainID, d.DomainID = true, 6 }, a.own.String())
		},
		rtps.DropParticipantLimit:       announceMany,
		rtps.DropParticipantUnanswered:  func(a *attacker) { announce(a, a.own, 200) },
		rtps.DropParticipantUnreachable: func(a *attacker) { a.announce(a.own, randomPrefix(), nil, "8.8.8.8:7410") },
		rtps.DropParticipantSource:      func(a *attacker) { a.announce(a.own, a.peer.GUID().Prefix, nil, a.own.String()) },
		rtps.DropEndpointMalformed:      func(a *attacker) { a.endpoints(wire.GUID{Prefix: randomPrefix(), Entity: 0x103}) },
		rtps.DropEndpointLimit: func(a *attacker) {
			var list []wire.GUID
			for i := range 1100 {
				list = append(list, wire.GUID{Entity: wire.NewEntityID(uint32(i), wire.KindWriter)})
			}
			a.endpoints(list...)
		},
		rtps.DropDisposal: func(a *attacker) {
			a.forge(a.own, a.peer.GUID().Prefix, func(b *wire.Builder) {
				d := wire.NewDispose(wire.EntitySPDPWriter, 1000, a.peer.GUID())
				b.Data(&d)
			})
		},
		rtps.DropLocator: func(a *attacker) { a.announce(a.own, randomPrefix(), nil, "239.1.2.3:7410", a.own.String()) },
		rtps.DropReply:   announceMany,
		rtps.DropShared: func(a *attacker) { // the victim has no shared memory
			d := a.data(1, 0)
			d.Kind, d.Payload = wire.PayloadNone, nil
			d.InlineQoS.Bytes = wire.AppendShared(nil, nil, &wire.SharedReference{Length: 20})
			a.asPeer(func(b *wire.Builder) { b.Data(d) })
		},
	}
}

// raw sends bytes to the victim.
func (a *attacker) raw(b []byte) {
	a.net.Inject(a.own, netip.AddrPortFrom(a.net.Host(1).Addr(), udp.UnicastPort(5, 0, udp.UserTraffic)), b)
}

// asPeer forges a datagram of the good peer.
func (a *attacker) asPeer(build func(b *wire.Builder)) {
	a.forge(a.spoofed, a.peer.GUID().Prefix, build)
}

// hb, data and frag are forged submessages of the good peer's writer.
func (a *attacker) hb(first, last, count int) *wire.Heartbeat {
	return &wire.Heartbeat{
		Writer: a.writer.GUID().Entity, First: wire.SequenceNumber(first), Last: wire.SequenceNumber(last), Count: wire.Count(count), Final: true,
	}
}

func (a *attacker) data(sn, size int) *wire.Data {
	return &wire.Data{Writer: a.writer.GUID().Entity, SN: wire.SequenceNumber(sn), Kind: wire.PayloadData, Payload: number(sn, size)}
}

func (a *attacker) frag(sn int, size uint32) {
	a.asPeer(func(b *wire.Builder) {
		b.DataFrag(&wire.DataFrag{
			Writer: a.writer.GUID().Entity, SN: wire.SequenceNumber(sn), First: 1, Count: 1, FragmentSize: 1000, SampleSize: size,
			Payload: make([]byte, 1000),
		})
	})
}

// small has the peer write a sample to a reader that takes 100 bytes.
func (a *attacker) small(payload []byte) {
	w, err := a.peer.NewWriter(rtps.WriterConfig{Topic: "rt/small", Type: typeName, QoS: qos(reliable)})
	if err != nil {
		a.t.Fatal(err)
	}
	if _, err := a.victim.NewReader(rtps.ReaderConfig{Topic: "rt/small", Type: typeName, QoS: qos(reliable), MaxSampleSize: 100}); err != nil {
		a.t.Fatal(err)
	}
	eventually(a.t, time.Second, "match", func() bool { return w.Matched() == 1 })
	write(a.t, w, payload)
}

// endpoints announces endpoints of a new participant.
func (a *attacker) endpoints(list ...wire.GUID) {
	src := randomPrefix()
	a.announce(a.own, src, nil, a.own.String())
	for i, g := range list {
		if g.Prefix.IsZero() {
			g.Prefix = src
		}
		e := wire.EndpointData{GUID: g, Topic: topic, Type: "other", QoS: qos(reliable)}
		a.forge(a.own, src, func(b *wire.Builder) {
			b.Heartbeat(&wire.Heartbeat{Writer: wire.EntityPublicationsWriter, First: 1, Last: 5000, Count: wire.Count(i + 1)})
			b.Data(&wire.Data{
				Writer: wire.EntityPublicationsWriter, SN: wire.SequenceNumber(i + 1), Kind: wire.PayloadData, Payload: e.AppendPayload(nil),
			})
		})
		time.Sleep(200 * time.Microsecond)
	}
}

// announce announces new participants from an address.
func announce(a *attacker, from netip.AddrPort, n int) {
	for range n {
		a.announce(from, randomPrefix(), nil, from.String())
	}
}

// announceMany announces more of them than the victim accepts, from two addresses, each within the limit of one
// address.
func announceMany(a *attacker) {
	announce(a, a.own, 100)
	announce(a, netip.MustParseAddrPort("10.0.0.67:7410"), 100)
}

// expireSample has a sample wait for an earlier one longer than its lifespan.
func expireSample(a *attacker) {
	q := qos(reliable)
	q.Lifespan = wire.DurationOf(50 * time.Millisecond)
	w, err := a.peer.NewWriter(rtps.WriterConfig{Topic: "rt/short", Type: typeName, QoS: q})
	if err != nil {
		a.t.Fatal(err)
	}
	b := &inbox{}
	if _, err := a.victim.NewReader(rtps.ReaderConfig{Topic: "rt/short", Type: typeName, QoS: qos(reliable), OnSample: b.take}); err != nil {
		a.t.Fatal(err)
	}
	eventually(a.t, time.Second, "match", func() bool { return w.Matched() == 1 })
	time.Sleep(time.Second)
	send := func(sn int) {
		a.asPeer(func(b *wire.Builder) {
			b.Data(&wire.Data{Writer: w.GUID().Entity, SN: wire.SequenceNumber(sn), Kind: wire.PayloadData, Payload: number(sn, 20)})
		})
		time.Sleep(time.Millisecond)
	}
	send(2)
	send(3)
	time.Sleep(49 * time.Millisecond)
	send(4)
	time.Sleep(10 * time.Millisecond)
	send(1)
	if got := b.numbers(); len(got) != 2 || got[0] != 1 || got[1] != 4 {
		a.t.Errorf("delivered %v", got)
	}
}

// fillQueue has a reader's function write more to its own topic than may be queued until it returns.
func fillQueue(a *attacker) {
	var w *rtps.Writer
	first := true
	_, err := a.victim.NewReader(rtps.ReaderConfig{Topic: "rt/slow", Type: typeName, QoS: qos(reliable), OnSample: func(*rtps.Sample) {
		for i := 0; first && i < 5000; i++ {
			write(a.t, w, number(i, 8))
		}
		first = false
	}})
	if err != nil {
		a.t.Fatal(err)
	}
	if w, err = a.victim.NewWriter(rtps.WriterConfig{Topic: "rt/slow", Type: typeName, QoS: qos(reliable, depth(5))}); err != nil {
		a.t.Fatal(err)
	}
	write(a.t, w, number(0, 8))
	time.Sleep(time.Millisecond)
}

// requestTooMuch requests fragments of many samples at once.
func requestTooMuch(a *attacker) {
	for i := range 50 {
		write(a.t, a.victims, number(i, 60_000))
	}
	time.Sleep(2 * time.Second)
	frags := wire.FragmentNumberSet{Base: 1}
	for f := range wire.FragmentNumber(40) {
		frags.Add(f + 1)
	}
	a.asPeer(func(b *wire.Builder) {
		for i := range 50 {
			b.NackFrag(&wire.NackFrag{
				Reader: a.peerReader.GUID().Entity, Writer: a.victims.GUID().Entity, SN: wire.SequenceNumber(1 + i), State: frags, Count: wire.Count(1000 + i),
			})
		}
	})
}
