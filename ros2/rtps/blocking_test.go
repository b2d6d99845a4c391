// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"errors"
	"log/slog"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// stalledHost is a host whose network can be stalled: from then on no kind of send accepts data, and listing the
// interfaces does not return.
type stalledHost struct {
	*vnet.Host
	unicast, multicast, batch, interfaces atomic.Bool
	lose                                  atomic.Bool   // batches are lost in the network
	release                               chan struct{} // of the call that lists interfaces
}

type stalledSockets struct {
	udp.Sockets
	h *stalledHost
}

func (h *stalledHost) Listen(cfg udp.Config) (udp.Sockets, error) {
	s, err := h.Host.Listen(cfg)
	return &stalledSockets{s, h}, err
}

func (s *stalledSockets) Send(b []byte, to netip.AddrPort, t udp.Traffic) error {
	if s.h.unicast.Load() {
		return udp.ErrBusy
	}
	return s.Sockets.Send(b, to, t)
}

func (s *stalledSockets) Multicast(b []byte, i int) error {
	if s.h.multicast.Load() {
		return udp.ErrBusy
	}
	return s.Sockets.Multicast(b, i)
}

func (s *stalledSockets) SendBatch(list []udp.Datagram, t udp.Traffic) (int, error) {
	if s.h.batch.Load() {
		return 0, udp.ErrBusy
	}
	if s.h.lose.Load() {
		return len(list), nil
	}
	for i, d := range list {
		if err := s.Sockets.Send(d.Data, d.To, t); err != nil {
			return i, err
		}
	}
	return len(list), nil
}

func (s *stalledSockets) Refresh() bool {
	if s.h.interfaces.Load() {
		<-s.h.release
	}
	return s.Sockets.Refresh()
}

// TestWritingDoesNotBlock: whatever outside of the package blocks — each kind of send, the system's list of
// interfaces, the logger, a user function —, writing and corking do not wait, timers run, and Close returns.
func TestWritingDoesNotBlock(t *testing.T) {
	all := func(h *stalledHost) {
		for _, f := range []*atomic.Bool{&h.unicast, &h.multicast, &h.batch, &h.interfaces} {
			f.Store(true)
		}
	}
	for name, stall := range map[string]func(h *stalledHost){
		"unicast":    func(h *stalledHost) { h.unicast.Store(true) },
		"multicast":  func(h *stalledHost) { h.multicast.Store(true) },
		"batches":    func(h *stalledHost) { h.batch.Store(true) },
		"interfaces": func(h *stalledHost) { h.interfaces.Store(true) },
		"all":        all,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := vnet.New(vnet.Config{})
				h := &stalledHost{Host: n.Host(1), release: make(chan struct{})}
				a, b := start(t, h), start(t, n.Host(2))
				w := writer(t, a, reliable, depth(10))
				_, in := reader(t, b, reliable, depth(10))
				eventually(t, time.Second, "match", func() bool { return w.Matched() == 1 })
				stall(h)
				began := time.Now()
				for i := range 1000 {
					a.Cork()
					write(t, w, number(i, 100+1300*(i%3)))
					a.Uncork()
				}
				if d := time.Since(began); d != 0 { // a bubble's clock does not advance while something runs
					t.Errorf("1000 samples took %v", d)
				}
				time.Sleep(8 * time.Second)
				s := a.Stats()
				if name != "interfaces" && s.SendBusy == 0 {
					t.Error("nothing is counted")
				}
				if (name == "multicast" || name == "unicast") && s.Dropped[rtps.DropSendOverflow] == 0 {
					t.Error("announcements that were not sent are not counted")
				}
				if name == "interfaces" && len(in.all()) < 10 {
					t.Errorf("%d samples arrived", len(in.all()))
				}
				if err := a.Close(); err != nil {
					t.Error(err)
				}
				if d := time.Since(began); d > 10*time.Second {
					t.Errorf("closed after %v", d)
				}
				close(h.release)
			})
		})
	}
}

// oneWayHost is a host whose network accepts nothing for one address while it is stalled.
type oneWayHost struct {
	*vnet.Host
	stalled atomic.Pointer[netip.Addr]
}

type oneWaySockets struct {
	udp.Sockets
	h *oneWayHost
}

