// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// acknowledge has the scripted reader acknowledge everything below base, with the given count.
func (s *scripted) acknowledge(reader, writer wire.EntityID, base wire.SequenceNumber, count wire.Count, missing ...wire.SequenceNumber) {
	set := wire.SequenceNumberSet{Base: base}
	for _, sn := range missing {
		set.Add(sn)
	}
	s.send(func(b *wire.Builder) {
		b.AckNack(&wire.AckNack{Reader: reader, Writer: writer, State: set, Count: count, Final: len(missing) > 0})
	})
}

// received returns the numbers of the samples received from a writer since the last call.
func (s *scripted) received(w wire.EntityID) (list []wire.SequenceNumber) {
	for _, h := range s.heard(func(h heard) bool { return h.data != nil && h.data.Writer == w }) {
		list = append(list, h.data.SN)
	}
	return list
}

// TestReaderThatLostItsStateGetsSamplesAgain: a Cyclone DDS reader whose lease on us expired sends base 1 and count 0,
// although we still have the counts from before. It gets a HEARTBEAT at once; then a discovery reader gets all samples,
// a volatile one those that it had not acknowledged, which that HEARTBEAT does not announce.
func TestReaderThatLostItsStateGetsSamplesAgain(t *testing.T) {
	withScripted(t, wire.VendorCyclone, func(s *scripted) {
		w := writer(t, s.p, reliable, depth(10))
		r := s.endpoint(wire.KindReader, reliable)
		time.Sleep(time.Second)
		for i := range 5 {
			write(t, w, number(i, 20))
		}
		s.acknowledge(wire.EntityPublicationsReader, wire.EntityPublicationsWriter, 2, 5000)
		s.acknowledge(r.Entity, w.GUID().Entity, 4, 5000) // 4 and 5 are in flight
		time.Sleep(time.Second)
		for _, c := range []struct {
			reader, writer wire.EntityID
			first, last    wire.SequenceNumber
			missing, again []wire.SequenceNumber
		}{
			{wire.EntityPublicationsReader, wire.EntityPublicationsWriter, 1, 1, []wire.SequenceNumber{1}, []wire.SequenceNumber{1}},
			{r.Entity, w.GUID().Entity, 4, 3, nil, []wire.SequenceNumber{4, 5}},
		} {
			s.heard(func(heard) bool { return false })
			s.acknowledge(c.reader, c.writer, 1, 0)
			heartbeats := s.heard(func(h heard) bool { return h.heartbeat != nil && h.heartbeat.Writer == c.writer })
			if len(heartbeats) == 0 || heartbeats[0].heartbeat.First != c.first || heartbeats[0].heartbeat.Last != c.last {
				t.Fatalf("%v: heartbeats %+v", c.writer, heartbeats)
			}
			s.acknowledge(c.reader, c.writer, c.first, 1, c.missing...)
			if got := s.received(c.writer); !slices.Equal(got, c.again) {
				t.Errorf("%v: sent %v again, want %v", c.writer, got, c.again)
			}
			s.acknowledge(c.reader, c.writer, c.again[len(c.again)-1]+1, 2)
			time.Sleep(time.Second)
			s.heard(func(heard) bool { return false })
			time.Sleep(10 * time.Second)
			if got := s.heard(func(h heard) bool { return h.heartbeat != nil && h.heartbeat.Writer == c.writer }); len(got) > 0 {
				t.Errorf("%v: %d heartbeats after the acknowledgment", c.writer, len(got))
			}
		}
	})
}

