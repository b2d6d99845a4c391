// SPDX-License-Identifier: Apache-2.0

// Package send packs submessages into datagrams, one open datagram per destination, and sends complete ones in batches.
// Datagrams that the network does not accept are queued per address and kind of traffic; bulk data are paced. It is not
// safe for concurrent use.
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

// MaxDatagram is the largest UDP payload of an Ethernet frame, bytes: 1500 less IP and UDP headers. With IP
// fragmentation, one lost fragment would lose the whole datagram.
const MaxDatagram = 1472

// Destination is the destination of a datagram. Submessages to different participants or kinds of traffic do not share
// a datagram, because Fast DDS drops the rest of a datagram after a submessage that is not for it.
type Destination struct {
	// To is the address of its socket.
	To netip.AddrPort
	// Prefix is the participant addressed.
	Prefix wire.GUIDPrefix
	// Traffic is the kind of traffic.
	Traffic udp.Traffic
}

// Datagram is a datagram under construction.
type Datagram struct {
	Destination
	*wire.Builder
}

// Counts are counters since the start: datagrams and bytes sent, times that the socket was full, and datagrams dropped
// because the queue was full or sending failed.
type Counts struct{ Datagrams, Bytes, Busy, Overflow, Errors uint64 }

// Sender packs submessages into datagrams, one open datagram per destination, and sends complete ones in batches.
type Sender struct {
	socks  udp.Sockets
	batch  udp.BatchSender // the same as socks as socks
	own    wire.GUIDPrefix
	pace   Bucket
	open   []*Datagram               // in the order of their first submessage
	index  map[Destination]*Datagram // of open, if it has as many entries; see find
	free   []*Datagram
	outbox outbox
	counts Counts
	log    *slog.Logger
	seal   Seal // nil without DDS Security
}

// Seal protects a datagram to a participant and passes the resulting ones, of at most limit bytes where possible, to
// emit, which copies them.
type Seal func(to wire.GUIDPrefix, datagram []byte, limit int, emit func([]byte)) error

// Protect makes the sender protect all datagrams that it packs, before the first one is sent.
func (s *Sender) Protect(seal Seal) { s.seal = seal }

// sealed replaces a complete datagram with its protected form.
func (s *Sender) sealed(o *Datagram, limit int) {
	err := s.seal(o.Prefix, o.Bytes(), MaxDatagram, func(b []byte) {
		d := s.blank()
		d.Destination = o.Destination
		d.Set(b)
		s.enqueue(d, limit)
	})
	if err != nil {
		s.counts.Errors++
		s.log.Error("a datagram cannot be protected: it is not sent", "to", o.To, "error", err)
	}
	s.free = append(s.free, o)
}

// New returns a sender for the sockets of participant own. Bulk data are paced by pace; retry schedules a call of
// Drain.
func New(socks udp.Sockets, own wire.GUIDPrefix, pace Bucket, log *slog.Logger, retry func(after time.Duration)) Sender {
	batch, ok := socks.(udp.BatchSender)
	if !ok {
		batch = singleSender{socks}
	}
	return Sender{index: map[Destination]*Datagram{}, socks: socks, batch: batch, own: own, pace: pace, log: log, outbox: outbox{retry: retry}}
}

// To returns the open datagram to a destination with space for need bytes (with INFO_TS), sending a full one first.
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

// fewOpen is the number of open datagrams up to which they are searched linearly.
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

// close removes a datagram from the open ones.
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

// Flush sends the open datagrams; those of user traffic only if user is set, or after Expedite.
func (s *Sender) Flush(user bool) {
	user = user || s.outbox.expedite
	s.outbox.expedite = false
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

// Finish completes an open datagram: later submessages go into others.
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

// Expedite makes the next Flush send all open datagrams even while the participant is corked.
func (s *Sender) Expedite() { s.outbox.expedite = true }

// SendOwn opens a dedicated socket for a destination, before the first bulk data to it, if the network supports that.
func (s *Sender) SendOwn(d Destination) {
	if own, ok := s.socks.(udp.OwnSender); ok {
		own.SendOwn(d.To.Addr(), d.Traffic)
	}
}

// Stalled reports whether a destination was busy in the last attempt.
func (s *Sender) Stalled(d Destination) bool { return s.outbox.queue(d) != nil }

// Total returns how many bytes were ever passed to the sender.
func (s *Sender) Total() uint64 { return s.outbox.total }

// Refill adds the tokens of the time since the last call.
func (s *Sender) Refill(now time.Time) { s.pace.Refill(now) }

// Ready reports whether bulk data may be sent.
func (s *Sender) Ready() bool { return s.pace.Ready() }

// Wait returns how long to wait before the next attempt if bulk data may not be sent.
func (s *Sender) Wait() time.Duration { return s.pace.wait() }

// Counted returns the counters.
func (s *Sender) Counted() Counts { return s.counts }

// Multicast sends a complete datagram to the group on one interface. It is not retried, and spends no tokens.
func (s *Sender) Multicast(b []byte, by int) {
	s.sent(s.socks.Multicast(b, by), len(b), udp.MulticastGroup())
}

// Send sends a complete datagram, which is not retried.
func (s *Sender) Send(b []byte, to netip.AddrPort, t udp.Traffic) {
	s.pace.Spend(len(b))
	s.sent(s.socks.Send(b, to, t), len(b), to.Addr())
}

// sent updates the counters for a datagram that is not retried.
func (s *Sender) sent(err error, size int, to netip.Addr) {
	if s.count(err, size, to); errors.Is(err, udp.ErrBusy) {
		s.counts.Overflow++
	}
}

// count updates the counters for a datagram that was sent or failed with err.
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
