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

// sender packs submessages into datagrams, one open datagram a destination. Guarded by Participant.mu.
type sender struct {
	socks Sockets
	own   wire.GUIDPrefix
	pace  bucket
	open  []*outgoing // in the order of their first submessage
	free  []*outgoing
	stats *Stats
	log   *slog.Logger
}

// datagram returns the open datagram to a destination with room for need bytes (with INFO_TS), sending a full one first.
func (s *sender) datagram(d destination, need int) *outgoing {
	for i, o := range s.open {
		if o.destination == d {
			if o.Remaining() >= need {
				return o
			}
			s.open = slices.Delete(s.open, i, i+1)
			_ = s.transmit(o) // lost, as it might be on the way
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

// flush sends the open datagrams; those of user traffic only if user is set.
func (s *sender) flush(user bool) {
	kept := s.open[:0]
	for _, o := range s.open {
		if o.traffic == UserTraffic && !user {
			kept = append(kept, o)
			continue
		}
		_ = s.transmit(o)
	}
	clear(s.open[len(kept):])
	s.open = kept
}

// flushOne sends one open datagram now.
func (s *sender) flushOne(o *outgoing) error {
	if i := slices.Index(s.open, o); i >= 0 {
		s.open = slices.Delete(s.open, i, i+1)
	}
	return s.transmit(o)
}

// discard drops open datagrams to a participant that is gone.
func (s *sender) discard(prefix wire.GUIDPrefix) {
	s.open = slices.DeleteFunc(s.open, func(o *outgoing) bool { return o.prefix == prefix })
}

// transmit hands a datagram to the network and takes its tokens. A datagram that the network refuses is lost, as it might be on the
// way: reliable writers send again.
func (s *sender) transmit(o *outgoing) error {
	s.free = append(s.free, o)
	return s.count(s.socks.Send(o.Bytes(), o.to, o.traffic), o.Bytes(), o.to.Addr())
}

// send sends a complete datagram, which may be lost.
func (s *sender) send(b []byte, to netip.AddrPort, t Traffic) {
	_ = s.count(s.socks.Send(b, to, t), b, to.Addr())
}

// count keeps the books of a datagram that the network took or refused with err, and returns err.
func (s *sender) count(err error, b []byte, to netip.Addr) error {
	switch {
	case err == nil:
		s.stats.DatagramsSent++
		s.stats.BytesSent += uint64(len(b))
		s.pace.take(len(b))
	case errors.Is(err, ErrBusy):
		s.stats.SendBusy++
	default:
		s.stats.SendErrors++
		if s.stats.SendErrors == 1 || s.stats.SendErrors%1000 == 0 {
			s.log.Warn("cannot send", "to", to, "error", err, "failures", s.stats.SendErrors)
		}
	}
	return err
}
