// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// scripted is a peer whose submessages are written by the test. It records those of our participant.
type scripted struct {
	t      *testing.T
	net    *vnet.Net
	p      *rtps.Participant // ours, on host 1
	prefix wire.GUIDPrefix
	vendor wire.VendorID
	at     netip.AddrPort
	counts wire.Count

	mu   sync.Mutex
	got  []heard
	bare []string // formal errors
}

// heard is one submessage received by the scripted peer.
type heard struct {
	wire.NopHandler
	at            time.Time
	port          uint16
	directed      bool
	timestamp     wire.Time
	data          *wire.Data
	frag          *wire.DataFrag
	heartbeat     *wire.Heartbeat
	ack           *wire.AckNack
	nackFrag      *wire.NackFrag
	heartbeatFrag *wire.HeartbeatFrag
	gap           *wire.Gap
}

// scribe records the submessages of a datagram.
type scribe struct {
	wire.NopHandler
	s    *scripted
	port uint16
}

func (c *scribe) note(r *wire.Receiver, h heard) {
	h.at, h.port, h.directed, h.timestamp = time.Now(), c.port, r.DestPrefix == c.s.prefix, r.Timestamp
	c.s.got = append(c.s.got, h)
}

func (c *scribe) HandleData(r *wire.Receiver, m *wire.Data) {
	d := *m
	d.Payload, d.InlineQoS.Bytes = slices.Clone(m.Payload), slices.Clone(m.InlineQoS.Bytes)
	c.note(r, heard{data: &d})
}

func (c *scribe) HandleDataFrag(r *wire.Receiver, m *wire.DataFrag) {
	d := *m
	c.note(r, heard{frag: &d})
}

func (c *scribe) HandleHeartbeat(r *wire.Receiver, m *wire.Heartbeat) {
	d := *m
	c.note(r, heard{heartbeat: &d})
}

func (c *scribe) HandleAckNack(r *wire.Receiver, m *wire.AckNack) {
	d := *m
	c.note(r, heard{ack: &d})
}

func (c *scribe) HandleNackFrag(r *wire.Receiver, m *wire.NackFrag) {
	d := *m
	c.note(r, heard{nackFrag: &d})
}

func (c *scribe) HandleHeartbeatFrag(r *wire.Receiver, m *wire.HeartbeatFrag) {
	d := *m
	c.note(r, heard{heartbeatFrag: &d})
}

func (c *scribe) HandleGap(r *wire.Receiver, m *wire.Gap) {
	d := *m
	c.note(r, heard{gap: &d})
}

// withScripted runs f with our participant and a scripted peer that has announced itself.
func withScripted(t *testing.T, vendor wire.VendorID, f func(s *scripted), change ...func(*rtps.Config)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{})
		s := &scripted{t: t, net: n, p: start(t, n.Host(1), change...), prefix: randomPrefix(), at: netip.MustParseAddrPort("10.0.0.9:7500")}
		n.Watch(s.listen)
		time.Sleep(time.Second) // past the first burst
		s.vendor = vendor
		s.announce()
		f(s)
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, fault := range s.bare {
			t.Error(fault)
		}
	})
}

// announce makes the scripted peer announce itself.
func (s *scripted) announce() {
	d := wire.ParticipantData{
		Version: wire.Version23, Vendor: s.vendor, GUID: wire.GUID{Prefix: s.prefix, Entity: wire.EntityParticipant},
		BuiltinEndpoints: wire.OwnBuiltinEndpoints, Lease: 1000 * wire.Second, EntityName: "scripted, with a name as long as it takes",
		MetatrafficUnicast: []wire.Locator{wire.LocatorFrom(s.at)},
		DefaultUnicast:     []wire.Locator{wire.LocatorFrom(netip.AddrPortFrom(s.at.Addr(), 7501))},
	}
	s.send(func(b *wire.Builder) {
		b.Data(&wire.Data{Writer: wire.EntitySPDPWriter, SN: 1, Kind: wire.PayloadData, Payload: d.AppendPayload(nil)})
	})
}

