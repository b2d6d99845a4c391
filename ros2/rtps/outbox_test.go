// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"errors"
	"log/slog"
	"net/netip"
	"slices"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// tray is a BatchSender that takes as much as it is told to: one number for each call, negative for an error of the
// next datagram.
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

// outboxTo returns a sender to the tray, with counters of what it did and of how often it asked for another try.
func outboxTo(s *tray) (tx *sender, stats *Stats, retries *int) {
	stats, retries = &Stats{}, new(int)
	x := newSender(s, wire.GUIDPrefix{1}, newBucket(1<<20, 1<<20), stats, slog.New(slog.DiscardHandler))
	x.outbox.retry = func() { *retries++ }
	return &x, stats, retries
}

// post puts n datagrams of one kind into the outbox, numbered by their ports from first on.
func post(tx *sender, first, n int, t udp.Traffic) {
	for i := range n {
		o := tx.blank()
		o.destination = destination{to: netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, 9}), uint16(first+i)), traffic: t}
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

// TestOutboxKeepsWhatWaits: what the network did not take stays, in order, and goes with the next attempt, which is
// asked for.
func TestOutboxKeepsWhatWaits(t *testing.T) {
	s := &tray{takes: []int{3, 0, 1}}
	tx, stats, retries := outboxTo(s)
	post(tx, 1, 10, udp.UserTraffic)
	for i, want := range []struct {
		sent int
		full bool
	}{{3, true}, {3, true}, {4, true}, {10, false}, {10, false}} {
		tx.drain()
		if len(s.got) != want.sent || tx.outbox.full != want.full || int(stats.DatagramsSent) != want.sent {
			t.Errorf("attempt %d: %d sent, full %v, counted %d", i, len(s.got), tx.outbox.full, stats.DatagramsSent)
		}
	}
	if got := ports(s.got); !slices.Equal(got, count(1, 10)) {
		t.Errorf("order %v", got)
	}
	if *retries != 3 || stats.SendBusy != 3 || stats.Dropped[DropSendOverflow] != 0 || stats.BytesSent != 10*20 {
		t.Errorf("%d retries, %+v", *retries, stats)
	}
}

// TestOutboxPassesOverErrors: a datagram that can't be sent is dropped and counted, those behind it are not.
func TestOutboxPassesOverErrors(t *testing.T) {
	s := &tray{takes: []int{-1, 0, 2, -1}}
	tx, stats, _ := outboxTo(s)
	post(tx, 1, 6, udp.UserTraffic)
	for range 4 {
		tx.drain()
	}
	if got := ports(s.got); !slices.Equal(got, []int{2, 3, 5, 6}) || stats.Dropped[DropSendError] != 2 {
		t.Errorf("sent %v, %+v", got, stats)
	}
}

// TestOutboxOverflow: a network that takes nothing costs a bounded number of datagrams, the oldest of which leave when
// it recovers.
func TestOutboxOverflow(t *testing.T) {
	s := &tray{takes: make([]int, 1000)}
	tx, stats, _ := outboxTo(s)
	post(tx, 1, 500, udp.UserTraffic)
	tx.drain()
	s.takes = nil
	tx.drain()
	if got := ports(s.got); !slices.Equal(got, count(1, maxReady)) {
		t.Errorf("sent %v", got)
	}
	if stats.Dropped[DropSendOverflow] != 500-maxReady || int(stats.DatagramsSent) != maxReady {
		t.Errorf("%+v", stats)
	}
	if len(tx.free) > 500 || len(tx.outbox.ready) != 0 {
		t.Errorf("%d free, %d ready", len(tx.free), len(tx.outbox.ready))
	}
}

// TestOutboxKinds: discovery and user traffic leave by their own sockets, in the order they were made.
func TestOutboxKinds(t *testing.T) {
	s := &tray{}
	tx, _, _ := outboxTo(s)
	post(tx, 1, 2, udp.UserTraffic)
	post(tx, 3, 1, udp.Metatraffic)
	post(tx, 4, 2, udp.UserTraffic)
	tx.drain()
	if got := ports(s.got); !slices.Equal(got, count(1, 5)) {
		t.Errorf("order %v", got)
	}
	if want := []udp.Traffic{udp.UserTraffic, udp.UserTraffic, udp.Metatraffic, udp.UserTraffic, udp.UserTraffic}; !slices.Equal(s.kinds, want) {
		t.Errorf("by %v", s.kinds)
	}
}

// TestOutboxForgetsTheGone: nothing waits for a participant that left.
func TestOutboxForgetsTheGone(t *testing.T) {
	s := &tray{takes: []int{0}}
	tx, _, _ := outboxTo(s)
	post(tx, 1, 3, udp.UserTraffic)
	tx.drain()
	tx.outbox.ready[1].prefix = wire.GUIDPrefix{7}
	tx.discard(wire.GUIDPrefix{7})
	tx.drain()
	if got := ports(s.got); !slices.Equal(got, []int{1, 3}) {
		t.Errorf("sent %v", got)
	}
}
