// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// statuses collects the status events of an endpoint.
type statuses struct {
	mu   sync.Mutex
	list []rtps.StatusEvent
}

func (s *statuses) take(ev rtps.StatusEvent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, ev)
}

// of returns and deletes the events of one kind.
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

// supervisedPair is a matched writer and reader with their status events.
type supervisedPair struct {
	w      *rtps.Writer
	r      *rtps.Reader
	in     inbox
	writer statuses
	reader statuses
}

// newSupervisedPair creates a pair, on participants that may be the same.
func newSupervisedPair(t *testing.T, a, b *rtps.Participant, name string, opts ...option) *supervisedPair {
	t.Helper()
	s := &supervisedPair{}
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
	time.Sleep(time.Second) // first heartbeats are answered
	return s
}

// aloneAndTwice runs f with a pair of participants, and with one participant as both.
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

// TestSampleLost: a reader's events count samples that will not arrive: skipped by best effort, or removed from a
// reliable history.
func TestSampleLost(t *testing.T) {
	for _, reliability := range []option{reliable, bestEffort} {
		synctest.Test(t, func(t *testing.T) {
			n, a, b := pair(t, vnet.Config{})
			s := newSupervisedPair(t, a, b, topic, reliability, depth(3))
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
				t.Errorf("supervisedPair of %d lost, %d are", total, want)
			}
		})
	}
}

// TestStatusEventsAreCombined: after a user function has blocked, the periods missed meanwhile are reported in one
// event.
func TestStatusEventsAreCombined(t *testing.T) {
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

// TestIdleEndpointsCostNoTimers: endpoints without a period to supervise have no alarm, those with one have one each.
func TestIdleEndpointsCostNoTimers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, a, b := pair(t, vnet.Config{})
		time.Sleep(10 * time.Second)
		before := rtps.Alarms(a) + rtps.Alarms(b)
		for i := range 200 {
			newSupervisedPair(t, a, b, fmt.Sprint("rt/t", i), reliable)
		}
		time.Sleep(10 * time.Second)
		if n := rtps.Alarms(a) + rtps.Alarms(b); n != before {
			t.Errorf("%d alarms before, %d with 400 idle endpoints", before, n)
		}
		s := newSupervisedPair(t, a, b, "rt/supervised", reliable, deadlineOf(time.Second), livelinessOf(wire.LivelinessManualByTopic, time.Second))
		write(t, s.w, number(0, 20))
		time.Sleep(500 * time.Millisecond)
		if n := rtps.Alarms(a) + rtps.Alarms(b); n > before+5 {
			t.Errorf("%d alarms before, %d with one supervised pair", before, n)
		}
	})
}
