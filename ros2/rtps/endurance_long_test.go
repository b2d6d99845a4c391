// SPDX-License-Identifier: Apache-2.0

//go:build long

package rtps_test

import (
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// TestParticipantLimit: as many participants as the limit allows discover each other and all endpoints; one more is
// rejected by those at the limit, and disturbs none.
func TestParticipantLimit(t *testing.T) {
	if !suite.Long {
		t.Skip("4,000 pairs of participants take some seconds")
	}
	synctest.Test(t, func(t *testing.T) {
		const most = 65 // a participant and the 64 remote ones it allows
		n := vnet.New(vnet.Config{Seed: 4, Loss: 0.01, Reorder: 0.05})
		var all []*rtps.Participant
		var writers []*rtps.Writer
		var boxes []*inbox
		for i := range most {
			p := start(t, n.Host(byte(1+i/4)), func(c *rtps.Config) { c.Limits.Participants = most - 1 })
			all = append(all, p)
			if i%8 == 0 {
				writers = append(writers, writer(t, p, reliable, transientLocal))
			}
			_, in := reader(t, p, reliable, transientLocal)
			boxes = append(boxes, in)
			time.Sleep(50 * time.Millisecond)
		}
		eventually(t, 30*time.Second, "everybody knows everybody", func() bool {
			return !slices.ContainsFunc(all, func(p *rtps.Participant) bool { return len(p.Participants()) != most-1 }) &&
				!slices.ContainsFunc(writers, func(w *rtps.Writer) bool { return w.Matched() != most })
		})
		extra := start(t, n.Host(200))
		for i, w := range writers {
			write(t, w, number(i, 100))
		}
		eventually(t, 10*time.Second, "all samples", func() bool {
			return !slices.ContainsFunc(boxes, func(b *inbox) bool { return len(b.all()) != len(writers) })
		})
		if s := all[0].Stats(); s.RefusedParticipants == 0 || s.Participants != most-1 {
			t.Errorf("%+v", s)
		}
		extra.Close()
	})
}

// TestDayOnLossyNetwork: a day of a sample every two seconds on a slightly bad network. Nothing is lost, and neither
// memory nor traffic grows.
func TestDayOnLossyNetwork(t *testing.T) {
	if !suite.Long {
		t.Skip("a day takes some seconds")
	}
	synctest.Test(t, func(t *testing.T) {
		_, a, b := pair(t, vnet.Config{Seed: 6, Loss: 0.01, Reorder: 0.01})
		w := writer(t, a, reliable, depth(20))
		seen, wrong := 0, 0
		_, err := b.NewReader(rtps.ReaderConfig{Topic: topic, Type: typeName, QoS: qos(reliable), OnSample: func(s *rtps.Sample) {
			if int(s.SN) != seen+1 {
				wrong++
			}
			seen++
		}})
		if err != nil {
			t.Fatal(err)
		}
		eventually(t, 5*time.Second, "match", func() bool { return w.Matched() == 1 })
		payload := number(1, 200)
		samples, hour, early := 0, uint64(0), uint64(0)
		for h := range 24 {
			before := a.Stats().BytesSent
			for range 1800 {
				write(t, w, payload)
				samples++
				time.Sleep(2 * time.Second)
			}
			if hour = a.Stats().BytesSent - before; h == 1 {
				early = hour
			}
		}
		synctest.Wait()
		if seen != samples || wrong != 0 {
			t.Errorf("%d of %d samples, %d out of order", seen, samples, wrong)
		}
		if hour > early*11/10 {
			t.Errorf("%d bytes sent in the last hour, %d in the second", hour, early)
		}
		var m runtime.MemStats
		runtime.GC()
		if runtime.ReadMemStats(&m); m.HeapAlloc > 64<<20 {
			t.Errorf("%d bytes of heap", m.HeapAlloc)
		}
		for _, p := range []*rtps.Participant{a, b} {
			if s := p.Stats(); s.LeasesExpired != 0 || s.HeldBytes != 0 || s.SamplesLost != 0 {
				t.Errorf("%+v", s)
			}
		}
	})
}
