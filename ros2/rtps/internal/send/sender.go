// SPDX-License-Identifier: Apache-2.0

// Package send packs submessages into datagrams, one open datagram for each destination, and hands complete ones to the
// network several at a time. What the network does not take waits here, for each road by itself; bulk data keep to a
// pace. It has no lock: its owner has one.
package send

import (
	"errors"
	"log/slog"
	"net/netip"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// MaxDatagram keeps a UDP datagram within an Ethernet frame: 1500 less IP and UDP headers. A lost IP fragment would
// cost the whole.
const MaxDatagram = 1472

// Destination is where a datagram goes: datagrams of different participants or kinds of traffic are not mixed,
// because Fast DDS drops the rest of a datagram after a submessage it cannot place.
type Destination struct {
	// To is the address of its socket.
	To netip.AddrPort
	// Prefix is the participant that is meant.
	Prefix wire.GUIDPrefix
	// Traffic is the kind of what is sent.
	Traffic udp.Traffic
}

// Datagram is a datagram under construction.
type Datagram struct {
	Destination
	*wire.Builder
}

// Counts counts since the start: datagrams and bytes that the network took, times that it was full, and datagrams
// dropped because too many waited or the system refused them.
type Counts struct{ Datagrams, Bytes, Busy, Overflow, Errors uint64 }

// Sender packs submessages into datagrams, one open datagram a destination, and hands complete ones to the network
// several at a time.
type Sender struct {
	socks  udp.Sockets
	batch  udp.BatchSender // the same
	own    wire.GUIDPrefix
	pace   Bucket
	open   []*Datagram               // in the order of their first submessage
	index  map[Destination]*Datagram // of open, if it has as many entries; see find
	free   []*Datagram
	outbox outbox
	counts Counts
	log    *slog.Logger
}

// New returns a sender to the sockets of the participant own. Bulk data keep to the pace; retry arranges that Drain is
// called after so long.
func New(socks udp.Sockets, own wire.GUIDPrefix, pace Bucket, log *slog.Logger, retry func(after time.Duration)) Sender {
	batch, ok := socks.(udp.BatchSender)
	if !ok {
		batch = oneByOne{socks}
	}
	return Sender{index: map[Destination]*Datagram{}, socks: socks, batch: batch, own: own, pace: pace, log: log, outbox: outbox{retry: retry}}
}

// To returns the open datagram to a destination with room for need bytes (with INFO_TS), sending a full one
// first.
func (s *Sender) To(d Destination, need int) *Datagram {
	o := s.find(d)
	if o != nil {
		if o.Remaining() >= need {
			return o
		}
		s.close(o)
		s.complete(o, packedReady)
	}
	o = s.blank()
	o.Destination = d
	o.Begin(s.own)
	if !d.Prefix.IsZero() {
		o.InfoDst(d.Prefix)
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
func (s *Sender) find(d Destination) *Datagram {
	if len(s.open) > fewOpen {
		if len(s.index) != len(s.open) {
			for _, o := range s.open {
				s.index[o.Destination] = o
			}
		}
		return s.index[d]
	}
	for _, o := range s.open {
		if o.Destination == d {
			return o
		}
	}
	return nil
}

// close takes a datagram from the open ones.
func (s *Sender) close(o *Datagram) {
	if i := slices.Index(s.open, o); i >= 0 {
		s.open = slices.Delete(s.open, i, i+1)
		clear(s.index)
	}
}

// blank returns an empty datagram.
func (s *Sender) blank() *Datagram {
	if n := len(s.free); n > 0 {
		o := s.free[n-1]
		s.free = s.free[:n-1]
		return o
	}
	return &Datagram{Builder: wire.NewBuilder(MaxDatagram)}
}

// Flush sends the open datagrams; those of user traffic only if user is set, or a caller waits for them.
func (s *Sender) Flush(user bool) {
	user = user || s.outbox.hurry
	s.outbox.hurry = false
	kept := s.open[:0]
	for _, o := range s.open {
		if o.Traffic == udp.UserTraffic && !user {
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
		s.Drain()
	}
}

// Finish ends an open datagram: what follows goes into others.
func (s *Sender) Finish(o *Datagram) {
	s.close(o)
	s.complete(o, maxReady)
}

// Discard drops datagrams to a participant that is gone.
func (s *Sender) Discard(prefix wire.GUIDPrefix) {
	gone := func(o *Datagram) bool { return o.Prefix == prefix }
	s.open = slices.DeleteFunc(s.open, gone)
	clear(s.index)
	s.outbox.ready = slices.DeleteFunc(s.outbox.ready, gone)
}

// Hasten lets the datagrams that are open go although their writer packs: nothing is gained by packing more.
func (s *Sender) Hasten() { s.outbox.hurry = true }

// SendOwn gives a destination a send buffer of its own, before the first bulk data to it, if the network has such.
func (s *Sender) SendOwn(d Destination) {
	if own, ok := s.socks.(udp.OwnSender); ok {
		own.SendOwn(d.To.Addr(), d.Traffic)
	}
}

// Stalled reports whether the network took nothing for a destination in the last attempt.
func (s *Sender) Stalled(d Destination) bool { return s.outbox.queue(d) != nil }

// Total returns how many bytes were ever handed in.
func (s *Sender) Total() uint64 { return s.outbox.total }

// Refill gives bulk data the tokens of the time since the last call.
func (s *Sender) Refill(now time.Time) { s.pace.Refill(now) }

// Ready reports whether bulk data may be sent.
func (s *Sender) Ready() bool { return s.pace.Ready() }

// Patience returns how long to wait, if it may not be sent, until it pays to ask again.
func (s *Sender) Patience() time.Duration { return s.pace.wait() }

// Counted returns what was sent and what was not, since the start.
func (s *Sender) Counted() Counts { return s.counts }

// Multicast sends a complete datagram to the group by one interface. It may be lost, and takes no tokens.
func (s *Sender) Multicast(b []byte, by int) {
	s.sent(s.socks.Multicast(b, by), len(b), udp.MulticastGroup())
}

// Send sends a complete datagram, which may be lost.
func (s *Sender) Send(b []byte, to netip.AddrPort, t udp.Traffic) {
	s.pace.Spend(len(b))
	s.sent(s.socks.Send(b, to, t), len(b), to.Addr())
}

// sent keeps the books of a datagram that is not tried again.
func (s *Sender) sent(err error, size int, to netip.Addr) {
	if s.count(err, size, to); errors.Is(err, udp.ErrBusy) {
		s.counts.Overflow++
	}
}

// count keeps the books of a datagram that the network took or refused with err.
func (s *Sender) count(err error, size int, to netip.Addr) {
	switch {
	case err == nil:
		s.counts.Datagrams++
		s.counts.Bytes += uint64(size)
	case errors.Is(err, udp.ErrBusy):
		s.counts.Busy++
	default:
		if s.counts.Errors++; s.counts.Errors == 1 || s.counts.Errors%1000 == 0 {
			s.log.Warn("cannot send", "to", to, "error", err, "failures", s.counts.Errors)
		}
	}
}