// listen records what our participant sends to the scripted peer, and checks its form.
func (s *scripted) listen(from, to netip.AddrPort, datagram []byte) {
	if from.Addr() != s.net.Host(1).Addr() || to.Addr() != s.at.Addr() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(datagram) > 1472 {
		s.bare = append(s.bare, "a datagram larger than an Ethernet frame")
	}
	head, err := wire.ParseHeader(datagram)
	if err != nil || head.Version != wire.Version23 || head.Vendor != wire.VendorOwn || head.Prefix.Vendor() != wire.VendorOwn {
		s.bare = append(s.bare, "header "+head.Version.String()+" "+head.Vendor.String())
	}
	p := wire.Parser{Strict: true}
	if err := p.Walk(datagram, &scribe{s: s, port: to.Port()}); err != nil {
		s.bare = append(s.bare, err.Error())
	}
}

// send sends a datagram to our participant.
func (s *scripted) send(build func(b *wire.Builder)) {
	b := wire.NewBuilder(wire.MaxMessageSize)
	b.Begin(s.prefix)
	build(b)
	s.net.Inject(s.at, netip.AddrPortFrom(s.net.Host(1).Addr(), udp.UnicastPort(5, 0, udp.UserTraffic)), b.Bytes())
	time.Sleep(200 * time.Microsecond) // there
}

// count returns the next count for a submessage.
func (s *scripted) count() wire.Count {
	s.counts++
	return s.counts
}

// endpoint announces a writer or reader of the test topic and returns its GUID.
func (s *scripted) endpoint(kind wire.EntityKind, opts ...option) wire.GUID {
	e := wire.EndpointData{GUID: wire.GUID{Prefix: s.prefix, Entity: wire.NewEntityID(1, kind)}, Topic: topic, Type: typeName, QoS: qos(opts...)}
	w := wire.EntitySubscriptionsWriter
	if e.IsWriter() {
		w = wire.EntityPublicationsWriter
	}
	s.send(func(b *wire.Builder) {
		b.Heartbeat(&wire.Heartbeat{Writer: w, First: 1, Last: 1, Count: s.count(), Final: true})
		b.Data(&wire.Data{Writer: w, SN: 1, Kind: wire.PayloadData, Payload: e.AppendPayload(nil)})
	})
	if !e.IsWriter() {
		writer := wire.NewEntityID(1, wire.KindWriter) // our first endpoint
		s.greet(e.GUID.Entity, writer)
		s.answer(e.GUID.Entity, writer)
	}
	return e.GUID
}

// greet requests a first heartbeat, as a reader does that has just matched one of our writers.
func (s *scripted) greet(reader, writer wire.EntityID) {
	s.send(func(b *wire.Builder) {
		b.AckNack(&wire.AckNack{Reader: reader, Writer: writer, State: wire.SequenceNumberSet{Base: 1}, Count: s.count()})
	})
}

// answer answers a heartbeat that announces nothing, as a reader does that has just matched one of our writers.
func (s *scripted) answer(reader, writer wire.EntityID) {
	s.send(func(b *wire.Builder) {
		b.AckNack(&wire.AckNack{Reader: reader, Writer: writer, State: wire.SequenceNumberSet{Base: 1}, Count: s.count(), Final: true})
	})
}

// heard returns and deletes the recorded submessages that pick selects.
func (s *scripted) heard(pick func(h heard) bool) []heard {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []heard
	for _, h := range s.got {
		if pick(h) {
			list = append(list, h)
		}
	}
	s.got = nil
	return list
}

// TestFirstMessagesToNewParticipant: a new participant is sent at once an answer to its announcement and first ACKNACKs
// to its discovery endpoints, all with INFO_DST to the metatraffic port, with counts from 1 and bases of at least 1.
func TestFirstMessagesToNewParticipant(t *testing.T) {
	withScripted(t, wire.VendorCyclone, func(s *scripted) {
		time.Sleep(time.Millisecond)
		var announced, preemptive, heartbeats int
		for _, h := range s.heard(func(heard) bool { return true }) {
			if h.port != s.at.Port() || !h.directed {
				t.Errorf("port %d directed %v: %+v", h.port, h.directed, h)
			}
			switch {
			case h.data != nil && h.data.Writer == wire.EntitySPDPWriter:
				announced++
			case h.ack != nil:
				preemptive++
				if m := h.ack; m.State.Base != 1 || !m.State.Empty() || m.Final || m.Count != 1 {
					t.Errorf("pre-emptive ACKNACK %+v", m)
				}
			case h.heartbeat != nil:
				heartbeats++
				if m := h.heartbeat; m.First != 1 || m.Last != m.First-1 && m.Writer != wire.EntityParticipantMessageWriter || m.Count < 1 {
					t.Errorf("heartbeat %+v", m)
				}
			}
		}
		if announced != 1 || preemptive != 3 || heartbeats != 3 {
			t.Errorf("%d announcements, %d pre-emptive ACKNACKs, %d heartbeats", announced, preemptive, heartbeats)
		}
	})
}

