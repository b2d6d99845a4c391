// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"errors"
	"log/slog"
	"net/netip"
	"slices"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

const (
	// maxDatagram keeps a UDP datagram within an Ethernet frame: 1500 less IP and UDP headers. A lost IP fragment would
	// cost the whole.
	maxDatagram = 1472
	// fragmentSize is the size of the pieces larger samples are sent in, one a datagram: with headers 1,428 bytes.
	fragmentSize = 1344
)

// destination is where a datagram goes: datagrams of different participants or kinds of traffic are never mixed,
// because Fast DDS drops the rest of a datagram after a submessage it cannot place.
type destination struct {
	to      netip.AddrPort
	prefix  wire.GUIDPrefix
	traffic udp.Traffic
}

// outgoing is a datagram under construction.
type outgoing struct {
	destination
	*wire.Builder
}

// sender packs submessages into datagrams, one open datagram a destination, and hands complete ones to the network
// several at a time. Guarded by Participant.mu.
type sender struct {
	socks  udp.Sockets
	batch  udp.BatchSender // the same
	own    wire.GUIDPrefix
	pace   bucket
	open   []*outgoing               // in the order of their first submessage
	index  map[destination]*outgoing // of open, if it has as many entries; see find
	free   []*outgoing
	outbox outbox
	stats  *Stats
	log    *slog.Logger
}

func newSender(socks udp.Sockets, own wire.GUIDPrefix, pace bucket, stats *Stats, log *slog.Logger) sender {
	batch, ok := socks.(udp.BatchSender)
	if !ok {
		batch = oneByOne{socks}
	}
	return sender{index: map[destination]*outgoing{}, socks: socks, batch: batch, own: own, pace: pace, stats: stats, log: log}
}

// datagram returns the open datagram to a destination with room for need bytes (with INFO_TS), sending a full one
// first.
func (s *sender) datagram(d destination, need int) *outgoing {
	o := s.find(d)
	if o != nil {
		if o.Remaining() >= need {
			return o
		}
		s.close(o)
		s.complete(o, packedReady)
	}
	o = s.blank()
	o.destination = d
	o.Begin(s.own)
	if !d.prefix.IsZero() {
		o.InfoDst(d.prefix)
	}
	if len(s.index) == len(s.open) {
		s.index[d] = o
	}
	s.open = append(s.open, o)
	return o
}

// fewOpen is how many open datagrams are searched one by one.
const fewOpen = 8

// find returns the open datagram to a destination, or nil.
func (s *sender) find(d destination) *outgoing {
	if len(s.open) > fewOpen {
		if len(s.index) != len(s.open) {
			for _, o := range s.open {
				s.index[o.destination] = o
			}
		}
		return s.index[d]
	}
	for _, o := range s.open {
		if o.destination == d {
			return o
		}
	}
	return nil
}

// close takes a datagram from the open ones.
func (s *sender) close(o *outgoing) {
	if i := slices.Index(s.open, o); i >= 0 {
		s.open = slices.Delete(s.open, i, i+1)
		clear(s.index)
	}
}

// blank returns an empty datagram.
func (s *sender) blank() *outgoing {
	if n := len(s.free); n > 0 {
		o := s.free[n-1]
		s.free = s.free[:n-1]
		return o
	}
	return &outgoing{Builder: wire.NewBuilder(maxDatagram)}
}

// flush sends the open datagrams; those of user traffic only if user is set, or a caller waits for them.
func (s *sender) flush(user bool) {
	user = user || s.outbox.hurry
	s.outbox.hurry = false
	kept := s.open[:0]
	for _, o := range s.open {
		if o.traffic == udp.UserTraffic && !user {
			kept = append(kept, o)
			continue
		}
		s.complete(o, maxReady)
	}
	done := user || len(kept) < len(s.open)
	clear(s.open[len(kept):])
	if s.open = kept; done {
		clear(s.index)
	}
	if done {
		s.drain()
	}
}

// finish ends an open datagram: what follows goes into others.
func (s *sender) finish(o *outgoing) {
	s.close(o)
	s.complete(o, maxReady)
}

// discard drops datagrams to a participant that is gone.
func (s *sender) discard(prefix wire.GUIDPrefix) {
	gone := func(o *outgoing) bool { return o.prefix == prefix }
	s.open = slices.DeleteFunc(s.open, gone)
	clear(s.index)
	s.outbox.ready = slices.DeleteFunc(s.outbox.ready, gone)
}

// send sends a complete datagram, which may be lost.
func (s *sender) send(b []byte, to netip.AddrPort, t udp.Traffic) {
	s.pace.spend(len(b))
	s.sent(s.socks.Send(b, to, t), len(b), to.Addr())
}

// sent keeps the books of a datagram that is not tried again.
func (s *sender) sent(err error, size int, to netip.Addr) {
	if s.count(err, size, to); errors.Is(err, udp.ErrBusy) {
		s.stats.Dropped[DropSendOverflow]++
	}
}

// count keeps the books of a datagram that the network took or refused with err.
func (s *sender) count(err error, size int, to netip.Addr) {
	switch {
	case err == nil:
		s.stats.DatagramsSent++
		s.stats.BytesSent += uint64(size)
	case errors.Is(err, udp.ErrBusy):
		s.stats.SendBusy++
	default:
		failures := &s.stats.Dropped[DropSendError]
		if *failures++; *failures == 1 || *failures%1000 == 0 {
			s.log.Warn("cannot send", "to", to, "error", err, "failures", *failures)
		}
	}
}
