// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"math"
	"math/rand/v2"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// livePair are two participants that write to each other, and an attacker on a third host.
type livePair struct {
	net     *vnet.Net
	p       [2]*rtps.Participant
	w       [2]*rtps.Writer
	r       [2]*rtps.Reader // r[i] reads what w[i] writes
	in      [2]*inbox
	written int

	mu       sync.Mutex
	captured [][]byte // what went over the network
}

// attackFrom is the attacker's address.
var attackFrom = netip.MustParseAddrPort("10.0.0.66:7410")

// withLivePair runs f with a pair that has exchanged samples of several sizes, all datagrams of which were captured.
func withLivePair(t *testing.T, f func(l *livePair)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := &livePair{net: vnet.New(vnet.Config{})}
		l.net.Watch(func(from, _ netip.AddrPort, datagram []byte) {
			l.mu.Lock()
			defer l.mu.Unlock()
			if from != attackFrom && len(l.captured) < 5000 {
				l.captured = append(l.captured, slices.Clone(datagram))
			}
		})
		l.p = [2]*rtps.Participant{start(t, l.net.Host(1)), start(t, l.net.Host(2))}
		for i, p := range l.p {
			name := []string{"rt/a", "rt/b"}[i]
			var err error
			l.in[i] = &inbox{}
			if l.w[i], err = p.NewWriter(rtps.WriterConfig{Topic: name, Type: typeName, QoS: qos(reliable, keepAll)}); err != nil {
				t.Fatal(err)
			}
			l.r[i], err = l.p[1-i].NewReader(rtps.ReaderConfig{Topic: name, Type: typeName, QoS: qos(reliable), OnSample: l.in[i].take})
			if err != nil {
				t.Fatal(err)
			}
		}
		eventually(t, time.Second, "match", func() bool { return l.w[0].Matched() == 1 && l.w[1].Matched() == 1 })
		l.write(t, 30)
		f(l)
	})
}

// write has both write samples, every tenth of them in fragments, while the network drops some of the datagrams.
func (l *livePair) write(t *testing.T, n int) {
	t.Helper()
	l.net.Set(0.02, 0, 0)
	for range n {
		size := 100
		if l.written%10 == 0 {
			size = 20_000
		}
		for _, w := range l.w {
			write(t, w, number(l.written, size))
		}
		l.written++
		time.Sleep(20 * time.Millisecond)
	}
	l.net.Set(0, 0, 0)
}

// complete checks that everything written arrived once and in order.
func (l *livePair) complete(t *testing.T) {
	t.Helper()
	time.Sleep(5 * time.Second)
	for i, in := range l.in {
		got := in.numbers()
		if len(got) != l.written || !slices.IsSorted(got) || slices.Compact(slices.Clone(got))[len(got)-1] != l.written-1 {
			t.Errorf("direction %d: %d of %d samples", i, len(got), l.written)
		}
	}
}

// flood calls inject every 500 µs until the returned function is called.
func flood(inject func()) (stop func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-quit:
				return
			case <-time.After(500 * time.Microsecond):
				inject()
			}
		}
	}()
	return func() { close(quit); <-done }
}

// inject sends a datagram to all sockets of both participants.
func (l *livePair) inject(datagram []byte) {
	for i := range byte(2) {
		for _, kind := range []udp.Traffic{udp.Metatraffic, udp.UserTraffic} {
			l.net.Inject(attackFrom, netip.AddrPortFrom(l.net.Host(1+i).Addr(), udp.UnicastPort(5, 0, kind)), datagram)
		}
	}
}

// TestMutatedTrafficOfALivePair: captured datagrams of a live exchange, unchanged and with random changes, are
// continuously sent from another address. The exchange loses nothing, and no memory stays in use.
func TestMutatedTrafficOfALivePair(t *testing.T) {
	withLivePair(t, func(l *livePair) {
		rng := rand.New(rand.NewPCG(suite.Seed(t), 1))
		stop := flood(func() {
			l.mu.Lock()
			b := slices.Clone(l.captured[rng.IntN(len(l.captured))])
			l.mu.Unlock()
			for range rng.IntN(6) {
				b[20+rng.IntN(len(b)-20)] = byte(rng.Uint32())
			}
			l.inject(b[:20+rng.IntN(len(b)-19)])
		})
		l.write(t, 200)
		stop()
		l.complete(t)
		for i, p := range l.p {
			if s := p.Stats(); s.HeldBytes != 0 || s.Participants != 1 || s.Endpoints != 2 || s.Dropped[rtps.DropOrigin] < 100 {
				t.Errorf("participant %d: %d bytes held, %d participants, %d endpoints, %d refused", i, s.HeldBytes, s.Participants,
					s.Endpoints, s.Dropped[rtps.DropOrigin])
			}
		}
	})
}

