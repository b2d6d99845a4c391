// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"fmt"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// fleet has writers of one participant on separate topics, and another participant's readers of them. Each writes every
// so many cycles of 50 ms, one batch per cycle.
type fleet struct {
	t       *testing.T
	net     *vnet.Net
	host    *stalledHost
	a       *rtps.Participant
	every   []int
	writers []*rtps.Writer
	readers []*rtps.Reader
	in      []*inbox
	cycle   int
}

const fleetCycle = 50 * time.Millisecond

func newFleet(t *testing.T, every ...int) *fleet {
	n := vnet.New(vnet.Config{})
	f := &fleet{t: t, net: n, host: &stalledHost{Host: n.Host(1), release: make(chan struct{})}, every: every}
	f.a = start(t, f.host)
	b := start(t, n.Host(2))
	for i := range every {
		name := fmt.Sprint("rt/topic", i)
		w, err := f.a.NewWriter(rtps.WriterConfig{Topic: name, Type: typeName, QoS: qos(reliable, depth(10))})
		if err != nil {
			t.Fatal(err)
		}
		in := &inbox{}
		r, err := b.NewReader(rtps.ReaderConfig{Topic: name, Type: typeName, QoS: qos(reliable, depth(10)), OnSample: in.take})
		if err != nil {
			t.Fatal(err)
		}
		f.writers, f.readers, f.in = append(f.writers, w), append(f.readers, r), append(f.in, in)
	}
	eventually(t, time.Second, "matches", func() bool {
		for _, w := range f.writers {
			if w.Matched() != 1 {
				return false
			}
		}
		return true
	})
	return f
}

// run runs cycles; the writers' cycles are staggered.
func (f *fleet) run(span time.Duration) {
	f.t.Helper()
	for end := time.Now().Add(span); time.Now().Before(end); time.Sleep(fleetCycle) {
		f.batch()
	}
}

// large is the number of the writer whose samples take fragments.
const large = 8

func (f *fleet) size(i int) int {
	if i == large {
		return 6000
	}
	return 100
}

// batch makes one cycle's writes.
func (f *fleet) batch() {
	f.t.Helper()
	f.a.Cork()
	for i, w := range f.writers {
		if f.every[i] > 0 && (f.cycle+7*i)%f.every[i] == 0 {
			write(f.t, w, number(f.cycle, f.size(i)))
		}
	}
	f.a.Uncork()
	f.cycle++
}

// answered reports whether a datagram answers a user writer.
type answered struct {
	wire.NopHandler
	user bool
}

func (a *answered) HandleAckNack(_ *wire.Receiver, m *wire.AckNack) {
	a.user = a.user || !m.Writer.IsBuiltin()
}

// If others write continuously, infrequent writers are not acknowledged for each sample, but once a second, all
// together. Every sample arrives, whatever the rates.
func TestInfrequentWritersAreAcknowledgedTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFleet(t, 1, 1, 2, 3, 4, 10, 20, 20, 20, 40)
		f.run(5 * time.Second)
		var answers atomic.Int64
		f.net.Watch(func(_, _ netip.AddrPort, datagram []byte) {
			var c answered
			if err := wire.Walk(datagram, &c); err != nil {
				t.Error(err)
			}
			if c.user {
				answers.Add(1)
			}
		})
		f.run(30 * time.Second)
		if n := answers.Load(); n > 31 {
			t.Errorf("%d answers in 30 seconds, want one a second", n)
		}
		time.Sleep(time.Second)
		for i, every := range f.every {
			if got, want := len(f.in[i].all()), f.cycle/every; got < want {
				t.Errorf("one in %d: %d of %d samples arrived", every, got, want)
			}
		}
	})
}

// A lost sample of an infrequent writer is repaired as soon as the next datagram of others reveals the loss, sooner
// than by its own request.
func TestPiggybackedHeartbeatRevealsLoss(t *testing.T) {
	for _, k := range []int{1, large} {
		synctest.Test(t, func(t *testing.T) {
			f := newFleet(t, 1, 0, 0, 0, 0, 0, 0, 0, 0)
			write(t, f.writers[k], number(0, f.size(k)))
			f.run(5 * time.Second)
			for i := 1; i <= 20; i++ {
				f.host.lose.Store(true)
				write(t, f.writers[k], number(i, f.size(k)))
				f.host.lose.Store(false)
				f.run(2 * fleetCycle)
				if got := len(f.in[k].all()); got != i+1 {
					t.Fatalf("samples of %d bytes: %d of %d arrived two cycles later", f.size(k), got, i+1)
				}
				f.run(time.Duration(900+i*10) * time.Millisecond)
			}
		})
	}
}

// It is also repaired if the others stop right after, and if the heartbeat that reveals the loss is lost, too.
func TestLossOfInfrequentWriterIsRepairedWithoutOthers(t *testing.T) {
	for _, c := range []struct {
		lost  int // cycles after the sample
		limit time.Duration
	}{{0, 200 * time.Millisecond}, {1, 1300 * time.Millisecond}, {3, 1300 * time.Millisecond}} {
		t.Run(fmt.Sprint(c.lost), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFleet(t, 1, 0)
				write(t, f.writers[1], number(0, 100))
				f.run(5 * time.Second)
				f.host.lose.Store(true)
				write(t, f.writers[1], number(1, 100))
				for range c.lost {
					time.Sleep(fleetCycle)
					f.batch()
				}
				f.host.lose.Store(false)
				eventually(t, c.limit, "the lost sample", func() bool { return len(f.in[1].all()) == 2 })
			})
		})
	}
}

// Readers are matched and closed while heartbeats for them are piggybacked.
func TestReadersCloseWithPiggybackedHeartbeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFleet(t, 1, 20, 3, 20)
		f.run(3 * time.Second)
		var group sync.WaitGroup
		group.Go(func() {
			for _, r := range f.readers[1:] {
				time.Sleep(170 * time.Millisecond)
				_ = r.Close()
			}
			_ = f.writers[3].Close()
		})
		f.every[3] = 0
		f.run(3 * time.Second)
		group.Wait()
		if f.writers[1].Matched() != 0 {
			t.Error("a reader is still there")
		}
		before := len(f.in[0].all())
		f.run(time.Second)
		if n := len(f.in[0].all()) - before; n < 19 {
			t.Errorf("%d samples of 20", n)
		}
	})
}