func (h *oneWayHost) Listen(cfg udp.Config) (udp.Sockets, error) {
	s, err := h.Host.Listen(cfg)
	return &oneWaySockets{s, h}, err
}

func (s *oneWaySockets) Send(b []byte, to netip.AddrPort, t udp.Traffic) error {
	if stalled := s.h.stalled.Load(); stalled != nil && to.Addr() == *stalled {
		return udp.ErrBusy
	}
	return s.Sockets.Send(b, to, t)
}

// TestStalledAddressDelaysNoOther: a stalled address does not affect the peers at others: all samples arrive there on
// time, small and fragmented, reliable and best effort; when it recovers it gets what is kept.
func TestStalledAddressDelaysNoOther(t *testing.T) {
	for _, r := range []option{reliable, bestEffort} {
		synctest.Test(t, func(t *testing.T) {
			n := vnet.New(vnet.Config{})
			h := &oneWayHost{Host: n.Host(1)}
			a, b, c := start(t, h), start(t, n.Host(2)), start(t, n.Host(3))
			w := writer(t, a, reliable, depth(10))
			stuck, stuckIn := reader(t, b, r, depth(10))
			_, in := reader(t, c, r, depth(10))
			eventually(t, time.Second, "match", func() bool { return w.Matched() == 2 })
			stall := n.Host(2).Addr()
			h.stalled.Store(&stall)
			for i := range 400 { // 8 s
				a.Cork()
				write(t, w, number(i, 100+1700*(i%5)))
				a.Uncork()
				time.Sleep(20 * time.Millisecond)
				if got := len(in.all()); got != i+1 {
					t.Fatalf("after sample %d the free peer has %d", i, got)
				}
			}
			if s := a.Stats(); s.SendBusy == 0 || s.SendBusy > 2000 {
				t.Errorf("the stalled address was tried %d times in 8 s", s.SendBusy)
			}
			h.stalled.Store(nil)
			eventually(t, 10*time.Second, "match", func() bool { return stuck.Matched() == 1 })
			write(t, w, number(1000, 100))
			eventually(t, 2*time.Second, "the last sample", func() bool {
				list := stuckIn.numbers()
				return len(list) > 0 && list[len(list)-1] == 1000
			})
		})
	}
}

// stoppedTerminal is a writer that does not return until it is released.
type stoppedTerminal struct{ release chan struct{} }

func (s stoppedTerminal) Write(b []byte) (int, error) {
	<-s.release
	return len(b), nil
}

// TestStoppedLogger: a logger that blocks, for instance on a stopped terminal, delays nothing.
func TestStoppedLogger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{})
		term := stoppedTerminal{make(chan struct{})}
		a := start(t, n.Host(1), func(c *rtps.Config) {
			c.Logger = slog.New(slog.NewTextHandler(term, &slog.HandlerOptions{Level: slog.LevelDebug}))
		})
		b := start(t, n.Host(2))
		w := writer(t, a, reliable, keepAll)
		_, in := reader(t, b, reliable, keepAll)
		eventually(t, time.Second, "match", func() bool { return w.Matched() == 1 })
		for i := range 100 {
			write(t, w, number(i, 100))
		}
		eventually(t, time.Second, "samples", func() bool { return len(in.all()) == 100 })
		for range 1000 { // more lines than the queue holds
			reader(t, a, reliable)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
		close(term.release)
	})
}

