// SPDX-License-Identifier: Apache-2.0

package send

import (
	"errors"
	"log/slog"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// tray is a BatchSender that accepts a given number of datagrams in each call; negative for an error of the next
// datagram.
type tray struct {
	udp.Sockets
	takes []int
	got   []udp.Datagram
	kinds []udp.Traffic
}

var errRefused = errors.New("refused")

func (s *tray) SendBatch(list []udp.Datagram, t udp.Traffic) (int, error) {
	n, err := len(list), error(nil)
	if len(s.takes) > 0 {
		take := s.takes[0]
		s.takes = s.takes[1:]
		if take < 0 {
			n, err = 0, errRefused
		} else if take < n {
			n, err = take, udp.ErrBusy
		}
	}
	for _, d := range list[:n] {
		s.got = append(s.got, udp.Datagram{Data: slices.Clone(d.Data), To: d.To})
		s.kinds = append(s.kinds, t)
	}
	return n, err
}

// outboxTo returns a sender to the tray, with its counters and the number of scheduled retries.
func outboxTo(s *tray) (tx *Sender, stats *Counts, retries *int) {
	retries = new(int)
	x := New(s, wire.GUIDPrefix{1}, NewBucket(1<<20, 1<<20), slog.New(slog.DiscardHandler), func(time.Duration) { *retries++ })
	return &x, &x.counts, retries
}

// post adds n datagrams of one kind to the outbox, numbered by their ports from first on.
func post(tx *Sender, first, n int, t udp.Traffic) {
	for i := range n {
		o := tx.blank()
		o.Destination = Destination{To: netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, 9}), uint16(first+i)), Traffic: t}
		o.Begin(tx.own)
		tx.complete(o, maxReady)
	}
}

func ports(list []udp.Datagram) (ports []int) {
	for _, d := range list {
		ports = append(ports, int(d.To.Port()))
	}
	return ports
}

func count(from, n int) (list []int) {
	for i := range n {
		list = append(list, from+i)
	}
	return list
}

// TestOutboxKeepsWhatWaits: datagrams that the network did not accept stay, in order, and are sent in the next attempt,
// which is scheduled.
func TestOutboxKeepsWhatWaits(t *testing.T) {
	s := &tray{takes: []int{3, 0, 1}}
	tx, stats, retries := outboxTo(s)
	post(tx, 1, 10, udp.UserTraffic)
	for i, want := range []struct {
		sent int
		full bool
	}{{3, true}, {3, true}, {4, true}, {10, false}, {10, false}} {
		tx.Drain()
		if len(s.got) != want.sent || (len(tx.outbox.queues) > 0) != want.full || int(stats.Datagrams) != want.sent {
			t.Errorf("attempt %d: %d sent, waiting %v, counted %d", i, len(s.got), tx.outbox.queues, stats.Datagrams)
		}
	}
	if got := ports(s.got); !slices.Equal(got, count(1, 10)) {
		t.Errorf("order %v", got)
	}
	if *retries != 3 || stats.Busy != 3 || stats.Overflow != 0 || stats.Bytes != 10*20 {
		t.Errorf("%d retries, %+v", *retries, stats)
	}
}

// TestOutboxSkipsFailedDatagrams: a datagram that fails is dropped and counted, those after it are not.
func TestOutboxSkipsFailedDatagrams(t *testing.T) {
	s := &tray{takes: []int{-1, 0, 2, -1}}
	tx, stats, _ := outboxTo(s)
	post(tx, 1, 6, udp.UserTraffic)
	for range 4 {
		tx.Drain()
	}
	if got := ports(s.got); !slices.Equal(got, []int{2, 3, 5, 6}) || stats.Errors != 2 {
		t.Errorf("sent %v, %+v", got, stats)
	}
}

// TestOutboxOverflow: a busy network keeps a bounded number of datagrams, the oldest of which are sent when it
// recovers.
func TestOutboxOverflow(t *testing.T) {
	s := &tray{takes: make([]int, 1000)}
	tx, stats, _ := outboxTo(s)
	post(tx, 1, 500, udp.UserTraffic)
	tx.Drain()
	s.takes = nil
	tx.Drain()
	if got := ports(s.got); !slices.Equal(got, count(1, maxReady)) {
		t.Errorf("sent %v", got)
	}
	if stats.Overflow != 500-maxReady || int(stats.Datagrams) != maxReady {
		t.Errorf("%+v", stats)
	}
	if len(tx.free) > 500 || len(tx.outbox.ready) != 0 {
		t.Errorf("%d free, %d ready", len(tx.free), len(tx.outbox.ready))
	}
}