// TestPreemptiveAckNack: an ACKNACK that acknowledges and requests nothing is answered with a HEARTBEAT, every time,
// with a rising count; Fast DDS sends base 0.
func TestPreemptiveAckNack(t *testing.T) {
	for vendor, base := range map[wire.VendorID]wire.SequenceNumber{wire.VendorCyclone: 1, wire.VendorEProsima: 0} {
		withScripted(t, vendor, func(s *scripted) {
			w := writer(t, s.p, reliable)
			r := s.endpoint(wire.KindReader, reliable)
			s.greet(wire.EntityPublicationsReader, wire.EntityPublicationsWriter)
			time.Sleep(time.Second)
			s.heard(func(heard) bool { return false })
			last := wire.Count(0)
			for _, pair := range [][2]wire.EntityID{
				{wire.EntityPublicationsReader, wire.EntityPublicationsWriter}, {r.Entity, w.GUID().Entity}, {r.Entity, w.GUID().Entity},
			} {
				b := wire.NewBuilder(500)
				b.Begin(s.prefix)
				b.AckNack(&wire.AckNack{Reader: pair[0], Writer: pair[1], State: wire.SequenceNumberSet{Base: base}, Count: s.count()})
				datagram := b.Bytes()
				datagram[6], datagram[7] = byte(vendor>>8), byte(vendor&0xff) // only some vendors may send base 0
				s.net.Inject(s.at, netip.AddrPortFrom(s.net.Host(1).Addr(), udp.UnicastPort(5, 0, udp.Metatraffic)), datagram)
				time.Sleep(time.Millisecond)
				got := s.heard(func(h heard) bool { return h.heartbeat != nil && h.heartbeat.Writer == pair[1] })
				if len(got) != 1 {
					t.Fatalf("%v: %d heartbeats", pair, len(got))
				}
				if pair[1] == w.GUID().Entity {
					if c := got[0].heartbeat.Count; c <= last {
						t.Errorf("count %d after %d", c, last)
					} else {
						last = c
					}
				}
			}
		})
	}
}

// TestHeartbeatsUntilAcknowledged: while something is unacknowledged the writer sends heartbeats, more slowly with
// time, and then stops.
func TestHeartbeatsUntilAcknowledged(t *testing.T) {
	withScripted(t, wire.VendorCyclone, func(s *scripted) {
		w := writer(t, s.p, reliable, depth(5))
		r := s.endpoint(wire.KindReader, reliable)
		time.Sleep(time.Second)
		s.heard(func(heard) bool { return false })
		write(t, w, number(1, 20))
		for range 20 { // it is alive, but does not acknowledge
			time.Sleep(3 * time.Second)
			s.announce()
		}
		asked := s.heard(func(h heard) bool { return h.heartbeat != nil && h.heartbeat.Writer == w.GUID().Entity })
		if len(asked) < 20 || len(asked) > 40 {
			t.Errorf("asked %d times in a minute", len(asked))
		}
		for i, h := range asked {
			if m := h.heartbeat; m.First != 1 || m.Last != 1 || m.Final || i > 0 && m.Count <= asked[i-1].heartbeat.Count {
				t.Errorf("heartbeat %d: %+v", i, m)
			}
			if h.port != 7501 {
				t.Errorf("user traffic to port %d", h.port)
			}
		}
		s.send(func(b *wire.Builder) {
			b.AckNack(&wire.AckNack{Reader: r.Entity, Writer: w.GUID().Entity, State: wire.SequenceNumberSet{Base: 2}, Count: s.count(), Final: true})
		})
		s.heard(func(heard) bool { return false })
		time.Sleep(60 * time.Second)
		if got := s.heard(func(h heard) bool { return h.heartbeat != nil && h.heartbeat.Writer == w.GUID().Entity }); len(got) != 0 {
			t.Errorf("%d heartbeats after the acknowledgment", len(got))
		}
	})
}

