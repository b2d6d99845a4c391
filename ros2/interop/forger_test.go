// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"math"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// forger is an attacker on the link of two hosts: it reads the datagrams that host 1 sends, and sends others to host 0
// that carry the GUID of host 1's participant, from an address of its own.
type forger struct {
	wire.NopHandler
	link *cable
	from netip.AddrPort

	mu      sync.Mutex
	prefix  wire.GUIDPrefix // of host 1's participant; zero until it has announced itself
	to      []packet        // a packet to each socket of host 0, without a payload
	readers map[[2]wire.EntityID]bool
	writers map[wire.EntityID]bool
	sent    int
}

// newForger creates a forger, which reads the datagrams on the link.
func newForger(link *cable) *forger {
	f := &forger{
		link: link, from: netip.MustParseAddrPort("192.0.2.66:7410"),
		readers: map[[2]wire.EntityID]bool{}, writers: map[wire.EntityID]bool{},
	}
	link.watch = f.watch
	return f
}

// watch gets the participant from its announcement to the SPDP group, and its endpoints and host 0's ports from other
// datagrams.
func (f *forger) watch(end int, frame []byte) {
	p, ok := parsePacket(frame)
	if !ok || end != 1 {
		return
	}
	h, err := wire.ParseHeader(p.payload)
	if err != nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if p.to.Addr() == udp.MulticastGroup() {
		f.prefix = h.Prefix
		return
	}
	if !slices.ContainsFunc(f.to, func(x packet) bool { return x.to == p.to }) {
		f.to = append(f.to, packet{hardware: p.hardware, from: f.from, to: p.to})
	}
	_ = wire.Walk(p.payload, f)
}

// HandleHeartbeat implements wire.Handler.
func (f *forger) HandleHeartbeat(_ *wire.Receiver, m *wire.Heartbeat) { f.writers[m.Writer] = true }

// HandleAckNack implements wire.Handler.
func (f *forger) HandleAckNack(_ *wire.Receiver, m *wire.AckNack) {
	f.readers[[2]wire.EntityID{m.Reader, m.Writer}] = true
}

// endpoints returns how many readers, each with its writer, and writers of host 1 the forger has detected.
func (f *forger) endpoints() (readers, writers int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.readers), len(f.writers)
}

// forgeries returns datagrams each of which would stop an exchange if it were accepted as one of host 1's participant:
// all samples acknowledged, none acknowledged, all samples irrelevant, and counts after which true ones are rejected.
func (f *forger) forgeries(count wire.Count) (list [][]byte) {
	const far = wire.SequenceNumber(1 << 60)
	f.mu.Lock()
	defer f.mu.Unlock()
	add := func(fill func(b *wire.Builder)) {
		b := wire.NewBuilder(wire.MaxMessageSize)
		b.Begin(f.prefix)
		fill(b)
		list = append(list, b.Bytes())
	}
	first := wire.FragmentNumberSet{Base: 1}
	first.Add(1)
	for e := range f.readers {
		for _, base := range []wire.SequenceNumber{1, far} {
			state := wire.SequenceNumberSet{Base: base}
			add(func(b *wire.Builder) {
				b.AckNack(&wire.AckNack{Reader: e[0], Writer: e[1], State: state, Count: count})
			})
		}
		add(func(b *wire.Builder) {
			b.NackFrag(&wire.NackFrag{Reader: e[0], Writer: e[1], SN: 1, State: first, Count: count})
		})
	}
	for e := range f.writers {
		add(func(b *wire.Builder) { b.Heartbeat(&wire.Heartbeat{Writer: e, First: far, Last: far, Count: count}) })
		add(func(b *wire.Builder) { b.Heartbeat(&wire.Heartbeat{Writer: e, First: 1, Last: far, Count: count}) })
		gap := wire.NewGap(wire.EntityUnknown, e, 1, far)
		add(func(b *wire.Builder) { b.Gap(&gap) })
	}
	return list
}

// attack sends all forgeries repeatedly to every socket of host 0 until the returned function is called, which returns
// how many datagrams were sent.
func (f *forger) attack() (stop func() int) {
	quit := make(chan struct{})
	var loop sync.WaitGroup
	loop.Go(func() {
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for count := wire.Count(math.MaxInt32 - 1); ; count ^= math.MaxInt32 >> 1 { // near 2^31, and half of that
			for _, payload := range f.forgeries(count) {
				select {
				case <-quit:
					return
				case <-tick.C:
					f.send(payload)
				}
			}
		}
	})
	return func() int {
		close(quit)
		loop.Wait()
		return f.sent
	}
}

func (f *forger) send(payload []byte) {
	f.mu.Lock()
	to := slices.Clone(f.to)
	f.mu.Unlock()
	for _, p := range to {
		p.payload = payload
		f.link.put(f.link.ends[0], p.frame())
		f.sent++
	}
}
