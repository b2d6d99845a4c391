// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

func deadlineOf(d time.Duration) option { return func(q *wire.QoS) { q.Deadline = wire.DurationOf(d) } }

// TestDeadlines: while samples are on time neither side gets an event; afterwards both do, once per period, until the
// next sample. Before the first sample there is no deadline.
func TestDeadlines(t *testing.T) {
	aloneAndTwice(t, func(t *testing.T, _ *vnet.Net, a, b *rtps.Participant) {
		s := newSupervisedPair(t, a, b, topic, reliable, deadlineOf(100*time.Millisecond))
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

// TestDeadlineOfTheReader: samples lost in the network count as missed for the reader only.
func TestDeadlineOfTheReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, a, b := pair(t, vnet.Config{})
		s := newSupervisedPair(t, a, b, topic, bestEffort, deadlineOf(100*time.Millisecond))
		write(t, s.w, number(0, 20))
		time.Sleep(10 * time.Millisecond)
		n.Cut(n.Host(2).Addr(), true)
		for i := range 12 {
			write(t, s.w, number(i, 20))
			time.Sleep(80 * time.Millisecond)
		}
		if got := s.writer.of(rtps.OfferedDeadlineMissed); len(got) != 0 {
			t.Errorf("writer's events: %v", got)
		}
		if got := s.reader.of(rtps.RequestedDeadlineMissed); len(got) < 8 || len(got) > 9 {
			t.Errorf("reader got %d events", len(got))
		}
	})
}