// TestRequestedSamplesAreResent: requested samples are resent; for removed ones a GAP is sent, one for adjacent
// numbers.
func TestRequestedSamplesAreResent(t *testing.T) {
	withScripted(t, wire.VendorCyclone, func(s *scripted) {
		w := writer(t, s.p, reliable, depth(5))
		r := s.endpoint(wire.KindReader, reliable)
		time.Sleep(time.Second)
		for i := range 12 {
			write(t, w, number(i, 20))
		}
		time.Sleep(10 * time.Millisecond)
		s.heard(func(heard) bool { return false })
		set := wire.SequenceNumberSet{Base: 3}
		set.AddRange(3, 9)
		set.Add(12)
		set.AddRange(13, 20) // not yet written
		s.send(func(b *wire.Builder) {
			b.AckNack(&wire.AckNack{Reader: r.Entity, Writer: w.GUID().Entity, State: set, Count: s.count(), Final: true})
		})
		time.Sleep(10 * time.Millisecond)
		var sent []wire.SequenceNumber
		gaps, heartbeats := 0, 0
		for _, h := range s.heard(func(heard) bool { return true }) {
			switch {
			case h.data != nil:
				sent = append(sent, h.data.SN)
				if h.data.Reader != r.Entity || !h.timestamp.IsValid() {
					t.Errorf("to %v at %v", h.data.Reader, h.timestamp)
				}
			case h.gap != nil:
				gaps++
				if h.gap.Start != 3 || h.gap.List.Base != 8 || !h.gap.List.Empty() {
					t.Errorf("gap %+v", h.gap)
				}
			case h.heartbeat != nil:
				heartbeats++
				if h.heartbeat.First != 8 || h.heartbeat.Last != 12 {
					t.Errorf("heartbeat %+v", h.heartbeat)
				}
			}
		}
		if want := []wire.SequenceNumber{8, 9, 12}; !slices.Equal(sent, want) || gaps != 1 || heartbeats != 1 {
			t.Errorf("sent %v, %d gaps, %d heartbeats", sent, gaps, heartbeats)
		}
		// An old count is a repetition and is not answered.
		s.send(func(b *wire.Builder) {
			b.AckNack(&wire.AckNack{Reader: r.Entity, Writer: w.GUID().Entity, State: set, Count: s.counts, Final: true})
		})
		time.Sleep(10 * time.Millisecond)
		if got := s.heard(func(h heard) bool { return h.data != nil || h.gap != nil }); len(got) != 0 {
			t.Errorf("a repetition was answered: %+v", got)
		}
	})
}

// TestOnlyRequestedFragmentsAreResent: of a large sample only the requested fragments are resent.
func TestOnlyRequestedFragmentsAreResent(t *testing.T) {
	withScripted(t, wire.VendorCyclone, func(s *scripted) {
		w := writer(t, s.p, reliable)
		r := s.endpoint(wire.KindReader, reliable)
		time.Sleep(time.Second)
		write(t, w, number(1, 10*1344+1))
		time.Sleep(100 * time.Millisecond)
		first := s.heard(func(h heard) bool { return h.frag != nil })
		if len(first) != 11 || first[10].frag.Last() != 11 || len(first[10].frag.Payload) != 1 || first[0].frag.SampleSize != 13441 {
			t.Fatalf("%d fragments", len(first))
		}
		set := wire.FragmentNumberSet{Base: 2}
		for _, f := range []wire.FragmentNumber{2, 7, 11, 12} {
			set.Add(f)
		}
		s.send(func(b *wire.Builder) {
			b.NackFrag(&wire.NackFrag{Reader: r.Entity, Writer: w.GUID().Entity, SN: 1, State: set, Count: s.count()})
			b.NackFrag(&wire.NackFrag{Reader: r.Entity, Writer: w.GUID().Entity, SN: 5, State: set, Count: s.count()})
		})
		time.Sleep(10 * time.Millisecond)
		var again []wire.FragmentNumber
		for _, h := range s.heard(func(h heard) bool { return h.frag != nil }) {
			again = append(again, h.frag.First)
		}
		if want := []wire.FragmentNumber{2, 7, 11}; !slices.Equal(again, want) {
			t.Errorf("sent again %v, want %v", again, want)
		}
	})
}

