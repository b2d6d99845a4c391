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

// lives returns the liveliness changes since the last call, as "alive/not alive".
func (s *statuses) lives() (list []string) {
	for _, ev := range s.of(rtps.LivelinessChanged) {
		list = append(list, fmt.Sprintf("%d/%d", ev.Alive, ev.NotAlive))
	}
	return list
}

func livelinessOf(kind wire.LivelinessKind, lease time.Duration) option {
	return func(q *wire.QoS) { q.Liveliness, q.LivelinessLease = kind, wire.DurationOf(lease) }
}

// TestAutomaticLiveliness: a writer is alive while messages of its participant arrive within the lease, and again when
// they resume.
func TestAutomaticLiveliness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, a, b := pair(t, vnet.Config{})
		s := newSupervisedPair(t, a, b, topic, bestEffort, livelinessOf(wire.LivelinessAutomatic, time.Second))
		time.Sleep(30 * time.Second) // three assertions a lease, and nothing else but announcements
		if got := s.reader.lives(); !slices.Equal(got, []string{"1/0"}) {
			t.Errorf("alive %v", got)
		}
		n.Cut(n.Host(1).Addr(), true)
		time.Sleep(2 * time.Second)
		if got := s.reader.lives(); !slices.Equal(got, []string{"0/1"}) {
			t.Errorf("unplugged %v", got)
		}
		n.Cut(n.Host(1).Addr(), false)
		time.Sleep(time.Second)
		if got := s.reader.lives(); !slices.Equal(got, []string{"1/0"}) {
			t.Errorf("plugged in again %v", got)
		}
		n.Cut(n.Host(1).Addr(), true)
		time.Sleep(60 * time.Second) // the participant's lease
		if got := s.reader.lives(); !slices.Equal(got, []string{"0/1", "0/0"}) || s.r.Matched() != 0 {
			t.Errorf("gone %v", got)
		}
		if got := s.writer.of(rtps.LivelinessLost); len(got) != 0 {
			t.Errorf("automatic liveliness lost: %v", got)
		}
	})
}