// TestStuckUserFunction: a user function that does not return blocks only user traffic to its participant: the
// participant stays in the domain, discovers who joins and leaves, and what it writes arrives.
func TestStuckUserFunction(t *testing.T) {
	release := func(c chan struct{}) func() { return func() { close(c) } }
	for _, where := range []string{"sample", "match", "discovery"} {
		t.Run(where, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := vnet.New(vnet.Config{})
				a, b := start(t, n.Host(1)), start(t, n.Host(2))
				stuck := make(chan struct{})
				defer release(stuck)()
				cfg := rtps.ReaderConfig{Topic: "rt/stuck", Type: typeName, QoS: qos(bestEffort)}
				switch where {
				case "sample":
					cfg.OnSample = func(*rtps.Sample) { <-stuck }
				case "match":
					cfg.OnMatch = func(int, rtps.MatchEvent) { <-stuck }
				case "discovery":
					a.OnEndpoint(func(rtps.DiscoveryEvent) { <-stuck })
				}
				if _, err := a.NewReader(cfg); err != nil {
					t.Fatal(err)
				}
				trigger, err := b.NewWriter(rtps.WriterConfig{Topic: "rt/stuck", Type: typeName, QoS: qos(bestEffort)})
				if err != nil {
					t.Fatal(err)
				}
				eventually(t, time.Second, "match", func() bool { return trigger.Matched() == 1 })
				write(t, trigger, number(0, 50_000)) // in fragments, by user traffic
				time.Sleep(time.Second)
				w := writer(t, a, reliable, depth(10))
				r, in := reader(t, b, reliable, depth(10))
				late := start(t, n.Host(3))
				_, lateIn := reader(t, late, bestEffort)
				eventually(t, 5*time.Second, "matches", func() bool { return w.Matched() == 2 })
				for i := range 600 {
					write(t, w, number(i, 100))
					time.Sleep(100 * time.Millisecond)
				}
				if r.Matched() != 1 || w.Matched() != 2 {
					t.Errorf("after a minute %d writers and %d readers are matched", r.Matched(), w.Matched())
				}
				if m, k := len(in.all()), len(lateIn.all()); m < 590 || k < 590 {
					t.Errorf("%d and %d samples of 600 arrived", m, k)
				}
				late.Close()
				eventually(t, time.Second, "the newcomer left", func() bool { return w.Matched() == 1 })
			})
		})
	}
}

// TestUnansweringReaderGetsSamples: a reader whose first answer is lost is asked again, however often the writer
// writes, and gets samples after half a second and one more sample anyway.
func TestUnansweringReaderGetsSamples(t *testing.T) {
	for _, ms := range []int{10, 50, 90, 100, 110, 200, 300} {
		synctest.Test(t, func(t *testing.T) {
			period := time.Duration(ms) * time.Millisecond
			n := vnet.New(vnet.Config{})
			a, b := start(t, n.Host(1)), start(t, n.Host(2))
			stuck := make(chan struct{})
			defer close(stuck)
			_, err := a.NewReader(rtps.ReaderConfig{Topic: "rt/stuck", Type: typeName, QoS: qos(bestEffort), OnSample: func(*rtps.Sample) { <-stuck }})
			if err != nil {
				t.Fatal(err)
			}
			trigger, err := b.NewWriter(rtps.WriterConfig{Topic: "rt/stuck", Type: typeName, QoS: qos(bestEffort)})
			if err != nil {
				t.Fatal(err)
			}
			eventually(t, time.Second, "match", func() bool { return trigger.Matched() == 1 })
			write(t, trigger, number(0, 100)) // from now on all answers are lost
			time.Sleep(time.Second)
			w := writer(t, a, reliable, depth(1))
			_, in := reader(t, b, reliable, depth(1))
			eventually(t, time.Second, "match", func() bool { return w.Matched() == 1 })
			const count = 200
			for i := range count {
				write(t, w, number(i, 100))
				time.Sleep(period)
			}
			held := int(600*time.Millisecond/period) + 1
			if got := len(in.all()); got < count-held {
				t.Errorf("each %v: %d samples of %d arrived", period, got, count)
			}
		})
	}
}

// TestCloseDoesNotWaitForUserFunctions: Close waits one second for a user function that does not return, and its error
// names the reader; the peers see the participant leave.
func TestCloseDoesNotWaitForUserFunctions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{})
		a, b := start(t, n.Host(1)), start(t, n.Host(2))
		stuck := make(chan struct{})
		r, err := a.NewReader(rtps.ReaderConfig{Topic: topic, Type: typeName, QoS: qos(reliable), OnSample: func(*rtps.Sample) { <-stuck }})
		if err != nil {
			t.Fatal(err)
		}
		w := writer(t, b, reliable)
		eventually(t, time.Second, "match", func() bool { return w.Matched() == 1 && r.Matched() == 1 })
		write(t, w, number(0, 100))
		time.Sleep(time.Second)
		began := time.Now()
		if err := a.Close(); !errors.Is(err, rtps.ErrStuck) || !strings.Contains(err.Error(), "for samples of "+topic) {
			t.Errorf("error %v", err)
		}
		if d := time.Since(began); d != time.Second {
			t.Errorf("closed after %v", d)
		}
		eventually(t, time.Second, "the end of the match", func() bool { return w.Matched() == 0 })
		close(stuck)
	})
}