// TestLowerCountsAreAcceptedAfterTimeout: after an ACKNACK, NACK_FRAG, HEARTBEAT or HEARTBEAT_FRAG with the highest
// count (forged, for instance), the peer's own, much lower counts are accepted half a second later.
func TestLowerCountsAreAcceptedAfterTimeout(t *testing.T) {
	const highest = wire.Count(1 << 30)
	withScripted(t, wire.VendorCyclone, func(s *scripted) {
		w := writer(t, s.p, reliable, depth(10))
		r := s.endpoint(wire.KindReader, reliable)
		time.Sleep(time.Second)
		write(t, w, number(1, 5000))
		time.Sleep(time.Second)
		base := wire.SequenceNumberSet{Base: 1}
		base.Add(1)
		frags := wire.FragmentNumberSet{Base: 2}
		frags.Add(2)
		for name, c := range map[string]struct {
			send   func(b *wire.Builder, count wire.Count)
			answer func(h heard) bool
		}{
			"ACKNACK": {func(b *wire.Builder, count wire.Count) {
				b.AckNack(&wire.AckNack{Reader: r.Entity, Writer: w.GUID().Entity, State: base, Count: count})
			}, func(h heard) bool { return h.frag != nil }},
			"NACK_FRAG": {func(b *wire.Builder, count wire.Count) {
				b.NackFrag(&wire.NackFrag{Reader: r.Entity, Writer: w.GUID().Entity, SN: 1, State: frags, Count: count})
			}, func(h heard) bool { return h.frag != nil && h.frag.First == 2 }},
		} {
			s.send(func(b *wire.Builder) { c.send(b, highest) })
			time.Sleep(600 * time.Millisecond)
			s.heard(func(heard) bool { return false })
			s.send(func(b *wire.Builder) { c.send(b, 3) })
			time.Sleep(20 * time.Millisecond)
			if len(s.heard(c.answer)) == 0 {
				t.Errorf("%s: not answered", name)
			}
		}
	})
	withScripted(t, wire.VendorCyclone, func(s *scripted) {
		reader(t, s.p, reliable)
		w := s.endpoint(wire.KindWriter, reliable)
		s.heartbeat(w, 1, 0, true)
		asks := func(h heard) bool {
			return h.ack != nil && h.ack.Writer == w.Entity && !h.ack.State.Empty() || h.nackFrag != nil
		}
		for name, send := range map[string]func(b *wire.Builder, count wire.Count){
			"HEARTBEAT": func(b *wire.Builder, count wire.Count) {
				b.Heartbeat(&wire.Heartbeat{Writer: w.Entity, First: 1, Last: 1, Count: count})
			},
			"HEARTBEAT_FRAG": func(b *wire.Builder, count wire.Count) {
				b.HeartbeatFrag(&wire.HeartbeatFrag{Writer: w.Entity, SN: 2, Last: 4, Count: count})
			},
		} {
			s.send(func(b *wire.Builder) { send(b, highest) })
			time.Sleep(60 * time.Second)
			s.heard(func(heard) bool { return false })
			s.send(func(b *wire.Builder) { send(b, 3) })
			time.Sleep(50 * time.Millisecond)
			if len(s.heard(asks)) == 0 {
				t.Errorf("%s: not answered", name)
			}
		}
	})
}

// TestCountsRiseAcrossMatches: a reader that is matched with a writer again continues its counts: the writer may not
// have noticed, and Fast DDS accepts no lower count.
func TestCountsRiseAcrossMatches(t *testing.T) {
	withScripted(t, wire.VendorEProsima, func(s *scripted) {
		reader(t, s.p, reliable)
		w := s.endpoint(wire.KindWriter, reliable)
		highest := func(id wire.EntityID) (c wire.Count) {
			for _, h := range s.heard(func(h heard) bool { return h.ack != nil && h.ack.Writer == id }) {
				c = max(c, h.ack.Count)
			}
			return c
		}
		for i := range 50 {
			s.send(func(b *wire.Builder) { b.Data(dataOf(w, 1+i)) })
			s.heartbeat(w, 1, 1+i, false)
		}
		before := highest(w.Entity)
		s.send(func(b *wire.Builder) {
			d := wire.NewDispose(wire.EntitySPDPWriter, 2, wire.GUID{Prefix: s.prefix, Entity: wire.EntityParticipant})
			b.Data(&d)
		})
		s.announce()
		s.endpoint(wire.KindWriter, reliable)
		if after := highest(w.Entity); before < 50 || after <= before {
			t.Errorf("count %d after %d", after, before)
		}
	})
}

// outage is which directions of a network are down, and for how long.
type outage struct {
	ab, ba   bool
	duration time.Duration
}

func (o outage) String() string {
	return fmt.Sprintf("a to b %v, b to a %v, %v", o.ab, o.ba, o.duration)
}

// TestPeersReconnectAfterOutage: two participants with unequal leases, after hundreds of acknowledgments, resume in
// both directions after every kind of outage: the lease of none, one or both expired.
func TestPeersReconnectAfterOutage(t *testing.T) {
	// The leases are 5 s and 10 s.
	for _, duration := range []time.Duration{3 * time.Second, 7 * time.Second, 15 * time.Second} {
		for _, o := range []outage{{true, false, duration}, {false, true, duration}, {true, true, duration}} {
			for _, opts := range [][]option{{reliable, depth(100)}, {reliable, keepAll}, {reliable, transientLocal, depth(100)}} {
				t.Run(fmt.Sprint(o, " ", qos(opts...).History, " ", qos(opts...).Durability), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) { survive(t, o, opts) })
				})
			}
		}
	}
}

