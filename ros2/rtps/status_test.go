// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"fmt"
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

// statuses collects what an endpoint is told.
type statuses struct {
	mu   sync.Mutex
	list []rtps.StatusEvent
}

func (s *statuses) take(ev rtps.StatusEvent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, ev)
}

// of returns, and forgets, the events of a kind; those of other kinds stay.
func (s *statuses) of(kind rtps.StatusKind) (list []rtps.StatusEvent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = slices.DeleteFunc(s.list, func(ev rtps.StatusEvent) bool {
		if ev.Kind == kind {
			list = append(list, ev)
		}
		return ev.Kind == kind
	})
	return list
}

// lives returns the changes of liveliness since the last call, as "alive/not alive".
func (s *statuses) lives() (list []string) {
	for _, ev := range s.of(rtps.LivelinessChanged) {
		list = append(list, fmt.Sprintf("%d/%d", ev.Alive, ev.NotAlive))
	}
	return list
}

// told are a matched writer and reader with what they are told.
type told struct {
	w      *rtps.Writer
	r      *rtps.Reader
	in     inbox
	writer statuses
	reader statuses
}

// tell makes them, on participants that may be the same.
func tell(t *testing.T, a, b *rtps.Participant, name string, opts ...option) *told {
	t.Helper()
	s := &told{}
	var err error
	if s.w, err = a.NewWriter(rtps.WriterConfig{Topic: name, Type: typeName, QoS: qos(opts...), OnStatus: s.writer.take}); err != nil {
		t.Fatal(err)
	}
	if s.r, err = b.NewReader(rtps.ReaderConfig{
		Topic: name, Type: typeName, QoS: qos(opts...), OnSample: s.in.take, OnStatus: s.reader.take,
	}); err != nil {
		t.Fatal(err)
	}
	eventually(t, time.Second, "match", func() bool { return s.w.Matched() == 1 && s.r.Matched() == 1 })
	time.Sleep(time.Second) // greeted
	return s
}

func deadlineOf(d time.Duration) option { return func(q *wire.QoS) { q.Deadline = wire.DurationOf(d) } }

func livelinessOf(kind wire.LivelinessKind, lease time.Duration) option {
	return func(q *wire.QoS) { q.Liveliness, q.LivelinessLease = kind, wire.DurationOf(lease) }
}

// alone and twice run f with a pair of participants, and with one that is both.
func aloneAndTwice(t *testing.T, f func(t *testing.T, n *vnet.Net, a, b *rtps.Participant)) {
	t.Helper()
	for _, alone := range []bool{false, true} {
		t.Run(fmt.Sprintf("alone=%v", alone), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := vnet.New(vnet.Config{})
				a := start(t, n.Host(1))
				b := a
				if !alone {
					b = start(t, n.Host(2))
				}
				f(t, n, a, b)
			})
		})
	}
}

// TestDeadlines: as long as samples come in time nobody is told anything; then both sides are, once a period, until one comes again. Before the
// first sample there is no deadline.
func TestDeadlines(t *testing.T) {
	aloneAndTwice(t, func(t *testing.T, _ *vnet.Net, a, b *rtps.Participant) {
		s := tell(t, a, b, topic, reliable, deadlineOf(100*time.Millisecond))
		missed := func(when string, least, most int) {
			t.Helper()
			for _, list := range [][]rtps.StatusEvent{s.writer.of(rtps.OfferedDeadlineMissed), s.reader.of(rtps.RequestedDeadlineMissed)} {
				if len(list) < least || len(list) > most {
					t.Errorf("%s: missed %d times", when, len(list))
				}
				for i, ev := range list {
					if ev.Change != 1 || i > 0 && ev.Total != list[i-1].Total+1 {
						t.Errorf("%s: %+v", when, ev)
					}
				}
			}
		}
		time.Sleep(time.Second)
		missed("before the first", 0, 0)
		for i := range 20 {
			write(t, s.w, number(i, 20))
			time.Sleep(80 * time.Millisecond)
		}
		missed("in time", 0, 0)
		time.Sleep(time.Second)
		missed("silence", 9, 11)
		write(t, s.w, number(0, 20))
		time.Sleep(80 * time.Millisecond)
		missed("again", 0, 1)
		if err := s.w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := s.r.Close(); err != nil {
			t.Fatal(err)
		}
		s.writer.of(rtps.OfferedDeadlineMissed)
		s.reader.of(rtps.RequestedDeadlineMissed)
		time.Sleep(time.Second)
		missed("closed", 0, 0)
	})
}

