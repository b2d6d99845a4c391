// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"errors"
	"log/slog"
	"net/netip"
	"slices"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

const (
	// maxDatagram keeps a UDP datagram within an Ethernet frame: 1500 less IP and UDP headers. A lost IP fragment would cost the whole.
	maxDatagram = 1472
	// fragmentSize is the size of the pieces larger samples are sent in, one a datagram: with headers 1,428 bytes.
	fragmentSize = 1344
)

// destination is where a datagram goes: datagrams of different participants or kinds of traffic are never mixed, because Fast DDS drops
// the rest of a datagram after a submessage it cannot place.
type destination struct {
	to      netip.AddrPort
	prefix  wire.GUIDPrefix
	traffic Traffic
}

// outgoing is a datagram under construction.
type outgoing struct {
	destination
	*wire.Builder
}

// sender packs submessages into datagrams, one open datagram a destination, and hands complete ones to the network several at a time.
// Guarded by Participant.mu.
type sender struct {
	socks  Sockets
	batch  BatchSender // the same
	own    wire.GUIDPrefix
	pace   bucket
	open   []*outgoing // in the order of their first submessage
	free   []*outgoing
	outbox outbox
	stats  *Stats
	log    *slog.Logger
}

func newSender(socks Sockets, own wire.GUIDPrefix, pace bucket, stats *Stats, log *slog.Logger) sender {
	batch, ok := socks.(BatchSender)
	if !ok {
		batch = oneByOne{socks}
	}
	return sender{socks: socks, batch: batch, own: own, pace: pace, stats: stats, log: log}
}

// datagram returns the open datagram to a destination with room for need bytes (with INFO_TS), sending a full one first.
func (s *sender) datagram(d destination, need int) *outgoing {
	for i, o := range s.open {
		if o.destination == d {
			if o.Remaining() >= need {
				return o
			}
			s.open = slices.Delete(s.open, i, i+1)
			s.complete(o, packedReady)
			break
		}
	}
	o := s.blank()
	o.destination = d
	o.Begin(s.own)
	if !d.prefix.IsZero() {
		o.InfoDst(d.prefix)
	}
	s.open = append(s.open, o)
	return o
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

// flush sends the open datagrams; those of user traffic only if user is set, or somebody waits for them.
func (s *sender) flush(user bool) {
	user = user || s.outbox.hurry
	s.outbox.hurry = false
	kept := s.open[:0]
	for _, o := range s.open {
		if o.traffic == UserTraffic && !user {
			kept = append(kept, o)
			continue
		}
		s.complete(o, maxReady)
	}
	done := user || len(kept) < len(s.open)
	clear(s.open[len(kept):])
	s.open = kept
	if done {
		s.drain()
	}
}

// finish ends an open datagram: what follows goes into others.
func (s *sender) finish(o *outgoing) {
	if i := slices.Index(s.open, o); i >= 0 {
		s.open = slices.Delete(s.open, i, i+1)
	}
	s.complete(o, maxReady)
}

// discard drops datagrams to a participant that is gone.
func (s *sender) discard(prefix wire.GUIDPrefix) {
	gone := func(o *outgoing) bool { return o.prefix == prefix }
	s.open = slices.DeleteFunc(s.open, gone)
	s.outbox.ready = slices.DeleteFunc(s.outbox.ready, gone)
}

// send sends a complete datagram, which may be lost.
func (s *sender) send(b []byte, to netip.AddrPort, t Traffic) {
	s.pace.take(len(b))
	s.count(s.socks.Send(b, to, t), len(b), to.Addr())
}

// count keeps the books of a datagram that the network took or refused with err.
func (s *sender) count(err error, size int, to netip.Addr) {
	switch {
	case err == nil:
		s.stats.DatagramsSent++
		s.stats.BytesSent += uint64(size)
	case errors.Is(err, ErrBusy):
		s.stats.SendBusy++
	default:
		failures := &s.stats.Dropped[DropSendError]
		if *failures++; *failures == 1 || *failures%1000 == 0 {
			s.log.Warn("cannot send", "to", to, "error", err, "failures", *failures)
		}
	}
}
