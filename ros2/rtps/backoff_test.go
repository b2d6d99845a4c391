// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestRequestsResetTheHeartbeatBackOff: a reader that keeps requesting, but acknowledges no sample because of losses,
// is sent heartbeats at the first period, however long that takes.
func TestRequestsResetTheHeartbeatBackOff(t *testing.T) {
	for name, ask := range map[string]func(b *wire.Builder, reader, writer wire.EntityID, c wire.Count){
		"ACKNACK": func(b *wire.Builder, reader, writer wire.EntityID, c wire.Count) {
			set := wire.SequenceNumberSet{Base: 1}
			set.Add(1)
			b.AckNack(&wire.AckNack{Reader: reader, Writer: writer, State: set, Count: c, Final: true})
		},
		"NACK_FRAG": func(b *wire.Builder, reader, writer wire.EntityID, c wire.Count) {
			set := wire.FragmentNumberSet{Base: 3}
			set.Add(3)
			b.NackFrag(&wire.NackFrag{Reader: reader, Writer: writer, SN: 1, State: set, Count: c})
		},
	} {
		withScripted(t, wire.VendorCyclone, func(s *scripted) {
			w := writer(t, s.p, reliable, depth(5))
			r := s.endpoint(wire.KindReader, reliable)
			time.Sleep(time.Second)
			write(t, w, number(1, 10_000))
			asksForAnswer := func(h heard) bool {
				return h.heartbeat != nil && h.heartbeat.Writer == w.GUID().Entity && !h.heartbeat.Final
			}
			time.Sleep(20 * time.Second) // it does not answer: heartbeats become rare
			for round := range 10 {
				s.send(func(b *wire.Builder) { ask(b, r.Entity, w.GUID().Entity, s.count()) })
				time.Sleep(30 * time.Millisecond) // the repair, and the HEARTBEAT that follows it: all lost
				s.heard(func(heard) bool { return false })
				time.Sleep(2 * heartbeatFirst)
				if got := s.heard(asksForAnswer); len(got) == 0 {
					t.Errorf("%s, round %d: no HEARTBEAT within %v of the request", name, round, 2*heartbeatFirst)
				}
				time.Sleep(5 * time.Second)
			}
		})
	}
}

// TestAnswersResetTheHeartbeatBackOff: a reader that answers, but neither acknowledges nor requests anything, is sent
// several heartbeats at the first period: its request may have been lost.
func TestAnswersResetTheHeartbeatBackOff(t *testing.T) {
	withScripted(t, wire.VendorCyclone, func(s *scripted) {
		w := writer(t, s.p, reliable, depth(5))
		r := s.endpoint(wire.KindReader, reliable)
		time.Sleep(time.Second)
		write(t, w, number(1, 20))
		time.Sleep(20 * time.Second) // it does not answer: heartbeats become rare
		s.heard(func(heard) bool { return false })
		s.answer(r.Entity, w.GUID().Entity)
		time.Sleep(4*heartbeatFirst + heartbeatFirst/2)
		if got := s.heard(func(h heard) bool { return h.heartbeat != nil && h.heartbeat.Writer == w.GUID().Entity }); len(got) < 4 {
			t.Errorf("%d heartbeats in %v after the answer", len(got), 4*heartbeatFirst)
		}
	})
}

// TestSilentReaderIsAskedAgain: a reader that has answered before is sent heartbeats until it acknowledges a sample,
// at most a second apart for the first ten: all its answers, or all heartbeats, may have been lost.
func TestSilentReaderIsAskedAgain(t *testing.T) {
	withScripted(t, wire.VendorCyclone, func(s *scripted) {
		w := writer(t, s.p, reliable, depth(5))
		r := s.endpoint(wire.KindReader, reliable)
		time.Sleep(time.Second)
		write(t, w, number(1, 20))
		s.send(func(b *wire.Builder) {
			b.AckNack(&wire.AckNack{
				Reader: r.Entity, Writer: w.GUID().Entity, State: wire.SequenceNumberSet{Base: 2}, Count: s.count(), Final: true,
			})
		})
		time.Sleep(time.Second)
		write(t, w, number(2, 20))
		asks := func(h heard) bool { return h.heartbeat != nil && h.heartbeat.Writer == w.GUID().Entity }
		s.heard(asks)
		for second := range 10 {
			time.Sleep(time.Second)
			if len(s.heard(asks)) == 0 {
				t.Errorf("no HEARTBEAT in second %d", second)
			}
		}
		time.Sleep(5 * time.Second)
		s.heard(asks)
		time.Sleep(10 * time.Second)
		if n := len(s.heard(asks)); n < 3 || n > 4 {
			t.Errorf("%d heartbeats in 10 s to a reader that has been silent for 15 s", n)
		}
	})
}

// heartbeatFirst is the first period of a writer's heartbeats.
const heartbeatFirst = 100 * time.Millisecond

// TestSlowTransmissionKeepsHeartbeatPeriod: no heartbeats are sent while a large sample is being sent, but that does
// not count as a reader that does not answer: when the last fragment and its HEARTBEAT are lost, the next HEARTBEAT
// follows after the first period.
func TestSlowTransmissionKeepsHeartbeatPeriod(t *testing.T) {
	const rate, size = 20_000, 400_000 // bytes a second, bytes
	withScripted(t, wire.VendorCyclone, func(s *scripted) {
		w := writer(t, s.p, reliable, depth(5))
		s.endpoint(wire.KindReader, reliable)
		time.Sleep(time.Second)
		write(t, w, number(1, size))
		var last time.Time
		for begun := time.Now(); last.IsZero(); time.Sleep(time.Millisecond) {
			for _, h := range s.heard(func(h heard) bool { return h.frag != nil && int(h.frag.First) == (size+1343)/1344 }) {
				last = h.at
			}
			if time.Since(begun) > 2*time.Minute {
				t.Fatal("the last fragment was not sent")
			}
		}
		time.Sleep(2 * heartbeatFirst)
		if got := s.heard(func(h heard) bool { return h.heartbeat != nil && h.heartbeat.Writer == w.GUID().Entity }); len(got) == 0 {
			t.Errorf("no HEARTBEAT within %v of the last fragment", 2*heartbeatFirst)
		}
	}, func(c *rtps.Config) { c.SendRate = rate })
}