// survive lets two participants exchange samples before, during and after an outage.
func survive(t *testing.T, o outage, opts []option) {
	n := vnet.New(vnet.Config{})
	lease := func(d time.Duration) func(*rtps.Config) { return func(c *rtps.Config) { c.LeaseDuration = d } }
	a, b := start(t, n.Host(1), lease(5*time.Second)), start(t, n.Host(2), lease(10*time.Second))
	var w [2]*rtps.Writer
	var in [2]inbox
	for i, p := range []*rtps.Participant{a, b} {
		other := []*rtps.Participant{b, a}[i]
		name := fmt.Sprint("rt/", i)
		var err error
		if w[i], err = p.NewWriter(rtps.WriterConfig{Topic: name, Type: typeName, QoS: qos(opts...)}); err != nil {
			t.Fatal(err)
		}
		if _, err = other.NewReader(rtps.ReaderConfig{Topic: name, Type: typeName, QoS: qos(opts...), OnSample: in[i].take}); err != nil {
			t.Fatal(err)
		}
	}
	sent := 0
	publish := func(count int, every time.Duration) {
		for range count {
			sent++
			for _, w := range w {
				_ = w.Write(number(sent, 20)) // keep-all histories may be full during the outage
			}
			time.Sleep(every)
		}
	}
	eventually(t, 2*time.Second, "match", func() bool { return w[0].Matched() == 1 && w[1].Matched() == 1 })
	publish(400, 200*time.Millisecond) // each acknowledged
	addr := [2]netip.Addr{n.Host(1).Addr(), n.Host(2).Addr()}
	n.Screen(func(from, _ netip.Addr) bool { return !(o.ab && from == addr[0] || o.ba && from == addr[1]) })
	publish(int(o.duration/(100*time.Millisecond)), 100*time.Millisecond)
	n.Screen(func(_, _ netip.Addr) bool { return true })
	time.Sleep(7 * time.Second)
	n.Set(0.1, 0, 0)
	after := sent + 1
	publish(200, 10*time.Millisecond)
	n.Set(0, 0, 0)
	time.Sleep(4 * time.Second)
	for i := range in {
		got := in[i].numbers()
		from := slices.Index(got, after)
		if from < 0 || len(got)-from != 200 || !slices.IsSorted(got[from:]) {
			t.Errorf("direction %d: %d of 200 samples after the outage, last %v", i, len(got)-max(from, 0), got[max(0, len(got)-3):])
		}
	}
}

// TestReaderResumesAfterLostMatch: a volatile reader whose match with a writer ended, unnoticed by the writer, gets
// what was written meanwhile and nothing twice, in whatever order the writer's messages arrive. A writer that starts
// again at 1 under the same GUID is read from there.
func TestReaderResumesAfterLostMatch(t *testing.T) {
	for name, c := range map[string]struct {
		data []int // samples that arrive before the heartbeat after the match …
		last int   // … which announces those from 1 to this
		asks wire.SequenceNumber
		want []int // all that are delivered after it was answered
	}{
		"heartbeat first":        {nil, 7, 6, []int{1, 2, 3, 4, 5, 6, 7}},
		"samples first":          {[]int{1, 4, 7}, 7, 6, []int{1, 2, 3, 4, 5, 6, 7}},
		"nothing new":            {[]int{1}, 5, 0, []int{1, 2, 3, 4, 5}},
		"another of the same ID": {nil, 2, 1, []int{1, 2, 3, 4, 5, 1, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			withScripted(t, wire.VendorEProsima, func(s *scripted) {
				_, in := reader(t, s.p, reliable)
				w := s.endpoint(wire.KindWriter, reliable)
				s.heartbeat(w, 1, 0, true)
				for i := range 5 {
					s.send(func(b *wire.Builder) { b.Data(dataOf(w, 1+i)) })
				}
				s.send(func(b *wire.Builder) {
					d := wire.NewDispose(wire.EntitySPDPWriter, 2, wire.GUID{Prefix: s.prefix, Entity: wire.EntityParticipant})
					b.Data(&d)
				})
				s.announce()
				s.endpoint(wire.KindWriter, reliable)
				for _, sn := range c.data {
					s.send(func(b *wire.Builder) { b.Data(dataOf(w, sn)) })
				}
				s.heard(func(heard) bool { return false })
				s.heartbeat(w, 1, c.last, true)
				time.Sleep(100 * time.Millisecond)
				asked := s.heard(func(h heard) bool { return h.ack != nil && h.ack.Writer == w.Entity && !h.ack.State.Empty() })
				if c.asks == 0 && len(asked) > 0 || c.asks > 0 && (len(asked) == 0 || asked[0].ack.State.Base != c.asks) {
					t.Errorf("asked for %+v, want from %d on", asked, c.asks)
				}
				for sn := max(int(c.asks), 1); c.asks > 0 && sn <= c.last; sn++ {
					s.send(func(b *wire.Builder) { b.Data(dataOf(w, sn)) })
				}
				if got := in.numbers(); !slices.Equal(got, c.want) {
					t.Errorf("delivered %v, want %v", got, c.want)
				}
			})
		})
	}
}
