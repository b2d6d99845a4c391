// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestOversizeSamples: samples too large for a reader are skipped; later ones arrive, also with reliable QoS.
func TestOversizeSamples(t *testing.T) {
	for _, opt := range []option{bestEffort, reliable} {
		for _, large := range []int{1200, imageSize} {
			synctest.Test(t, func(t *testing.T) {
				_, a, b := pair(t, vnet.Config{})
				w := writer(t, a, opt, depth(10))
				in := &inbox{}
				cfg := rtps.ReaderConfig{Topic: topic, Type: typeName, QoS: qos(opt), OnSample: in.take, MaxSampleSize: 1000}
				if _, err := b.NewReader(cfg); err != nil {
					t.Fatal(err)
				}
				eventually(t, time.Second, "match", func() bool { return w.Matched() == 1 })
				time.Sleep(time.Second)
				for i, size := range []int{10, large, 1000, large, large, 20} {
					write(t, w, number(i, size))
					time.Sleep(200 * time.Millisecond)
				}
				if got := in.numbers(); !slices.Equal(got, []int{0, 2, 5}) {
					t.Errorf("large is %d: got %v", large, got)
				}
				if s := b.Stats(); s.SamplesDropped != 3 || s.HeldBytes != 0 {
					t.Errorf("large is %d: %+v", large, s)
				}
			})
		}
	}
}

// The number of heartbeats after which a reader that does not answer gets samples, and their period (writer_send.go).
const (
	maxUnanswered   = 5
	heartbeatPeriod = 100 * time.Millisecond
)

// silentReader announces a reliable reader that has not sent anything yet, and returns its data and a filter for our
// writer's submessages.
func (s *scripted) silentReader(w *rtps.Writer) (e wire.EndpointData, ours func(heard) bool) {
	s.t.Helper()
	e = wire.EndpointData{
		GUID: wire.GUID{Prefix: s.prefix, Entity: wire.NewEntityID(1, wire.KindReader)}, Topic: topic, Type: typeName, QoS: qos(reliable),
	}
	s.send(func(b *wire.Builder) {
		b.Heartbeat(&wire.Heartbeat{Writer: wire.EntitySubscriptionsWriter, First: 1, Last: 1, Count: s.count(), Final: true})
		b.Data(&wire.Data{Writer: wire.EntitySubscriptionsWriter, SN: 1, Kind: wire.PayloadData, Payload: e.AppendPayload(nil)})
	})
	if w.Matched() != 1 {
		s.t.Fatal("no match")
	}
	return e, func(h heard) bool {
		return h.data != nil && h.data.Writer == w.GUID().Entity || h.heartbeat != nil && h.heartbeat.Writer == w.GUID().Entity
	}
}

// TestSamplesWaitForFirstAnswer: until a reliable reader answers, it gets only heartbeats that announce no samples, at
// once when it requests one; then all samples. A pre-emptive ACKNACK is not an answer: a volatile reader of Cyclone DDS
// that has not received a heartbeat starts after the last sample that the first one announces.
func TestSamplesWaitForFirstAnswer(t *testing.T) {
	withScripted(t, wire.VendorCyclone, func(s *scripted) {
		s.prefix[0], s.prefix[1] = byte(wire.VendorCyclone>>8), byte(wire.VendorCyclone&0xff)
		s.announce()
		w := writer(t, s.p, reliable, depth(5))
		e, ours := s.silentReader(w)
		for i := range 3 {
			write(t, w, number(i, 20))
		}
		for range 3 * maxUnanswered {
			time.Sleep(heartbeatPeriod - time.Millisecond)
			s.heard(func(heard) bool { return false })
			s.greet(e.GUID.Entity, w.GUID().Entity)
			if got := s.heard(ours); len(got) != 1 || got[0].heartbeat == nil || got[0].heartbeat.Last != 0 || got[0].heartbeat.Final {
				t.Fatalf("after a pre-emptive ACKNACK: %+v", got)
			}
		}
		for range 10 { // it is alive, but what it sends is lost
			time.Sleep(2 * time.Second)
			s.announce()
		}
		before := s.heard(ours)
		if len(before) < maxUnanswered {
			t.Errorf("%d heartbeats", len(before))
		}
		for _, h := range before {
			if h.data != nil || h.heartbeat.Last != 0 || h.heartbeat.Final {
				t.Fatalf("before the first answer: %+v %+v", h.data, h.heartbeat)
			}
		}
		s.answer(e.GUID.Entity, w.GUID().Entity)
		s.wantAll(s.heard(ours), "after it")
	})
}

