// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"bytes"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// dataOf makes a DATA of the scripted writer that holds its number.
func dataOf(w wire.GUID, sn int) *wire.Data {
	return &wire.Data{Writer: w.Entity, SN: wire.SequenceNumber(sn), Kind: wire.PayloadData, Payload: number(sn, 20)}
}

// heartbeat sends a HEARTBEAT of the scripted writer.
func (s *scripted) heartbeat(w wire.GUID, first, last int, final bool) {
	s.send(func(b *wire.Builder) {
		b.Heartbeat(&wire.Heartbeat{
			Writer: w.Entity, First: wire.SequenceNumber(first), Last: wire.SequenceNumber(last), Count: s.count(), Final: final,
		})
	})
}

// TestReaderRequestsMissingSamples: missing samples are requested after a heartbeat announces them, once, then again if
// nothing arrives, and later samples are held until they do.
func TestReaderRequestsMissingSamples(t *testing.T) {
	withScripted(t, wire.VendorCyclone, func(s *scripted) {
		r, in := reader(t, s.p, reliable)
		w := s.endpoint(wire.KindWriter, reliable)
		s.heartbeat(w, 1, 0, true)
		for _, sn := range []int{1, 2, 5, 9} {
			s.send(func(b *wire.Builder) { b.Data(dataOf(w, sn)) })
		}
		time.Sleep(time.Second)
		if got := s.heard(func(h heard) bool { return h.ack != nil && h.ack.State.Len() > 0 }); len(got) != 0 {
			t.Errorf("asked without a heartbeat: %+v", got[0].ack)
		}
		begin := time.Now()
		s.heartbeat(w, 1, 9, true)
		time.Sleep(20 * time.Millisecond)
		asked := s.heard(func(h heard) bool { return h.ack != nil })
		if len(asked) != 1 {
			t.Fatalf("asked %d times", len(asked))
		}
		if d := asked[0].at.Sub(begin); d < 9*time.Millisecond || d > 15*time.Millisecond {
			t.Errorf("asked after %v", d)
		}
		m := asked[0].ack
		if m.Reader != r.GUID().Entity || m.Writer != w.Entity || m.State.Base != 3 || m.State.Len() != 5 || m.State.Contains(5) || m.State.Contains(9) || !m.Final {
			t.Errorf("asked %+v", m)
		}
		time.Sleep(5 * time.Second)
		if again := s.heard(func(h heard) bool { return h.ack != nil && h.ack.State.Len() == 5 }); len(again) < 2 || len(again) > 6 {
			t.Errorf("repeated %d times", len(again))
		}
		if got := in.numbers(); !slices.Equal(got, []int{1, 2}) {
			t.Errorf("delivered %v", got)
		}
		s.send(func(b *wire.Builder) {
			b.Data(dataOf(w, 3))
			gap := wire.NewGap(wire.EntityUnknown, w.Entity, 4, 4)
			gap.List.Add(7) // and 7
			b.Gap(&gap)
			b.Data(dataOf(w, 8))
			b.Data(dataOf(w, 3))
		})
		if got := in.numbers(); !slices.Equal(got, []int{1, 2, 3, 5}) {
			t.Errorf("delivered %v", got)
		}
		s.heartbeat(w, 8, 9, false) // 6 is lost
		time.Sleep(20 * time.Millisecond)
		if got := in.numbers(); !slices.Equal(got, []int{1, 2, 3, 5, 8, 9}) {
			t.Errorf("delivered %v", got)
		}
		last := s.heard(func(h heard) bool { return h.ack != nil })
		if len(last) == 0 || last[len(last)-1].ack.State.Base != 10 || !last[len(last)-1].ack.State.Empty() {
			t.Errorf("acknowledged %+v", last)
		}
		if st := s.p.Stats(); st.Duplicates != 1 || st.SamplesLost != 1 || st.HeldBytes != 0 {
			t.Errorf("%+v", st)
		}
	})
}

