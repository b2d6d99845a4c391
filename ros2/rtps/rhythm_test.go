// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// A periodic writer's samples are acknowledged twice a second, as for one that writes more often, and all arrive; when
// it stops, an acknowledgment of the last ones is requested.
func TestPeriodicWriterIsNotAcknowledgedPerSample(t *testing.T) {
	for _, c := range []struct {
		gap     []time.Duration // in turn
		answers int             // at most, in ten seconds
	}{
		{[]time.Duration{125 * time.Millisecond}, 25},
		{[]time.Duration{100 * time.Millisecond, 150 * time.Millisecond}, 25},
		{[]time.Duration{50 * time.Millisecond}, 25},
		{[]time.Duration{time.Second}, 15},
	} {
		synctest.Test(t, func(t *testing.T) {
			n := vnet.New(vnet.Config{})
			a, b := start(t, n.Host(1)), start(t, n.Host(2))
			w := writer(t, a, reliable, depth(10))
			_, in := reader(t, b, reliable, depth(10))
			eventually(t, time.Second, "match", func() bool { return w.Matched() == 1 })
			write(t, w, number(0, 100))
			eventually(t, time.Second, "the first sample", func() bool { return len(in.all()) == 1 })
			time.Sleep(time.Second)
			before, samples := a.Stats().DatagramsReceived, 1
			for end := time.Now().Add(10 * time.Second); time.Now().Before(end); samples++ {
				write(t, w, number(samples, 100))
				time.Sleep(c.gap[samples%len(c.gap)])
				if got := len(in.all()); got != samples+1 {
					t.Fatalf("every %v: %d of %d samples arrived", c.gap, got, samples+1)
				}
			}
			answers := int(a.Stats().DatagramsReceived-before) - 10 // the peer's announcements
			if answers > c.answers {
				t.Errorf("every %v: %d answers in ten seconds, want at most %d", c.gap, answers, c.answers)
			}
		})
	}
}

// The last sample of a periodic writer is repaired, too, soon after the next one would have been due.
func TestLastPeriodicSampleIsRepaired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{})
		h := &stalledHost{Host: n.Host(1), release: make(chan struct{})}
		a, b := start(t, h), start(t, n.Host(2))
		w := writer(t, a, reliable, depth(10))
		_, in := reader(t, b, reliable, depth(10))
		eventually(t, time.Second, "match", func() bool { return w.Matched() == 1 })
		for i := range 20 {
			write(t, w, number(i, 100))
			time.Sleep(125 * time.Millisecond)
		}
		h.lose.Store(true)
		write(t, w, number(20, 100))
		h.lose.Store(false)
		eventually(t, 300*time.Millisecond, "the last sample", func() bool { return len(in.all()) == 21 })
	})
}