// forgeries are submessages that could stop an exchange with one datagram, if they were accepted.
func (l *livePair) forgeries(i int) []func(b *wire.Builder) {
	const far = wire.SequenceNumber(1 << 60)
	reader, writer := l.r[i].GUID().Entity, l.w[i].GUID().Entity
	count := wire.Count(math.MaxInt32 / 2)
	all := wire.SequenceNumberSet{Base: far}
	frags := wire.FragmentNumberSet{Base: 1}
	frags.Add(1)
	return []func(b *wire.Builder){
		func(b *wire.Builder) {
			b.AckNack(&wire.AckNack{Reader: reader, Writer: writer, State: all, Count: count})
		},
		func(b *wire.Builder) {
			b.AckNack(&wire.AckNack{Reader: reader, Writer: writer, State: wire.SequenceNumberSet{Base: 1}, Count: count})
		},
		func(b *wire.Builder) {
			b.NackFrag(&wire.NackFrag{Reader: reader, Writer: writer, SN: 1, State: frags, Count: count})
		},
		func(b *wire.Builder) {
			b.Heartbeat(&wire.Heartbeat{Writer: writer, First: far, Last: far, Count: count})
		},
		func(b *wire.Builder) {
			b.HeartbeatFrag(&wire.HeartbeatFrag{Writer: writer, SN: 2, Last: 9, Count: count})
		},
		func(b *wire.Builder) {
			gap := wire.NewGap(wire.EntityUnknown, writer, 1, far)
			b.Gap(&gap)
		},
		func(b *wire.Builder) {
			b.Data(&wire.Data{Writer: writer, SN: far, Kind: wire.PayloadData, Payload: number(9, 20)})
		},
	}
}

// forged returns a forgery as a datagram with the GUID of the participant that would send it.
func (l *livePair) forged(i, k int) []byte {
	b := wire.NewBuilder(wire.MaxMessageSize)
	from := l.p[i]
	if k < 3 {
		from = l.p[1-i] // a reader's
	}
	b.Begin(from.GUID().Prefix)
	l.forgeries(i)[k](b)
	return slices.Clone(b.Bytes())
}

// TestForgedSubmessagesOfALivePair: ACKNACK, NACK_FRAG, HEARTBEAT, HEARTBEAT_FRAG, GAP and DATA with a live peer's
// GUID, with the highest possible counts and numbers, two thousand a second from another address: nothing is lost.
func TestForgedSubmessagesOfALivePair(t *testing.T) {
	withLivePair(t, func(l *livePair) {
		n := 0
		kinds := len(l.forgeries(0))
		stop := flood(func() {
			l.inject(l.forged(n%2, n/2%kinds))
			n++
		})
		l.write(t, 70)
		stop()
		l.complete(t)
	})
}

// TestBestEffortReaderRecoversFromASpoofedSample: after one sample with the highest possible number, the writer's
// samples are delivered again a second later. Those that the network repeats are not.
func TestBestEffortReaderRecoversFromASpoofedSample(t *testing.T) {
	for name, size := range map[string]int{"small": 20, "in fragments": 5000} {
		withScripted(t, wire.VendorCyclone, func(s *scripted) {
			_, in := reader(t, s.p, bestEffort)
			w := s.endpoint(wire.KindWriter, bestEffort)
			send := func(sn int) {
				if size < 1000 {
					s.send(func(b *wire.Builder) { b.Data(dataOf(w, sn)) })
					return
				}
				for _, f := range pieces(w, sn, number(sn, size), 1344, 1) {
					s.send(func(b *wire.Builder) { b.DataFrag(&f) })
				}
			}
			send(1)
			spoofed := dataOf(w, 1)
			spoofed.SN = 1 << 40
			s.send(func(b *wire.Builder) { b.Data(spoofed) })
			for sn := 2; sn < 30; sn++ {
				send(sn)
				time.Sleep(100 * time.Millisecond)
			}
			if got := in.numbers(); len(got) < 15 || got[len(got)-1] != 29 {
				t.Errorf("%s: delivered %v", name, got)
			}
			before := len(in.all())
			for sn := 5; sn < 29; sn++ { // a writer that repeats its history to another reader
				send(sn)
			}
			time.Sleep(2 * time.Second)
			for range 3 {
				send(5)
				time.Sleep(2 * time.Second)
				send(6)
			}
			if got := in.numbers(); len(got) != before {
				t.Errorf("%s: delivered again: %v", name, got[before:])
			}
		})
	}
}

// TestExchangeRecoversFromSpoofedSubmessages: the same from the peer's own address, which only DDS Security could
// distinguish: some samples may be lost, but the exchange resumes within seconds after the last forgery.
func TestExchangeRecoversFromSpoofedSubmessages(t *testing.T) {
	for k := range 7 {
		withLivePair(t, func(l *livePair) {
			for i := range 2 {
				b := l.forged(i, k)
				from, to := l.net.Host(byte(1+i)).Addr(), l.net.Host(byte(2-i)).Addr()
				if k < 3 {
					from, to = to, from
				}
				l.net.Inject(netip.AddrPortFrom(from, 7410), netip.AddrPortFrom(to, udp.UnicastPort(5, 0, udp.UserTraffic)), b)
			}
			time.Sleep(10 * time.Millisecond)
			l.write(t, 250) // 5 s
			first := l.written
			l.write(t, 50)
			time.Sleep(5 * time.Second)
			for i, in := range l.in {
				got := in.numbers()
				if from := slices.Index(got, first); from < 0 || len(got)-from != 50 {
					t.Errorf("forgery %d, direction %d: %d of 50 samples 5 s later", k, i, len(got)-max(from, 0))
				}
			}
		})
	}
}