// TestFirstSampleBeforeAnyHeartbeat: the first sample of a writer and those after it are delivered at once, before any
// heartbeat announces the first number; a later one waits for it. Nothing is delivered twice when the heartbeat
// arrives.
func TestFirstSampleBeforeAnyHeartbeat(t *testing.T) {
	for _, durable := range []bool{false, true} {
		withScripted(t, wire.VendorEProsima, func(s *scripted) {
			opts := []option{reliable}
			if durable {
				opts = append(opts, transientLocal)
			}
			_, in := reader(t, s.p, opts...)
			w := s.endpoint(wire.KindWriter, opts...)
			s.send(func(b *wire.Builder) { b.Data(dataOf(w, 2)) })
			time.Sleep(time.Second)
			if got := in.numbers(); len(got) != 0 {
				t.Errorf("durable %v: delivered %v before the first", durable, got)
			}
			s.send(func(b *wire.Builder) { b.Data(dataOf(w, 1)) })
			s.send(func(b *wire.Builder) { b.Data(dataOf(w, 3)) })
			if got := in.numbers(); !slices.Equal(got, []int{1, 2, 3}) {
				t.Errorf("durable %v: delivered %v without a heartbeat", durable, got)
			}
			s.heartbeat(w, 1, 4, false)
			time.Sleep(20 * time.Millisecond)
			asked := s.heard(func(h heard) bool { return h.ack != nil && h.ack.Writer == w.Entity && h.ack.State.Len() > 0 })
			if len(asked) != 1 || asked[0].ack.State.Base != 4 {
				t.Errorf("durable %v: asked %d times", durable, len(asked))
			}
			s.send(func(b *wire.Builder) { b.Data(dataOf(w, 4)) })
			if got := in.numbers(); !slices.Equal(got, []int{1, 2, 3, 4}) {
				t.Errorf("durable %v: delivered %v", durable, got)
			}
		})
	}
}

// TestReaderSendsNoNeedlessAckNack: without missing samples, a final heartbeat is not answered.
func TestReaderSendsNoNeedlessAckNack(t *testing.T) {
	withScripted(t, wire.VendorCyclone, func(s *scripted) {
		reader(t, s.p, reliable)
		w := s.endpoint(wire.KindWriter, reliable)
		s.heartbeat(w, 1, 0, true)
		time.Sleep(time.Second)
		s.heard(func(heard) bool { return false })
		for i := range 20 {
			s.send(func(b *wire.Builder) { b.Data(dataOf(w, 1+i)) })
			s.heartbeat(w, 1, 1+i, true)
		}
		time.Sleep(time.Second)
		if got := s.heard(func(h heard) bool { return h.ack != nil && h.ack.Writer == w.Entity }); len(got) != 0 {
			t.Errorf("%d ACKNACKs", len(got))
		}
	})
}

// TestVolatileReaderAndOldSamples: a transient-local writer would resend all samples to a volatile reader that requests
// them, so it must not; from a volatile writer it accepts everything from the first heartbeat on.
func TestVolatileReaderAndOldSamples(t *testing.T) {
	for _, c := range []struct {
		durability option
		base       wire.SequenceNumber
		want       []int
	}{
		{transientLocal, 11, []int{11, 12}},
		{reliable, 6, []int{6, 7, 8, 9, 10, 11, 12}},
	} {
		for _, early := range []bool{false, true} { // whether the first new sample arrives before the first heartbeat
			withScripted(t, wire.VendorCyclone, func(s *scripted) {
				_, in := reader(t, s.p, reliable)
				w := s.endpoint(wire.KindWriter, reliable, c.durability, keepAll)
				last := 10
				if early {
					s.send(func(b *wire.Builder) { b.Data(dataOf(w, 11)) })
					last = 11
				}
				s.heard(func(heard) bool { return false })
				s.heartbeat(w, 6, last, false)
				time.Sleep(20 * time.Millisecond)
				acks := s.heard(func(h heard) bool { return h.ack != nil && h.ack.Writer == w.Entity })
				if len(acks) != 1 || acks[0].ack.State.Base < c.base {
					t.Fatalf("early %v: %d answers, base %v", early, len(acks), acks)
				}
				for sn := 6; sn <= 12; sn++ {
					if acks[0].ack.State.Contains(wire.SequenceNumber(sn)) || sn > last {
						s.send(func(b *wire.Builder) { b.Data(dataOf(w, sn)) })
					}
				}
				if got := in.numbers(); !slices.Equal(got, c.want) {
					t.Errorf("early %v: delivered %v, want %v", early, got, c.want)
				}
			})
		}
	}
}