// TestDeadlineOfTheReader: samples that are lost on the way are missed by the reader only.
func TestDeadlineOfTheReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, a, b := pair(t, vnet.Config{})
		s := tell(t, a, b, topic, bestEffort, deadlineOf(100*time.Millisecond))
		write(t, s.w, number(0, 20))
		time.Sleep(10 * time.Millisecond)
		n.Cut(n.Host(2).Addr(), true)
		for i := range 12 {
			write(t, s.w, number(i, 20))
			time.Sleep(80 * time.Millisecond)
		}
		if got := s.writer.of(rtps.OfferedDeadlineMissed); len(got) != 0 {
			t.Errorf("writer told %v", got)
		}
		if got := s.reader.of(rtps.RequestedDeadlineMissed); len(got) < 8 || len(got) > 9 {
			t.Errorf("reader told %d times", len(got))
		}
	})
}

// TestAutomaticLiveliness: a writer is alive as long as its participant is heard within the lease, and again when it is heard again.
func TestAutomaticLiveliness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, a, b := pair(t, vnet.Config{})
		s := tell(t, a, b, topic, bestEffort, livelinessOf(wire.LivelinessAutomatic, time.Second))
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

// TestManualLivelinessByTopic: samples and assertions keep a writer alive, reliable or not; without them both sides are told, once.
func TestManualLivelinessByTopic(t *testing.T) {
	for _, reliability := range []option{reliable, bestEffort} {
		aloneAndTwice(t, func(t *testing.T, _ *vnet.Net, a, b *rtps.Participant) {
			s := tell(t, a, b, topic, reliability, livelinessOf(wire.LivelinessManualByTopic, 4*time.Second))
			other := tell(t, a, b, "rt/other", livelinessOf(wire.LivelinessManualByTopic, 4*time.Second))
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
				t.Errorf("the other writer, which nobody asserts: %v", got)
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

// TestManualLivelinessByParticipant: what one such writer does, or an assertion of the participant, keeps all of them alive.
func TestManualLivelinessByParticipant(t *testing.T) {
	aloneAndTwice(t, func(t *testing.T, _ *vnet.Net, a, b *rtps.Participant) {
		lease := livelinessOf(wire.LivelinessManualByParticipant, 4*time.Second)
		first, second := tell(t, a, b, "rt/first", lease), tell(t, a, b, "rt/second", lease)
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
		for i, s := range []*told{first, second} {
			if got := s.reader.lives(); !slices.Equal(got, []string{"1/0"}) {
				t.Errorf("asserted, writer %d: %v", i, got)
			}
		}
		time.Sleep(10 * time.Second)
		write(t, first.w, number(0, 20))
		time.Sleep(time.Second)
		for i, s := range []*told{first, second} {
			if got := s.reader.lives(); !slices.Equal(got, []string{"0/1", "1/0"}) || len(s.writer.of(rtps.LivelinessLost)) != 1 {
				t.Errorf("silent, then one wrote, writer %d: %v", i, got)
			}
		}
	})
}

// TestLivelinessByHeartbeat: a HEARTBEAT with the liveliness flag asserts a writer of another stack, one without does not.
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

// TestAssertionOnTheWire: by topic it is a HEARTBEAT with the flag, final, to every reader; by participant a message of the built-in topic of the
// second kind.
func TestAssertionOnTheWire(t *testing.T) {
	withScripted(t, wire.VendorCyclone, func(s *scripted) {
		w := writer(t, s.p, bestEffort, livelinessOf(wire.LivelinessManualByTopic, time.Second))
		s.endpoint(wire.KindReader, bestEffort)
		s.greet(wire.EntityParticipantMessageReader, wire.EntityParticipantMessageWriter)
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

// TestSampleLost: a reader is told of what will never come: skipped by best effort, or gone from a reliable history.
func TestSampleLost(t *testing.T) {
	for _, reliability := range []option{reliable, bestEffort} {
		synctest.Test(t, func(t *testing.T) {
			n, a, b := pair(t, vnet.Config{})
			s := tell(t, a, b, topic, reliability, depth(3))
			write(t, s.w, number(0, 20))
			time.Sleep(100 * time.Millisecond)
			n.Cut(n.Host(2).Addr(), true)
			for i := range 10 {
				write(t, s.w, number(1+i, 20))
			}
			time.Sleep(10 * time.Millisecond)
			n.Cut(n.Host(2).Addr(), false)
			write(t, s.w, number(11, 20))
			time.Sleep(5 * time.Second)
			total := 0
			for _, ev := range s.reader.of(rtps.SampleLost) {
				if total += ev.Change; ev.Total != total || ev.Remote != s.w.GUID() {
					t.Errorf("%+v", ev)
				}
			}
			if want := 12 - len(s.in.all()); total != want || total < 8 {
				t.Errorf("told of %d lost, %d are", total, want)
			}
		})
	}
}

// TestStatusDoesNotPileUp: a user function that does not return is not told of every period later.
func TestStatusDoesNotPileUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{})
		p := start(t, n.Host(1))
		var w *rtps.Writer
		var st statuses
		first := true
		var err error
		w, err = p.NewWriter(rtps.WriterConfig{
			Topic: topic, Type: typeName, QoS: qos(deadlineOf(time.Millisecond)), OnStatus: func(ev rtps.StatusEvent) {
				if first {
					first = false
					time.Sleep(20 * time.Second)
				}
				st.take(ev)
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		write(t, w, number(0, 20))
		time.Sleep(30 * time.Second)
		total := 0
		list := st.of(rtps.OfferedDeadlineMissed)
		for _, ev := range list {
			total += ev.Change
		}
		if total < 9000 || total != list[len(list)-1].Total {
			t.Errorf("%d events of %d periods", len(list), total)
		}
	})
}

// TestIdleEndpointsCostNoTimers: endpoints without a period to supervise wait for no point in time, those with one for one each.
func TestIdleEndpointsCostNoTimers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, a, b := pair(t, vnet.Config{})
		time.Sleep(10 * time.Second)
		before := rtps.Alarms(a) + rtps.Alarms(b)
		for i := range 200 {
			tell(t, a, b, fmt.Sprint("rt/t", i), reliable)
		}
		time.Sleep(10 * time.Second)
		if n := rtps.Alarms(a) + rtps.Alarms(b); n != before {
			t.Errorf("%d alarms before, %d with 400 idle endpoints", before, n)
		}
		s := tell(t, a, b, "rt/supervised", reliable, deadlineOf(time.Second), livelinessOf(wire.LivelinessManualByTopic, time.Second))
		write(t, s.w, number(0, 20))
		time.Sleep(500 * time.Millisecond)
		if n := rtps.Alarms(a) + rtps.Alarms(b); n > before+5 {
			t.Errorf("%d alarms before, %d with one supervised pair", before, n)
		}
	})
}

// TestForgedAssertions: a message that names another participant asserts nobody.
func TestForgedAssertions(t *testing.T) {
	underAttack(t, func(a *attacker) {
		s := tell(t, a.peer, a.victim, "rt/manual", livelinessOf(wire.LivelinessManualByParticipant, time.Second))
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
