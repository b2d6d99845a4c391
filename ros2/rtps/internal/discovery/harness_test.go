// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/intern"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/reassembly"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/send"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// bench is a directory on one network, 10.0.0.0/8, with its own clock, a host that records its calls, and sockets that
// record what is sent.
type bench struct {
	udp.Sockets
	*Directory
	t      testing.TB
	now    time.Time
	news   []string
	sent   []netip.AddrPort
	groups int // announcements to the group
	last   announced
	local  netip.Addr           // our address
	moved  bool                 // it has changed
	locked chan func(time.Time) // functions waiting for the lock
}

// announced is the content of an announcement datagram.
type announced struct {
	wire.NopHandler
	sn   wire.SequenceNumber
	kind wire.PayloadKind
	data wire.ParticipantData
	to   wire.GUIDPrefix
}

// HandleData implements wire.Handler.
func (a *announced) HandleData(r *wire.Receiver, m *wire.Data) {
	a.sn, a.kind, a.to = m.SN, m.Kind, r.DestPrefix
	a.data, _ = wire.DecodeParticipant(m.Payload)
}

var (
	ourAddress = netip.MustParseAddr("10.0.0.1")
	ourPrefix  = wire.GUIDPrefix{1, 99}
)

// newBench starts at a fixed time.
func newBench(t testing.TB, change ...func(*Config)) *bench {
	cfg := Config{
		Texts: intern.New(),
		GUID:  wire.GUID{Prefix: ourPrefix, Entity: wire.EntityParticipant}, Name: "/", LeaseDuration: 20 * time.Second, AnnouncePeriod: 3 * time.Second,
		MaxParticipants: 1000, EndpointBytes: 1 << 20,
	}
	for _, f := range change {
		f(&cfg)
	}
	b := &bench{t: t, now: time.Unix(1_000_000, 0), local: ourAddress, locked: make(chan func(time.Time), 1)}
	log := slog.New(slog.DiscardHandler)
	tx := send.New(b, ourPrefix, send.NewBucket(1<<30, 1<<30), log, nil)
	b.Directory = New(cfg, b, b, &tx, alarm.NewQueue(), log)
	b.Begin(b.now)
	return b
}

// ParticipantFound and the others implement Host.
func (b *bench) ParticipantFound(r *Participant, _ time.Time) { b.note("found", r.Prefix()) }
func (b *bench) ParticipantChanged(r *Participant)            { b.note("changed", r.Prefix()) }
func (b *bench) ParticipantGone(r *Participant)               { b.note("gone", r.Prefix()) }
func (b *bench) EndpointFound(e *Endpoint, _ time.Time)       { b.note("endpoint found", e.Data().Topic) }
func (b *bench) EndpointGone(e *Endpoint)                     { b.note("endpoint gone", e.Data().Topic) }
func (b *bench) Announced(time.Time)                          {}
func (b *bench) LogRejected(time.Time, string, ...any)        {}
func (b *bench) Locked(f func(time.Time))                     { b.locked <- f }

func (b *bench) EndpointChanged(e *Endpoint, rematch bool, _ time.Time) {
	b.note("endpoint changed", e.Data().Topic, rematch)
}

func (b *bench) note(what ...any) { b.news = append(b.news, strings.TrimSpace(fmt.Sprintln(what...))) }

// heard returns the events since the last call.
func (b *bench) heard() []string {
	defer func() { b.news = nil }()
	return b.news
}

// ParticipantID and the others implement udp.Sockets.
func (b *bench) ParticipantID() int { return 0 }
func (b *bench) Locators(t udp.Traffic) []netip.AddrPort {
	return []netip.AddrPort{netip.AddrPortFrom(b.local, udp.UnicastPort(0, 0, t))}
}
func (b *bench) Reachable(a netip.Addr) bool { return a.Is4() && a.As4()[0] == 10 }
func (b *bench) Refresh() bool               { return b.moved }

func (b *bench) Interface(a netip.Addr) int {
	if b.Reachable(a) {
		return 0
	}
	return -1
}