// TestManualLivelinessByTopic: samples and assertions keep a writer alive, reliable or not; without them both sides get
// one event.
func TestManualLivelinessByTopic(t *testing.T) {
	for _, reliability := range []option{reliable, bestEffort} {
		aloneAndTwice(t, func(t *testing.T, _ *vnet.Net, a, b *rtps.Participant) {
			s := newSupervisedPair(t, a, b, topic, reliability, livelinessOf(wire.LivelinessManualByTopic, 4*time.Second))
			other := newSupervisedPair(t, a, b, "rt/other", livelinessOf(wire.LivelinessManualByTopic, 4*time.Second))
			for i := range 20 {
				if i%2 == 0 {
					write(t, s.w, number(i, 20))
				} else if err := s.w.AssertLiveliness(); err != nil {
					t.Fatal(err)
				}
				time.Sleep(3 * time.Second)
			}
			if got := s.reader.lives(); !slices.Equal(got, []string{"1/0"}) || len(s.writer.of(rtps.LivelinessLost)) != 0 {
				t.Errorf("asserted: %v", got)
			}
			if got := other.reader.lives(); !slices.Equal(got, []string{"1/0", "0/1"}) {
				t.Errorf("the other writer, which is not asserted: %v", got)
			}
			time.Sleep(30 * time.Second)
			lost := s.writer.of(rtps.LivelinessLost)
			if got := s.reader.lives(); !slices.Equal(got, []string{"0/1"}) || len(lost) != 1 || lost[0].Total != 1 || lost[0].Local != s.w.GUID() {
				t.Errorf("silent: %v, %+v", got, lost)
			}
			if err := s.w.AssertLiveliness(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			if got := s.reader.lives(); !slices.Equal(got, []string{"1/0"}) {
				t.Errorf("asserted again: %v", got)
			}
			time.Sleep(5 * time.Second)
			write(t, s.w, number(0, 20))
			time.Sleep(100 * time.Millisecond)
			if err := s.w.Close(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			if got := s.reader.lives(); !slices.Equal(got, []string{"0/1", "1/0", "0/0"}) {
				t.Errorf("silent, written, closed: %v", got)
			}
			if err := s.w.AssertLiveliness(); err == nil {
				t.Error("a closed writer asserts")
			}
		})
	}
}

// TestManualLivelinessByParticipant: a write by one such writer, or an assertion of the participant, keeps all of them
// alive.
func TestManualLivelinessByParticipant(t *testing.T) {
	aloneAndTwice(t, func(t *testing.T, _ *vnet.Net, a, b *rtps.Participant) {
		lease := livelinessOf(wire.LivelinessManualByParticipant, 4*time.Second)
		first, second := newSupervisedPair(t, a, b, "rt/first", lease), newSupervisedPair(t, a, b, "rt/second", lease)
		for i := range 30 {
			switch i % 3 {
			case 0:
				write(t, first.w, number(i, 20))
			case 1:
				a.AssertLiveliness()
			default:
				if err := second.w.AssertLiveliness(); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(time.Second)
		}
		for i, s := range []*supervisedPair{first, second} {
			if got := s.reader.lives(); !slices.Equal(got, []string{"1/0"}) {
				t.Errorf("asserted, writer %d: %v", i, got)
			}
		}
		time.Sleep(10 * time.Second)
		write(t, first.w, number(0, 20))
		time.Sleep(time.Second)
		for i, s := range []*supervisedPair{first, second} {
			if got := s.reader.lives(); !slices.Equal(got, []string{"0/1", "1/0"}) || len(s.writer.of(rtps.LivelinessLost)) != 1 {
				t.Errorf("silent, then one wrote, writer %d: %v", i, got)
			}
		}
	})
}

// TestLivelinessByHeartbeat: a HEARTBEAT with the liveliness flag asserts a remote writer, one without does not.
func TestLivelinessByHeartbeat(t *testing.T) {
	withScripted(t, wire.VendorEProsima, func(s *scripted) {
		var st statuses
		opts := []option{bestEffort, livelinessOf(wire.LivelinessManualByTopic, time.Second)}
		if _, err := s.p.NewReader(rtps.ReaderConfig{Topic: topic, Type: typeName, QoS: qos(opts...), OnStatus: st.take}); err != nil {
			t.Fatal(err)
		}
		w := s.endpoint(wire.KindWriter, opts...)
		for _, flag := range []bool{true, false} {
			for range 20 {
				s.send(func(b *wire.Builder) {
					b.Heartbeat(&wire.Heartbeat{Writer: w.Entity, First: 1, Last: 0, Count: s.count(), Final: true, Liveliness: flag})
				})
				time.Sleep(500 * time.Millisecond)
			}
			if got, want := st.lives(), map[bool][]string{true: {"1/0"}, false: {"0/1"}}[flag]; !slices.Equal(got, want) {
				t.Errorf("flag %v: %v, want %v", flag, got, want)
			}
		}
	})
}

// TestAssertionOnTheWire: by topic, it is a final HEARTBEAT with the flag to every reader; by participant, a message of
// the second kind on the built-in topic.
func TestAssertionOnTheWire(t *testing.T) {
	withScripted(t, wire.VendorCyclone, func(s *scripted) {
		w := writer(t, s.p, bestEffort, livelinessOf(wire.LivelinessManualByTopic, time.Second))
		s.endpoint(wire.KindReader, bestEffort)
		s.answer(wire.EntityParticipantMessageReader, wire.EntityParticipantMessageWriter)
		if _, err := s.p.NewWriter(rtps.WriterConfig{
			Topic: "rt/p", Type: typeName, QoS: qos(livelinessOf(wire.LivelinessManualByParticipant, time.Second)),
		}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(500 * time.Millisecond)
		s.heard(func(heard) bool { return false })
		if err := w.AssertLiveliness(); err != nil {
			t.Fatal(err)
		}
		for range 100 {
			s.p.AssertLiveliness()
		}
		time.Sleep(10 * time.Millisecond)
		var flags, messages int
		for _, h := range s.heard(func(heard) bool { return true }) {
			if h.heartbeat != nil && h.heartbeat.Liveliness && h.heartbeat.Final && h.heartbeat.Writer == w.GUID().Entity {
				flags++
			}
			if h.data != nil && h.data.Writer == wire.EntityParticipantMessageWriter {
				if m, err := wire.DecodeParticipantMessage(h.data.Payload); err != nil || m.Kind != wire.LivelinessUpdateManual {
					t.Errorf("%+v, %v", m, err)
				}
				messages++
			}
		}
		if flags != 1 || messages != 1 {
			t.Errorf("%d heartbeats, %d messages", flags, messages)
		}
	})
}

// TestForgedAssertions: a message that names another participant asserts none.
func TestForgedAssertions(t *testing.T) {
	underAttack(t, func(a *attacker) {
		s := newSupervisedPair(t, a.peer, a.victim, "rt/manual", livelinessOf(wire.LivelinessManualByParticipant, time.Second))
		src := randomPrefix()
		a.announce(netip.MustParseAddrPort("10.0.0.67:7410"), src, nil, "10.0.0.67:7410")
		m := wire.ParticipantMessageData{Prefix: a.peer.GUID().Prefix, Kind: wire.LivelinessUpdateManual}
		for i := range 20 {
			a.forge(netip.MustParseAddrPort("10.0.0.67:7410"), src, func(b *wire.Builder) {
				b.Data(&wire.Data{
					Writer: wire.EntityParticipantMessageWriter, SN: wire.SequenceNumber(1 + i), Kind: wire.PayloadData, Payload: m.AppendPayload(nil),
				})
			})
			time.Sleep(200 * time.Millisecond)
		}
		if got := s.reader.lives(); !slices.Equal(got, []string{"1/0", "0/1"}) {
			t.Errorf("alive %v", got)
		}
	})
}
