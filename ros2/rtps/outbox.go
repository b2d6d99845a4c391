// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"errors"

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

// outbox holds complete datagrams that the network has not yet taken, in order: those of one critical section of the
// participant, for one system call, and those that found the socket buffer full, which are tried again.
type outbox struct {
	ready []*outgoing
	list  []udp.Datagram // the argument of SendBatch
	total uint64         // bytes ever put in
	full  bool           // the network did not take them all
	retry func()         // arranges for another drain when it did not
	hurry bool           // a window is used up: nothing is gained by packing more
}

// maxReady is how many datagrams the outbox holds. A participant whose network takes nothing drops what comes on top;
// reliable writers send it again.
const maxReady = 64

// packedReady is how many full datagrams of small samples wait while the participant is corked: more would save hardly
// any time, and the reader wants something to do meanwhile.
const packedReady = 8

// complete puts a datagram into the outbox and takes its tokens; from limit datagrams on the outbox is emptied first.
func (s *sender) complete(o *outgoing, limit int) {
	s.pace.take(o.Len())
	s.outbox.total += uint64(o.Len())
	if len(s.outbox.ready) >= limit {
		s.drain()
	}
	if len(s.outbox.ready) >= maxReady {
		s.stats.Dropped[DropSendOverflow]++
		s.free = append(s.free, o)
		return
	}
	s.outbox.ready = append(s.outbox.ready, o)
}

// drain hands the datagrams in the outbox to the network, as many at once as go from one socket. A datagram that it
// refuses for another reason than a full buffer is lost, as it might be on the way.
func (s *sender) drain() {
	b, n := &s.outbox, 0
	b.full = false
	for n < len(b.ready) && !b.full {
		traffic := b.ready[n].traffic
		b.list = b.list[:0]
		for _, o := range b.ready[n:] {
			if o.traffic != traffic {
				break
			}
			b.list = append(b.list, udp.Datagram{Data: o.Bytes(), To: o.to})
		}
		sent, err := s.batch.SendBatch(b.list, traffic)
		for _, d := range b.list[:sent] {
			s.count(nil, len(d.Data), d.To.Addr())
		}
		n += sent
		if sent == len(b.list) {
			continue
		}
		s.count(err, 0, b.list[sent].To.Addr())
		if b.full = errors.Is(err, udp.ErrBusy); !b.full {
			n++
		}
	}
	s.free = append(s.free, b.ready[:n]...)
	left := copy(b.ready, b.ready[n:])
	clear(b.ready[left:])
	b.ready = b.ready[:left]
	if b.full && b.retry != nil {
		b.retry()
	}
}
