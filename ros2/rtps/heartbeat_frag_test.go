// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"bytes"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// fragment sends one fragment of 100 bytes of a scripted sample of 3000.
func (s *scripted) fragment(w wire.GUID, sn int, f int) {
	payload := number(sn, 3000)
	s.send(func(b *wire.Builder) {
		b.DataFrag(&wire.DataFrag{
			Writer: w.Entity, SN: wire.SequenceNumber(sn), First: wire.FragmentNumber(f), Count: 1, FragmentSize: 100, SampleSize: 3000,
			Payload: payload[(f-1)*100 : f*100],
		})
	})
}

// heartbeatFrag sends a HEARTBEAT_FRAG of a scripted sample.
func (s *scripted) heartbeatFrag(w wire.GUID, sn, last int, count wire.Count) {
	s.send(func(b *wire.Builder) {
		b.HeartbeatFrag(&wire.HeartbeatFrag{Writer: w.Entity, SN: wire.SequenceNumber(sn), Last: wire.FragmentNumber(last), Count: count})
	})
}

// missing returns the fragments of one sample that received NACK_FRAGs request.
func (s *scripted) missing(sn int) (list []int) {
	for _, h := range s.heard(func(h heard) bool { return h.nackFrag != nil && h.nackFrag.SN == wire.SequenceNumber(sn) }) {
		m := h.nackFrag
		for f := m.State.Base; f < m.State.Base+wire.FragmentNumber(m.State.NumBits); f++ {
			if m.State.Contains(f) {
				list = append(list, int(f))
			}
		}
	}
	return list
}

// TestHeartbeatFragTriggersRequest: missing fragments that a HEARTBEAT_FRAG announces are requested before any
// HEARTBEAT announces the sample, once, and after a delay for late ones; those that arrived, or are not sent yet, are
// not.
func TestHeartbeatFragTriggersRequest(t *testing.T) {
	withScripted(t, wire.VendorCyclone, func(s *scripted) {
		_, in := reader(t, s.p, reliable)
		w := s.endpoint(wire.KindWriter, reliable)
		s.heartbeat(w, 1, 0, true)
		for f := 1; f <= 10; f++ {
			if f != 3 && f != 7 {
				s.fragment(w, 1, f)
			}
			s.heartbeatFrag(w, 1, f, s.count())
		}
		if early := s.missing(1); len(early) != 0 {
			t.Errorf("asked at once for %v", early)
		}
		time.Sleep(15 * time.Millisecond)
		if got := s.missing(1); !slices.Equal(got, []int{3, 7}) {
			t.Errorf("asked for %v", got)
		}
		s.heartbeatFrag(w, 1, 10, s.counts) // a duplicate
		time.Sleep(time.Second)
		if got := s.missing(1); len(got) != 0 {
			t.Errorf("requested again: %v", got)
		}
		if n := s.p.Stats().Dropped[rtps.DropStaleCount]; n != 1 {
			t.Errorf("%d stale counts", n)
		}
		for f := 1; f <= 30; f++ {
			s.fragment(w, 1, f)
		}
		s.heartbeatFrag(w, 1, 30, s.count())
		time.Sleep(time.Second)
		if got := s.missing(1); len(got) != 0 || !slices.Equal(in.numbers(), []int{1}) {
			t.Errorf("asked for %v of a complete sample, delivered %v", got, in.numbers())
		}
	})
}

// TestHeartbeatFragOfUnseenSample: if no fragment arrived, all that were sent are requested, up to what one request can
// hold; numbers far ahead and far too many fragments cost nothing.
func TestHeartbeatFragOfUnseenSample(t *testing.T) {
	withScripted(t, wire.VendorCyclone, func(s *scripted) {
		reader(t, s.p, reliable)
		w := s.endpoint(wire.KindWriter, reliable)
		s.heartbeat(w, 1, 0, true)
		for _, c := range []struct{ sn, last, want int }{{1, 12, 12}, {2, 1 << 30, 256}, {1000, 5, 0}} {
			s.heartbeatFrag(w, c.sn, c.last, s.count())
			time.Sleep(100 * time.Millisecond)
			got := s.missing(c.sn)
			if len(got) != c.want || c.want > 0 && (got[0] != 1 || got[len(got)-1] != c.want) {
				t.Errorf("sample %d: asked for %v", c.sn, got)
			}
		}
	})
}