// TestReaderThatNeverAnswersGetsSamples: a reader that does not answer empty HEARTBEATs gets samples after a few of
// them.
func TestReaderThatNeverAnswersGetsSamples(t *testing.T) {
	withScripted(t, wire.VendorID(0x017f), func(s *scripted) {
		w := writer(t, s.p, reliable, depth(5))
		_, ours := s.silentReader(w)
		for i := range 3 {
			write(t, w, number(i, 20))
		}
		time.Sleep(2 * maxUnanswered * heartbeatPeriod)
		all := s.heard(ours)
		first := slices.IndexFunc(all, func(h heard) bool { return h.data != nil })
		if first < maxUnanswered {
			t.Fatalf("the first sample came after %d heartbeats", first)
		}
		s.wantAll(all[first:first+4], "in spite of its silence")
	})
}

// TestOverwrittenWhileWaiting: a GAP is sent for samples that keep-last drops before a reader has answered, before any
// heartbeat that no longer announces them: Fast DDS would report them as lost. Cyclone DDS gets no GAP, as it would
// apply it to all its readers.
func TestOverwrittenWhileWaiting(t *testing.T) {
	for vendor, gaps := range map[wire.VendorID]int{wire.VendorRTI: 1, wire.VendorCyclone: 0} {
		withScripted(t, vendor, func(s *scripted) {
			s.prefix[0], s.prefix[1] = byte(vendor>>8), byte(vendor&0xff)
			s.announce()
			w := writer(t, s.p, reliable, depth(2))
			e, _ := s.silentReader(w)
			for i := range 5 {
				write(t, w, number(i, 20))
			}
			from := func(h heard) bool {
				return h.data != nil && h.data.Writer == w.GUID().Entity || h.heartbeat != nil && h.heartbeat.Writer == w.GUID().Entity ||
					h.gap != nil && h.gap.Writer == w.GUID().Entity
			}
			for _, h := range s.heard(from) {
				if h.heartbeat == nil || h.heartbeat.First != 1 || h.heartbeat.Last != 0 {
					t.Fatalf("%v, before the first ACKNACK: %+v", vendor, h)
				}
			}
			s.answer(e.GUID.Entity, w.GUID().Entity)
			got := s.heard(from)
			sent := 0
			if len(got) > 0 && got[0].heartbeat != nil && got[0].heartbeat.Last == 0 {
				got = got[1:]
			}
			if len(got) > 0 && got[0].gap != nil {
				sent = 1
				if g := got[0].gap; g.Start != 1 || g.List.Base != 4 {
					t.Errorf("%v: %+v", vendor, g)
				}
				got = got[1:]
			}
			if sent != gaps || len(got) != 3 || got[0].data == nil || got[0].data.SN != 4 || got[1].data == nil || got[1].data.SN != 5 ||
				got[2].heartbeat == nil || got[2].heartbeat.First != 4 {
				t.Errorf("%v: %d gaps, then %+v", vendor, sent, got)
			}
		})
	}
}

// wantAll checks for three samples and the heartbeat that announces them.
func (s *scripted) wantAll(got []heard, when string) {
	s.t.Helper()
	if len(got) != 4 || got[3].heartbeat == nil || got[3].heartbeat.Last != 3 {
		s.t.Fatalf("%s: %+v", when, got)
	}
	for i, h := range got[:3] {
		if h.data == nil || h.data.SN != wire.SequenceNumber(i+1) {
			s.t.Errorf("%s: sample %d: %+v", when, i, h.data)
		}
	}
}

// TestHeartbeatsContinueDuringLongTransfer: a large sample takes longer than the heartbeats' period. Heartbeats
// continue until the reader acknowledges it, although it never answered before and the heartbeat with the last fragment
// may have been lost.
func TestHeartbeatsContinueDuringLongTransfer(t *testing.T) {
	withScripted(t, wire.VendorID(0x017f), func(s *scripted) {
		w := writer(t, s.p, reliable, depth(5))
		_, ours := s.silentReader(w)
		write(t, w, number(1, 8*imageSize))
		for range 10 { // the participant is alive, so heartbeats to it continue
			time.Sleep(time.Second)
			s.send(func(b *wire.Builder) {
				b.Heartbeat(&wire.Heartbeat{Writer: wire.EntitySubscriptionsWriter, First: 1, Last: 1, Count: s.count(), Final: true})
			})
		}
		transferred := 0
		offers := 0
		for _, h := range s.heard(func(h heard) bool { return ours(h) || h.frag != nil }) {
			switch {
			case h.frag != nil:
				transferred++
			case h.heartbeat != nil && h.heartbeat.Last == 1 && !h.heartbeat.Final:
				offers++
			}
		}
		if transferred == 0 || offers < 3 {
			t.Errorf("%d fragments, and %d heartbeats that ask for them", transferred, offers)
		}
	})
}
