// SPDX-License-Identifier: Apache-2.0

package send

import (
	"errors"
	"net/netip"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
)

// oneByOne is a BatchSender over Sockets that are none.
type oneByOne struct{ udp.Sockets }

// SendBatch implements BatchSender.
func (s oneByOne) SendBatch(list []udp.Datagram, t udp.Traffic) (int, error) {
	for i, d := range list {
		if err := s.Send(d.Data, d.To, t); err != nil {
			return i, err
		}
	}
	return len(list), nil
}

// road is what datagrams that wait have in common: those on others pass.
type road struct {
	addr    netip.Addr
	traffic udp.Traffic
}

func (d Destination) road() road { return road{d.To.Addr(), d.Traffic} }

// queue counts the datagrams of a road that took nothing in the last attempt.
type queue struct {
	road
	n int
}

// outbox holds complete datagrams that the network has not yet taken, in the order of each road: those of one critical
// section of the participant, for one system call, and those that found the socket buffer full, which are tried again.
type outbox struct {
	ready  []*Datagram
	list   []udp.Datagram      // the argument of SendBatch
	total  uint64              // bytes ever put in
	fresh  int                 // datagrams put in since the last attempt
	queues []queue             // of the roads that took nothing in the last attempt
	delay  time.Duration       // until the next attempt
	retry  func(time.Duration) // arranges for it
	hurry  bool                // a window is used up: nothing is gained by packing more
}

const (
	// maxReady is how many datagrams the outbox holds for one road, and maxWaiting for all that take nothing. What
	// comes on top is dropped; reliable writers send it again.
	maxReady   = 64
	maxWaiting = 512
	// packedReady is how many full datagrams of small samples wait while the participant is corked: more would save
	// hardly any time, and the reader wants something to do meanwhile.
	packedReady = 8
	// busyDelay is how long datagrams wait after the socket buffer was full; maxBusyDelay, when it is so again and
	// again.
	busyDelay    = 2 * time.Millisecond
	maxBusyDelay = 64 * time.Millisecond
)

// queue returns that of a destination's road, or nil if the road is free.
func (b *outbox) queue(d Destination) *queue {
	for i := range b.queues {
		if b.queues[i].road == d.road() {
			return &b.queues[i]
		}
	}
	return nil
}

// complete puts a datagram into the outbox and takes its tokens; from limit new datagrams on the outbox is emptied
// first.
func (s *Sender) complete(o *Datagram, limit int) {
	b := &s.outbox
	if b.fresh >= limit {
		s.Drain()
	}
	b.total += uint64(o.Len())
	if q := b.queue(o.Destination); q != nil {
		if q.n >= maxReady || len(b.ready) >= maxWaiting {
			s.overflow(o)
			return
		}
		q.n++
	}
	s.pace.Spend(o.Len())
	b.ready = append(b.ready, o)
	b.fresh++
}

// overflow drops a datagram.
func (s *Sender) overflow(o *Datagram) {
	s.counts.Overflow++
	s.free = append(s.free, o)
}

// Drain hands the datagrams in the outbox to the network, as many at once as go from one socket. Those of a road that
// takes nothing stay, and hold up no other. A datagram that is refused for another reason is lost, as it might be on
// the way.
func (s *Sender) Drain() {
	b := &s.outbox
	waited := len(b.ready) - b.fresh
	b.queues, b.fresh = b.queues[:0], 0
	kept, moved := b.ready[:0], waited == 0
	for i := 0; i < len(b.ready); {
		if q := b.queue(b.ready[i].Destination); q != nil {
			kept = s.keep(kept, b.ready[i], q)
			i++
			continue
		}
		sent, err := s.hand(i)
		s.free = append(s.free, b.ready[i:i+sent]...)
		moved = moved || sent > 0 && i < waited
		if i += sent; err == nil {
			continue
		}
		o := b.ready[i]
		s.count(err, 0, o.To.Addr())
		if i++; errors.Is(err, udp.ErrBusy) {
			b.queues = append(b.queues, queue{road: o.road()})
			kept = s.keep(kept, o, &b.queues[len(b.queues)-1])
		} else {
			s.free = append(s.free, o)
		}
	}
	clear(b.ready[len(kept):])
	b.ready = kept
	b.wait(moved)
}

// keep keeps a datagram for the next attempt.
func (s *Sender) keep(kept []*Datagram, o *Datagram, q *queue) []*Datagram {
	if len(kept) >= maxWaiting {
		s.overflow(o)
		return kept
	}
	q.n++
	return append(kept, o)
}

// hand hands over the datagrams from number i on that go by one socket and have a free road. It returns how many were
// taken and, if not all, why the next one was not.
func (s *Sender) hand(i int) (int, error) {
	b := &s.outbox
	traffic := b.ready[i].Traffic
	b.list = b.list[:0]
	for _, o := range b.ready[i:] {
		if o.Traffic != traffic || b.queue(o.Destination) != nil {
			break
		}
		b.list = append(b.list, udp.Datagram{Data: o.Bytes(), To: o.To})
	}
	sent, err := s.batch.SendBatch(b.list, traffic)
	for _, d := range b.list[:sent] {
		s.count(nil, len(d.Data), d.To.Addr())
	}
	if sent == len(b.list) {
		return sent, nil
	}
	return sent, err
}

// wait arranges for the next attempt if datagrams are left, the later the longer nothing moves.
func (b *outbox) wait(moved bool) {
	if b.delay = min(2*b.delay, maxBusyDelay); moved {
		b.delay = busyDelay
	}
	if len(b.ready) > 0 && b.retry != nil {
		b.retry(b.delay)
	}
}
