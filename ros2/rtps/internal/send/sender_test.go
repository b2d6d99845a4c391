// SPDX-License-Identifier: Apache-2.0

package send

import (
	"bytes"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// destinationNumber returns destinations that differ in address, participant and kind of traffic.
func destinationNumber(i int) Destination {
	return Destination{
		To:      netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(i)}), 7411),
		Prefix:  wire.GUIDPrefix{byte(i % 5)},
		Traffic: []udp.Traffic{udp.Metatraffic, udp.UserTraffic}[i%2],
	}
}

// counts lists the counts of the HEARTBEATs in a datagram.
type counts struct {
	wire.NopHandler
	list []wire.Count
}

// HandleHeartbeat implements wire.Handler.
func (c *counts) HandleHeartbeat(_ *wire.Receiver, m *wire.Heartbeat) {
	c.list = append(c.list, m.Count)
}

// TestSenderKeepsOrder: what is packed for a destination arrives only there, complete and in order, however many
// datagrams are open at a time.
func TestSenderKeepsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &tray{}
		tx, stats, _ := outboxTo(s)
		want := map[Destination][]wire.Count{}
		for i := range rapid.IntRange(1, 400).Draw(t, "messages") {
			d := destinationNumber(rapid.IntRange(0, 19).Draw(t, "destination"))
			m := wire.Heartbeat{First: 1, Count: wire.Count(i)}
			tx.To(d, m.Size()).Heartbeat(&m)
			want[d] = append(want[d], m.Count)
			if rapid.IntRange(0, 30).Draw(t, "flush") == 0 {
				tx.Flush(rapid.Bool().Draw(t, "user"))
			}
		}
		tx.Flush(true)
		got := map[Destination][]wire.Count{}
		for i, d := range s.got {
			var c counts
			parser := wire.Parser{}
			if err := parser.Walk(d.Data, &c); err != nil {
				t.Fatal(err)
			}
			to := destinationNumber(int(d.To.Addr().As4()[3]))
			if to.Traffic != s.kinds[i] || len(d.Data) > MaxDatagram {
				t.Fatalf("%d bytes for %v as traffic %v", len(d.Data), to, s.kinds[i])
			}
			got[to] = append(got[to], c.list...)
		}
		for d, list := range want {
			if !slices.Equal(got[d], list) {
				t.Fatalf("%v got %v, want %v", d, got[d], list)
			}
		}
		if int(stats.Datagrams) != len(s.got) || len(tx.open) != 0 {
			t.Fatalf("%d datagrams counted, %d sent, %d open", stats.Datagrams, len(s.got), len(tx.open))
		}
	})
}

// TestSenderCorked: while corked, discovery is sent and user traffic is kept, except after Expedite.
func TestSenderCorked(t *testing.T) {
	s := &tray{}
	tx, _, _ := outboxTo(s)
	m := wire.Heartbeat{First: 1, Count: 1}
	pack := func() {
		for i := range 2 {
			tx.To(destinationNumber(i), m.Size()).Heartbeat(&m)
		}
	}
	pack()
	if tx.Flush(false); len(s.got) != 1 || s.kinds[0] != udp.Metatraffic {
		t.Errorf("%d sent, %v", len(s.got), s.kinds)
	}
	tx.Expedite()
	if tx.Flush(false); len(s.got) != 2 {
		t.Errorf("%d sent although the writer waits", len(s.got))
	}
	pack()
	if tx.Flush(false); len(s.got) != 3 {
		t.Errorf("%d sent: the expedite did not end", len(s.got))
	}
}

// TestSenderDiscards: open and waiting datagrams for a participant that is gone are dropped, and all others are sent.
func TestSenderDiscards(t *testing.T) {
	s := &tray{takes: []int{0}}
	tx, _, _ := outboxTo(s)
	m := wire.Heartbeat{First: 1, Count: 1}
	for round := range 2 {
		for i := range 10 {
			tx.To(destinationNumber(i), m.Size()).Heartbeat(&m)
		}
		if round == 0 {
			tx.Flush(true) // the first address is busy: one waits
		}
	}
	tx.Discard(destinationNumber(0).Prefix)
	tx.Flush(true)
	for _, d := range s.got[9:] {
		if i := int(d.To.Addr().As4()[3]); destinationNumber(i).Prefix == destinationNumber(0).Prefix {
			t.Errorf("sent to participant of destination %d", i)
		}
	}
	if len(s.got) != 9+8 {
		t.Errorf("%d sent", len(s.got))
	}
}

// TestSenderLogsErrorsRarely: a network on which every send fails is logged once in a thousand times.
func TestSenderLogsErrorsRarely(t *testing.T) {
	var log bytes.Buffer
	tx := New(refusing{}, wire.GUIDPrefix{1}, NewBucket(1, 1), slog.New(slog.NewTextHandler(&log, nil)), nil)
	for range 2500 {
		tx.Send([]byte{1}, destinationNumber(1).To, udp.UserTraffic)
	}
	tx.Multicast([]byte{1}, 0)
	if n := strings.Count(log.String(), "cannot send"); n != 3 || tx.Counted().Errors != 2501 {
		t.Errorf("%d lines for %d errors", n, tx.Counted().Errors)
	}
}

// refusing is a network on which nothing can be sent.
type refusing struct{ udp.Sockets }

func (refusing) Send([]byte, netip.AddrPort, udp.Traffic) error { return errRefused }
func (refusing) Multicast([]byte, int) error                    { return errRefused }

// TestPaceOfSender: bulk data wait after small samples have used up the tokens.
func TestPaceOfSender(t *testing.T) {
	s := &tray{}
	tx := New(s, wire.GUIDPrefix{1}, NewBucket(1000, 100), slog.New(slog.DiscardHandler), nil)
	now := time.Unix(100, 0)
	tx.Refill(now)
	if !tx.Ready() {
		t.Fatal("a full bucket is not ready")
	}
	post(&tx, 1, 20, udp.UserTraffic)
	tx.Flush(true)
	if tx.Drain(); tx.Ready() || len(s.got) != 20 || tx.Total() != 400 {
		t.Errorf("%d sent, ready %v, %d bytes", len(s.got), tx.Ready(), tx.Total())
	}
	tx.Refill(now.Add(tx.Wait()))
	if !tx.Ready() {
		t.Error("not ready after the wait")
	}
}