// TestLiveliness: the message of the writer liveliness protocol is sent at the start, and repeated only for a writer
// with a finite lease.
func TestLiveliness(t *testing.T) {
	for lease, want := range map[wire.Duration][2]int{wire.DurationInfinite: {0, 0}, 3 * wire.Second: {28, 32}} {
		withScripted(t, wire.VendorCyclone, func(s *scripted) {
			messages := func(h heard) bool { return h.data != nil && h.data.Writer == wire.EntityParticipantMessageWriter }
			set := wire.SequenceNumberSet{Base: 1}
			set.Add(1)
			s.send(func(b *wire.Builder) {
				b.AckNack(&wire.AckNack{Reader: wire.EntityParticipantMessageReader, Writer: wire.EntityParticipantMessageWriter, State: set, Count: s.count()})
			})
			time.Sleep(time.Millisecond)
			first := s.heard(messages)
			if len(first) != 1 {
				t.Fatalf("%d messages", len(first))
			}
			m, err := wire.DecodeParticipantMessage(first[0].data.Payload)
			if err != nil || m.Prefix != s.p.GUID().Prefix || m.Kind != wire.LivelinessUpdateAutomatic {
				t.Errorf("%+v %v", m, err)
			}
			q := qos(reliable)
			q.LivelinessLease = lease
			if _, err := s.p.NewWriter(rtps.WriterConfig{Topic: topic, Type: typeName, QoS: q}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(30 * time.Second)
			if n := len(s.heard(messages)); n < want[0] || n > want[1] {
				t.Errorf("lease %v: %d messages in 30 s", lease, n)
			}
		})
	}
}

// TestDisposalsOnClose: a closed endpoint is disposed with its key in both forms, and so is the participant, on the
// metatraffic port.
func TestDisposalsOnClose(t *testing.T) {
	withScripted(t, wire.VendorCyclone, func(s *scripted) {
		r, _ := reader(t, s.p, reliable)
		w := writer(t, s.p, reliable)
		s.answer(wire.EntityPublicationsReader, wire.EntityPublicationsWriter)
		s.answer(wire.EntitySubscriptionsReader, wire.EntitySubscriptionsWriter)
		time.Sleep(time.Second)
		check := func(writer wire.EntityID, guid wire.GUID) {
			t.Helper()
			time.Sleep(time.Millisecond)
			got := s.heard(func(h heard) bool { return h.data != nil && h.data.Writer == writer && h.data.Kind == wire.PayloadKey })
			if len(got) == 0 {
				t.Fatalf("no disposal by %v", writer)
			}
			var q wire.InlineQoS
			d := got[0].data
			if err := q.Decode(d.InlineQoS); err != nil || q.Status != 3 || q.KeyHash.GUID() != guid || got[0].port != s.at.Port() {
				t.Errorf("inline QoS %+v, %v", q, err)
			}
			d.InlineQoS = wire.ParameterList{}
			if key, ok := wire.BuiltinKey(d); !ok || key != guid {
				t.Errorf("key %v", key)
			}
		}
		s.heard(func(heard) bool { return false })
		r.Close()
		check(wire.EntitySubscriptionsWriter, r.GUID())
		w.Close()
		check(wire.EntityPublicationsWriter, w.GUID())
		s.p.Close()
		check(wire.EntitySPDPWriter, s.p.GUID())
	})
}

// TestDiscoveryHistory: a late participant gets a GAP for endpoints that were created and closed, not their
// announcements and disposals.
func TestDiscoveryHistory(t *testing.T) {
	withScripted(t, wire.VendorCyclone, func(s *scripted) {
		s.greet(wire.EntityPublicationsReader, wire.EntityPublicationsWriter)
		keep := writer(t, s.p, reliable)
		for range 300 {
			writer(t, s.p, reliable).Close()
		}
		time.Sleep(time.Second)
		s.heard(func(heard) bool { return false })
		set := wire.SequenceNumberSet{Base: 1}
		set.AddRange(1, 256)
		s.send(func(b *wire.Builder) {
			b.AckNack(&wire.AckNack{Reader: wire.EntityPublicationsReader, Writer: wire.EntityPublicationsWriter, State: set, Count: s.count()})
		})
		time.Sleep(10 * time.Millisecond)
		var alive []wire.GUID
		gaps := 0
		for _, h := range s.heard(func(h heard) bool { return h.data != nil || h.gap != nil }) {
			if h.gap != nil {
				gaps++
			} else if d, err := wire.DecodePublication(h.data.Payload); err == nil && h.data.Kind == wire.PayloadData {
				alive = append(alive, d.GUID)
			}
		}
		if !slices.Equal(alive, []wire.GUID{keep.GUID()}) || gaps == 0 {
			t.Errorf("alive %v, %d gaps", alive, gaps)
		}
	})
}