// TestOutboxKinds: discovery and user traffic are sent by their own sockets, in order of creation.
func TestOutboxKinds(t *testing.T) {
	s := &tray{}
	tx, _, _ := outboxTo(s)
	post(tx, 1, 2, udp.UserTraffic)
	post(tx, 3, 1, udp.Metatraffic)
	post(tx, 4, 2, udp.UserTraffic)
	tx.Drain()
	if got := ports(s.got); !slices.Equal(got, count(1, 5)) {
		t.Errorf("order %v", got)
	}
	if want := []udp.Traffic{udp.UserTraffic, udp.UserTraffic, udp.Metatraffic, udp.UserTraffic, udp.UserTraffic}; !slices.Equal(s.kinds, want) {
		t.Errorf("by %v", s.kinds)
	}
}

// pickyTray accepts nothing for some addresses.
type pickyTray struct {
	tray
	stalled map[netip.Addr]bool
	tries   int
}

func (s *pickyTray) SendBatch(list []udp.Datagram, t udp.Traffic) (int, error) {
	s.tries++
	for i, d := range list {
		if s.stalled[d.To.Addr()] {
			_, _ = s.tray.SendBatch(list[:i], t)
			return i, udp.ErrBusy
		}
	}
	return s.tray.SendBatch(list, t)
}

// TestOutboxStalledRouteDelaysNoOther: datagrams to busy addresses, however many, delay none to others; those are
// neither dropped nor reordered, and the queues of the busy ones are bounded, in total and for each.
func TestOutboxStalledRouteDelaysNoOther(t *testing.T) {
	s := &pickyTray{stalled: map[netip.Addr]bool{}}
	tx, stats, _ := outboxTo(&s.tray)
	tx.batch = s
	to := func(host, port int) {
		o := tx.blank()
		o.Destination = Destination{To: netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(host >> 8), byte(host)}), uint16(port)), Traffic: udp.UserTraffic}
		o.Begin(tx.own)
		tx.complete(o, packedReady)
	}
	for host := range 20 {
		s.stalled[netip.AddrFrom4([4]byte{10, 0, 0, byte(host)})] = true
	}
	for i := range 200 {
		for host := range 20 {
			to(host, i)
		}
		to(500, i)
		to(501, i)
	}
	tx.Drain()
	for _, last := range []byte{244, 245} {
		var got []udp.Datagram
		for _, d := range s.got {
			if d.To.Addr() == netip.AddrFrom4([4]byte{10, 0, 1, last}) {
				got = append(got, d)
			}
		}
		if list := ports(got); !slices.Equal(list, count(0, 200)) {
			t.Errorf("to a free address: %v", list)
		}
	}
	if n := len(tx.outbox.ready); n != maxWaiting {
		t.Errorf("%d wait, the limit is %d", n, maxWaiting)
	}
	for _, q := range tx.outbox.queues {
		if q.n > maxReady || q.n < 1 {
			t.Errorf("%d wait for %v", q.n, q.addr)
		}
	}
	if want := uint64(200*20 - maxWaiting); stats.Overflow != want {
		t.Errorf("%d dropped, want %d", stats.Overflow, want)
	}
	clear(s.stalled)
	s.got = nil
	tx.Drain()
	if len(s.got) != maxWaiting || len(tx.outbox.queues) != 0 || len(tx.outbox.ready) != 0 {
		t.Errorf("%d sent when all move again; %d queues, %d wait", len(s.got), len(tx.outbox.queues), len(tx.outbox.ready))
	}
}

// TestOutboxBacksOff: attempts on a busy network become less frequent, and frequent again once it accepts a
// datagram.
func TestOutboxBacksOff(t *testing.T) {
	s := &tray{takes: []int{0, 0, 0, 0, 0, 0, 0, 0, 1}}
	tx, _, _ := outboxTo(s)
	var waits []time.Duration
	tx.outbox.retry = func(d time.Duration) { waits = append(waits, d/time.Millisecond) }
	post(tx, 1, 3, udp.UserTraffic)
	for range 10 {
		tx.Drain()
	}
	if want := []time.Duration{2, 4, 8, 16, 32, 64, 64, 64, 2}; !slices.Equal(waits, want) {
		t.Errorf("attempts after %v ms, want %v", waits, want)
	}
}

// TestOutboxDropsForParticipantThatLeft: waiting datagrams for a participant that left are dropped.
func TestOutboxDropsForParticipantThatLeft(t *testing.T) {
	s := &tray{takes: []int{0}}
	tx, _, _ := outboxTo(s)
	post(tx, 1, 3, udp.UserTraffic)
	tx.Drain()
	tx.outbox.ready[1].Prefix = wire.GUIDPrefix{7}
	tx.Discard(wire.GUIDPrefix{7})
	tx.Drain()
	if got := ports(s.got); !slices.Equal(got, []int{1, 3}) {
		t.Errorf("sent %v", got)
	}
}