func (b *bench) Send(datagram []byte, to netip.AddrPort, _ udp.Traffic) error {
	b.sent = append(b.sent, to)
	return wire.Walk(datagram, &b.last)
}

func (b *bench) Multicast(datagram []byte, _ int) error {
	b.groups++
	return wire.Walk(datagram, &b.last)
}

// pass advances the time by d, running the alarms.
func (b *bench) pass(d time.Duration) {
	for end := b.now.Add(d); ; {
		next := b.alarms.Run(b.now)
		if b.Refreshing() != nil { // a refresh of the interfaces is running
			(<-b.locked)(b.now)
			continue
		}
		if next.After(end) {
			b.now = end
			return
		}
		b.now = next
	}
}

// at is the address of a participant on host number i.
func at(i int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 7410)
}

// number returns a prefix.
func number(i int) wire.GUIDPrefix { return wire.GUIDPrefix{1, 16, byte(i >> 8), byte(i)} }

// announcementOf returns a participant's announcement.
func announcementOf(prefix wire.GUIDPrefix, locators ...string) wire.ParticipantData {
	d := wire.ParticipantData{
		GUID: wire.GUID{Prefix: prefix, Entity: wire.EntityParticipant}, Vendor: wire.VendorOwn, Lease: 10 * wire.Second,
		BuiltinEndpoints: wire.OwnBuiltinEndpoints,
	}
	for _, l := range locators {
		d.MetatrafficUnicast = append(d.MetatrafficUnicast, wire.LocatorFrom(netip.MustParseAddrPort(l)))
	}
	return d
}

// deliver passes a sample of a participant's SPDP writer to the directory, as received from an address.
func (b *bench) deliver(from netip.AddrPort, prefix wire.GUIDPrefix, m *wire.Data) {
	b.OnAnnouncement(&Arrival{From: from, Size: 200, Now: b.now}, &wire.Receiver{SourcePrefix: prefix}, m)
}

// announces delivers an announcement of a participant on host number i.
func (b *bench) announces(i int, prefix wire.GUIDPrefix) *Participant {
	d := announcementOf(prefix, at(i).String())
	b.deliver(at(i), prefix, &wire.Data{Writer: wire.EntitySPDPWriter, SN: 1, Kind: wire.PayloadData, Payload: d.AppendPayload(nil)})
	return b.remotes[prefix]
}

// disposes delivers a disposal of a participant from an address.
func (b *bench) disposes(from netip.AddrPort, prefix wire.GUIDPrefix) {
	m := wire.NewDispose(wire.EntitySPDPWriter, 2, wire.GUID{Prefix: prefix, Entity: wire.EntityParticipant})
	b.deliver(from, prefix, &m)
}

// offers delivers an endpoint announcement of a participant on host number i.
func (b *bench) offers(i int, r *Participant, e *wire.EndpointData) {
	writer := wire.EntitySubscriptionsWriter
	if e.IsWriter() {
		writer = wire.EntityPublicationsWriter
	}
	b.OnEndpoint(r, &Arrival{From: at(i), Now: b.now}, writer, &reassembly.Info{Kind: wire.PayloadData}, e.AppendPayload(nil))
}

// withdraws delivers a disposal of an endpoint from an address.
func (b *bench) withdraws(from netip.AddrPort, r *Participant, e wire.GUID) {
	m := wire.NewDispose(wire.EntityPublicationsWriter, 2, e)
	b.OnEndpoint(r, &Arrival{From: from, Now: b.now}, m.Writer, &reassembly.Info{Kind: m.Kind, Status: wire.StatusDisposed}, m.Payload)
}

// publication describes writer number n of a participant.
func publication(r *Participant, n uint32, topic string) *wire.EndpointData {
	return &wire.EndpointData{
		GUID: wire.GUID{Prefix: r.Prefix(), Entity: wire.NewEntityID(n, wire.KindWriter)}, Topic: topic, Type: "T", QoS: wire.DefaultWriterQoS(),
	}
}