// TestHeartbeatFragSent: while a large reliable sample is being sent paced, its reader gets HEARTBEAT_FRAGs. Requested
// fragments are resent at once, unless they have not been sent yet.
func TestHeartbeatFragSent(t *testing.T) {
	withScripted(t, wire.VendorCyclone, func(s *scripted) {
		w := writer(t, s.p, reliable)
		r := s.endpoint(wire.KindReader, reliable)
		time.Sleep(time.Second)
		s.heard(func(heard) bool { return false })
		write(t, w, number(1, 300*1344))
		time.Sleep(12 * time.Millisecond)
		var heartbeatFrags []wire.FragmentNumber
		sent := wire.FragmentNumber(0)
		for _, h := range s.heard(func(h heard) bool { return h.frag != nil || h.heartbeatFrag != nil }) {
			if h.frag != nil {
				sent = h.frag.Last()
			} else {
				heartbeatFrags = append(heartbeatFrags, h.heartbeatFrag.Last)
				if h.heartbeatFrag.Last != sent || h.heartbeatFrag.SN != 1 {
					t.Errorf("%+v after fragment %d", h.heartbeatFrag, sent)
				}
			}
		}
		if len(heartbeatFrags) == 0 || heartbeatFrags[0] != 64 || sent >= 300 {
			t.Fatalf("HEARTBEAT_FRAGs %v, sent %d", heartbeatFrags, sent)
		}
		set := wire.FragmentNumberSet{Base: 5}
		for _, f := range []wire.FragmentNumber{5, 60, 250} {
			set.Add(f)
		}
		s.send(func(b *wire.Builder) {
			b.NackFrag(&wire.NackFrag{Reader: r.Entity, Writer: w.GUID().Entity, SN: 1, State: set, Count: s.count()})
		})
		time.Sleep(100 * time.Millisecond)
		var order []int
		for _, h := range s.heard(func(h heard) bool { return h.frag != nil }) {
			order = append(order, int(h.frag.First))
		}
		count := func(f int) int {
			return len(slices.DeleteFunc(slices.Clone(order), func(e int) bool { return e != f }))
		}
		if count(5) != 1 || count(60) != 1 || count(250) != 1 || slices.Index(order, 60) > slices.Index(order, 300) {
			t.Errorf("sent %v", order)
		}
	})
}

// TestLossesAreRepairedDuringTransfer: under loss, a large sample's fragments are requested and resent before the rest
// is sent.
func TestLossesAreRepairedDuringTransfer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{Seed: 7})
		a := start(t, n.Host(1), func(c *rtps.Config) { c.SendRate = 2_000_000 })
		b := start(t, n.Host(2))
		w := writer(t, a, reliable)
		r, in := reader(t, b, reliable)
		eventually(t, time.Second, "match", func() bool { return w.Matched() == 1 && r.Matched() == 1 })
		time.Sleep(time.Second)
		const total = 700
		s := &progress{}
		n.Watch(func(_, _ netip.AddrPort, datagram []byte) { _ = wire.Walk(datagram, s) })
		n.Set(0.1, 0, 0)
		payload := number(1, total*1344)
		write(t, w, payload)
		eventually(t, 5*time.Second, "the sample", func() bool { return len(in.all()) == 1 })
		if !bytes.Equal(in.all()[0].Payload, payload) {
			t.Error("the sample differs")
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.asked == 0 || s.repaired < 30 {
			t.Errorf("%d requests and %d repairs before the last fragment", s.asked, s.repaired)
		}
	})
}

// progress counts what happens before the last fragment of a sample of 700 is sent.
type progress struct {
	wire.NopHandler
	mu              sync.Mutex
	highest         wire.FragmentNumber
	asked, repaired int
}

func (s *progress) HandleNackFrag(_ *wire.Receiver, _ *wire.NackFrag) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.highest < 700 {
		s.asked++
	}
}

func (s *progress) HandleDataFrag(_ *wire.Receiver, m *wire.DataFrag) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m.First < s.highest && s.highest < 700 {
		s.repaired++
	}
	s.highest = max(s.highest, m.First)
}
