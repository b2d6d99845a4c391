// SPDX-License-Identifier: Apache-2.0

// Package vnet is a virtual network for tests of package rtps: hosts on one subnet, and datagrams that are lost,
// duplicated, delayed and reordered according to a seeded random number generator. It uses channels and the clock of
// package time only, so a test may run it inside testing/synctest, where an hour of protocol takes milliseconds.
package vnet

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
)

// Config configures the faults of a network. The zero value has none.
type Config struct {
	// Seed makes the faults reproducible if the order of sending is.
	Seed uint64
	// Loss, Duplicate and Reorder are the probabilities, 0 to 1, that a datagram is lost, arrives twice, or arrives
	// late.
	Loss, Duplicate, Reorder float64
	// Delay is the latency of a datagram. It defaults to 100 µs.
	Delay time.Duration
	// Late is the additional latency of a reordered datagram. It defaults to 3 ms.
	Late time.Duration
	// Buffer is the size of a socket's receive buffer, counted as Linux does: 2304 bytes for a datagram up to 1.5 KB,
	// else twice its size. It defaults to 212992.
	Buffer int
}

// Counters are the counters of a Net.
type Counters struct{ Sent, Lost, Doubled, Late, Overflowed, Unrouted int }

// groupOf is the discovery group of a port: of the network, or of the loopback interface of the host with an address.
type groupOf struct {
	port     uint16
	loopback netip.Addr // zero for the network's
}

// Net is a virtual network. It is safe for concurrent use.
type Net struct {
	mu       sync.Mutex
	cfg      Config
	rng      *rand.Rand
	bound    map[netip.AddrPort]*socket
	groups   map[groupOf][]*socket // multicast members
	cut      map[netip.Addr]bool
	watch    func(from, to netip.AddrPort, datagram []byte)
	passes   func(from, to netip.Addr) bool // nil means all pass
	counters Counters
}

// New returns an empty network.
func New(cfg Config) *Net {
	if cfg.Delay == 0 {
		cfg.Delay = 100 * time.Microsecond
	}
	if cfg.Late == 0 {
		cfg.Late = 3 * time.Millisecond
	}
	if cfg.Buffer == 0 {
		cfg.Buffer = 212992
	}
	return &Net{
		cfg: cfg, rng: rand.New(rand.NewPCG(cfg.Seed, 0x5eed)), bound: map[netip.AddrPort]*socket{},
		groups: map[groupOf][]*socket{}, cut: map[netip.Addr]bool{},
	}
}

// Host returns the host 10.0.0.n, 1 to 254, as an udp.Network. Several participants may run on one.
func (n *Net) Host(number byte) *Host {
	return &Host{net: n, addr: netip.AddrFrom4([4]byte{10, 0, 0, number})}
}

// Set changes the fault probabilities. The random sequence continues.
func (n *Net) Set(loss, duplicate, reorder float64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cfg.Loss, n.cfg.Duplicate, n.cfg.Reorder = loss, duplicate, reorder
}

// Cut disconnects a host or reconnects it.
func (n *Net) Cut(addr netip.Addr, unplugged bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cut[addr] = unplugged
}

// Screen sets a function that reports which hosts a host can reach. It must not call the Net.
func (n *Net) Screen(passes func(from, to netip.Addr) bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.passes = passes
}

// Watch sets a function that is called with every datagram sent, before faults are applied. It must not call the Net.
func (n *Net) Watch(f func(from, to netip.AddrPort, datagram []byte)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.watch = f
}

// Counters returns the counters.
func (n *Net) Counters() Counters {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.counters
}

// Inject sends a datagram with an arbitrary source address, which needs no host.
func (n *Net) Inject(from, to netip.AddrPort, datagram []byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.route(from, to, datagram)
}

// route sends a datagram to every socket at its destination. The caller holds mu.
func (n *Net) route(from, to netip.AddrPort, datagram []byte) {
	if to.Addr().IsMulticast() {
		n.routeTo(n.groups[groupOf{port: to.Port()}], from, to, datagram)
		return
	}
	if s := n.bound[to]; s != nil {
		n.routeTo([]*socket{s}, from, to, datagram)
		return
	}
	n.routeTo(nil, from, to, datagram)
	n.counters.Unrouted++
}

// routeTo sends a datagram to sockets. The caller holds mu.
func (n *Net) routeTo(targets []*socket, from, to netip.AddrPort, datagram []byte) {
	n.counters.Sent++
	if n.watch != nil {
		n.watch(from, to, datagram)
	}
	for _, s := range targets {
		if n.cut[from.Addr()] || n.cut[s.local.Addr()] || n.passes != nil && !n.passes(from.Addr(), s.local.Addr()) {
			n.counters.Lost++
			continue
		}
		n.applyFaults(s, packet{data: append([]byte(nil), datagram...), from: from})
	}
}

// applyFaults sends a datagram to a socket with the random faults. The caller holds mu.
func (n *Net) applyFaults(s *socket, p packet) {
	if n.rng.Float64() < n.cfg.Loss {
		n.counters.Lost++
		return
	}
	copies := 1
	if n.rng.Float64() < n.cfg.Duplicate {
		copies = 2
		n.counters.Doubled++
	}
	for range copies {
		now := time.Now()
		at := now.Add(n.cfg.Delay)
		if n.rng.Float64() < n.cfg.Reorder {
			at = at.Add(time.Duration(n.rng.Int64N(int64(n.cfg.Late))))
			n.counters.Late++
		} else {
			if !at.After(s.last) { // not before earlier ones
				at = s.last.Add(time.Nanosecond)
			}
			s.last = at
		}
		s.arriveLater(at.Sub(now), p)
	}
}

// String describes the network in test failures.
func (n *Net) String() string {
	c := n.Counters()
	return fmt.Sprintf("vnet seed %d loss %g duplicate %g reorder %g: %+v", n.cfg.Seed, n.cfg.Loss, n.cfg.Duplicate, n.cfg.Reorder, c)
}

var _ udp.Network = (*Host)(nil)
