// SPDX-License-Identifier: Apache-2.0

package send

import (
	"errors"
	"net/netip"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
)

// singleSender implements BatchSender for Sockets that do not.
type singleSender struct{ udp.Sockets }

// SendBatch implements BatchSender.
func (s singleSender) SendBatch(list []udp.Datagram, t udp.Traffic) (int, error) {
	for i, d := range list {
		if err := s.Send(d.Data, d.To, t); err != nil {
			return i, err
		}
	}
	return len(list), nil
}

// route is a peer address and a kind of traffic. Datagrams waiting on one route do not delay those on others.
type route struct {
	addr    netip.Addr
	traffic udp.Traffic
}

func (d Destination) route() route { return route{d.To.Addr(), d.Traffic} }

// queue counts the waiting datagrams of a route that was busy in the last attempt.
type queue struct {
	route
	n int
}

// outbox holds complete datagrams not yet accepted by the network, in order for each route: those of one critical
// section of the participant, for one system call, and those that did not fit into the socket buffer, for the next
// attempt.
type outbox struct {
	ready    []*Datagram
	list     []udp.Datagram      // the argument of SendBatch
	total    uint64              // bytes ever added
	fresh    int                 // datagrams added since the last attempt
	queues   []queue             // of the routes that were busy in the last attempt
	delay    time.Duration       // until the next attempt
	retry    func(time.Duration) // schedules it
	expedite bool                // a window is full: send at once instead of packing more
}

const (
	// maxReady bounds the datagrams in the outbox for one route, and maxWaiting those for all busy ones. Further ones
	// are dropped; reliable writers resend them.
	maxReady   = 64
	maxWaiting = 512
	// packedReady is how many full datagrams of small samples wait while the participant is corked: more would save
	// hardly any time, and the reader can process them meanwhile.
	packedReady = 8
	// busyDelay is the delay of the next attempt after the socket buffer was full; it grows up to maxBusyDelay.
	busyDelay    = 2 * time.Millisecond
	maxBusyDelay = 64 * time.Millisecond
)

// queue returns the queue of a destination's route, or nil if that is not busy.
func (b *outbox) queue(d Destination) *queue {
	for i := range b.queues {
		if b.queues[i].route == d.route() {
			return &b.queues[i]
		}
	}
	return nil
}

// complete adds a datagram to the outbox and spends its tokens; with limit or more new datagrams the outbox is drained
// first.
func (s *Sender) complete(o *Datagram, limit int) {
	if s.seal != nil {
		s.sealed(o, limit)
		return
	}
	s.enqueue(o, limit)
}

// enqueue adds a datagram as it is.
func (s *Sender) enqueue(o *Datagram, limit int) {
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

// Drain sends the datagrams in the outbox, with one system call for consecutive ones of one socket. Those of a busy
// route are kept and delay no others. A datagram that fails for another reason is dropped.
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
		sent, err := s.sendRun(i)
		s.free = append(s.free, b.ready[i:i+sent]...)
		moved = moved || sent > 0 && i < waited
		if i += sent; err == nil {
			continue
		}
		o := b.ready[i]
		s.count(err, 0, o.To.Addr())
		if i++; errors.Is(err, udp.ErrBusy) {
			b.queues = append(b.queues, queue{route: o.route()})
			kept = s.keep(kept, o, &b.queues[len(b.queues)-1])
		} else {
			s.free = append(s.free, o)
		}
	}
	clear(b.ready[len(kept):])
	b.ready = kept
	b.wait(moved)
}

// keep queues a datagram for the next attempt.
func (s *Sender) keep(kept []*Datagram, o *Datagram, q *queue) []*Datagram {
	if len(kept) >= maxWaiting {
		s.overflow(o)
		return kept
	}
	q.n++
	return append(kept, o)
}

// sendRun sends the datagrams from index i on that go through one socket and are not on a busy route. It returns how
// many were accepted and, if not all, the next one's error.
func (s *Sender) sendRun(i int) (int, error) {
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

// wait schedules the next attempt if datagrams are left, with a growing delay while none are accepted.
func (b *outbox) wait(moved bool) {
	if b.delay = min(2*b.delay, maxBusyDelay); moved {
		b.delay = busyDelay
	}
	if len(b.ready) > 0 && b.retry != nil {
		b.retry(b.delay)
	}
}
