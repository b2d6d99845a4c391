// SPDX-License-Identifier: Apache-2.0

package vnet

import (
	"net/netip"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
)

// packet is a datagram in flight.
type packet struct {
	data []byte
	from netip.AddrPort
}

// size returns the packet's size in a socket buffer, as Linux counts, bytes.
func (p packet) size() int {
	if len(p.data) <= 1500 {
		return 2304
	}
	return 2 * len(p.data)
}

// socket is a bound socket with its receive buffer.
type socket struct {
	net   *Net
	local netip.AddrPort
	kind  udp.Traffic
	last  time.Time // arrival time of the last one that is not reordered; guarded by net.mu

	mu     sync.Mutex
	queue  []packet
	used   int
	closed bool
	signal chan struct{} // holds one token while the queue is not empty; closed with the socket
}

func newSocket(n *Net, local netip.AddrPort, kind udp.Traffic) *socket {
	return &socket{net: n, local: local, kind: kind, signal: make(chan struct{}, 1)}
}

// arriveLater schedules the arrival of p after a delay.
func (s *socket) arriveLater(delay time.Duration, p packet) {
	task.AfterFunc(delay, "datagram in flight", func() {
		if !s.arrive(p) {
			s.net.mu.Lock()
			s.net.counters.Overflowed++
			s.net.mu.Unlock()
		}
	})
}

// arrive adds p to the receive buffer and reports whether it fit.
func (s *socket) arrive(p packet) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return true
	}
	if s.used+p.size() > s.net.cfg.Buffer {
		return false
	}
	s.used += p.size()
	s.queue = append(s.queue, p)
	select {
	case s.signal <- struct{}{}:
	default:
	}
	return true
}

// next removes and returns the oldest packet of the buffer.
func (s *socket) next() (packet, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 || s.closed {
		return packet{}, false
	}
	p := s.queue[0]
	s.queue = s.queue[1:]
	s.used -= p.size()
	return p, true
}

// receive passes on arriving packets until the socket is closed.
func (s *socket) receive(handle func([]byte, netip.AddrPort, udp.Traffic)) {
	for range s.signal {
		for p, ok := s.next(); ok; p, ok = s.next() {
			handle(p.data, p.from, s.kind)
		}
	}
}

func (s *socket) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.closed = true
		close(s.signal)
	}
}