// TestForeignFragments: large samples as Cyclone DDS sends them, ten fragments of 1344 bytes a submessage with a
// HEARTBEAT_FRAG each, and as Fast DDS does, 65 kB fragments.
func TestForeignFragments(t *testing.T) {
	for name, c := range map[string]struct {
		size uint16
		per  int
	}{"Cyclone DDS": {1344, 10}, "Fast DDS": {65384, 1}, "ours": {1344, 1}} {
		for _, opt := range []option{bestEffort, reliable} {
			withScripted(t, wire.VendorCyclone, func(s *scripted) {
				_, in := reader(t, s.p, opt)
				w := s.endpoint(wire.KindWriter, reliable)
				s.heartbeat(w, 1, 0, true)
				var missing *wire.DataFrag
				for sn := range 3 {
					frags := pieces(w, sn+1, number(sn, imageSize/3), c.size, c.per)
					for i := range frags {
						if sn == 1 && i == len(frags)/2 {
							missing = &frags[i]
							continue
						}
						s.send(func(b *wire.Builder) {
							b.DataFrag(&frags[i])
							b.HeartbeatFrag(&wire.HeartbeatFrag{Writer: w.Entity, SN: frags[i].SN, Last: frags[i].Last(), Count: s.count()})
						})
					}
				}
				s.heard(func(heard) bool { return false })
				s.heartbeat(w, 1, 3, false)
				time.Sleep(50 * time.Millisecond)
				asked := s.heard(func(h heard) bool { return h.nackFrag != nil || h.ack != nil && h.ack.State.Len() > 0 })
				want := []int{0, 2}
				if s.reliable(opt) {
					want = []int{0, 1, 2}
					if len(asked) == 0 || asked[0].nackFrag == nil || asked[0].nackFrag.State.Base != missing.First || asked[0].nackFrag.State.Len() != int(missing.Count) {
						t.Fatalf("%s: asked %+v", name, asked)
					}
					s.send(func(b *wire.Builder) { b.DataFrag(missing) })
				} else if len(asked) != 0 {
					t.Errorf("%s: a best-effort reader asked", name)
				}
				synctest.Wait()
				if got := in.numbers(); !slices.Equal(got, want) {
					t.Fatalf("%s: delivered %v, want %v", name, got, want)
				}
				for i, sample := range in.all() {
					if !bytes.Equal(sample.Payload, number(want[i], imageSize/3)) {
						t.Errorf("%s: sample %d differs", name, i)
					}
				}
			})
		}
	}
}

// reliable reports whether an option makes the QoS reliable.
func (s *scripted) reliable(opt option) bool { return qos(opt).Reliability == wire.Reliable }

// pieces cuts a sample of the scripted writer into DATA_FRAGs.
func pieces(w wire.GUID, sn int, payload []byte, size uint16, per int) (list []wire.DataFrag) {
	total := int(wire.FragmentCount(uint32(len(payload)), size))
	for first := 1; first <= total; first += per {
		n := min(per, total-first+1)
		from := (first - 1) * int(size)
		list = append(list, wire.DataFrag{
			Writer: w.Entity, SN: wire.SequenceNumber(sn), First: wire.FragmentNumber(first), Count: uint16(n), FragmentSize: size,
			SampleSize: uint32(len(payload)), Payload: payload[from:min(from+n*int(size), len(payload))],
		})
	}
	return list
}

// TestDisposedSamples: a disposal of user data is ignored on a topic without a key, but uses a sequence number.
func TestDisposedSamples(t *testing.T) {
	withScripted(t, wire.VendorEProsima, func(s *scripted) {
		_, in := reader(t, s.p, reliable)
		w := s.endpoint(wire.KindWriter, reliable)
		s.heartbeat(w, 1, 0, true)
		q := wire.InlineQoS{Status: wire.StatusDisposed | wire.StatusUnregistered}
		s.send(func(b *wire.Builder) {
			b.Data(dataOf(w, 1))
			b.Data(&wire.Data{Writer: w.Entity, SN: 2, InlineQoS: q.List()})
			b.Data(&wire.Data{Writer: w.Entity, SN: 3, InlineQoS: q.List(), Kind: wire.PayloadKey, Payload: []byte{0, 1, 0, 0}})
			b.Data(dataOf(w, 4))
		})
		if got := in.numbers(); !slices.Equal(got, []int{1, 4}) {
			t.Errorf("delivered %v", got)
		}
	})
}

// TestSourceTime: the writer's time is passed on, or zero if it is absent.
func TestSourceTime(t *testing.T) {
	withScripted(t, wire.VendorEProsima, func(s *scripted) {
		_, in := reader(t, s.p, bestEffort)
		w := s.endpoint(wire.KindWriter, bestEffort)
		at := time.Unix(1_600_000_000, 123_456_789)
		s.send(func(b *wire.Builder) {
			b.Data(dataOf(w, 1))
			b.InfoTS(wire.TimeOf(at))
			b.Data(dataOf(w, 2))
		})
		got := in.all()
		if len(got) != 2 || !got[0].SourceTime.IsZero() || !got[1].SourceTime.Equal(at) || got[0].Vendor != wire.VendorOwn || got[0].SN != 1 || got[0].Writer != w {
			t.Errorf("%+v", got)
		}
	})
}

// TestBestEffortOrder: late and repeated samples are dropped.
func TestBestEffortOrder(t *testing.T) {
	withScripted(t, wire.VendorEProsima, func(s *scripted) {
		_, in := reader(t, s.p, bestEffort)
		w := s.endpoint(wire.KindWriter, reliable)
		for _, sn := range []int{5, 6, 6, 9, 8, 10} {
			s.send(func(b *wire.Builder) { b.Data(dataOf(w, sn)) })
		}
		if got := in.numbers(); !slices.Equal(got, []int{5, 6, 9, 10}) {
			t.Errorf("delivered %v", got)
		}
		if st := s.p.Stats(); st.SamplesLost != 2 || st.Duplicates != 2 {
			t.Errorf("%+v", st)
		}
	})
}
