// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// TestLateJoiners: which of five samples written before its match, and of two after, a reader receives.
func TestLateJoiners(t *testing.T) {
	for _, c := range []struct {
		name           string
		writer, reader []option
		want           []int
	}{
		{"transient local, depth 1", []option{reliable, transientLocal, depth(1)}, []option{reliable, transientLocal}, []int{4, 5, 6}},
		{"transient local, depth 3", []option{reliable, transientLocal, depth(3)}, []option{reliable, transientLocal}, []int{2, 3, 4, 5, 6}},
		{"transient local, keep all", []option{reliable, transientLocal, keepAll}, []option{reliable, transientLocal}, count(7)},
		{"volatile reader", []option{reliable, transientLocal, keepAll}, []option{reliable}, []int{5, 6}},
		{"best-effort reader", []option{reliable, transientLocal, keepAll}, []option{bestEffort, transientLocal}, []int{5, 6}},
		{"volatile", []option{reliable, depth(10)}, []option{reliable}, []int{5, 6}},
		{"best effort", []option{bestEffort, depth(10)}, []option{bestEffort}, []int{5, 6}},
	} {
		// with and without another reader that keeps samples unacknowledged for a while
		for _, early := range []bool{false, true} {
			t.Run(c.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					n, a, b := pair(t, vnet.Config{})
					w := writer(t, a, c.writer...)
					if early {
						reader(t, start(t, n.Host(3)), c.reader...)
						eventually(t, time.Second, "early match", func() bool { return w.Matched() == 1 })
					}
					for i := range 5 {
						write(t, w, number(i, 100))
					}
					before := w.Matched()
					r, in := reader(t, b, c.reader...)
					eventually(t, time.Second, "match", func() bool { return w.Matched() == before+1 && r.Matched() == 1 })
					time.Sleep(time.Second) // depth 1: the old sample must arrive before the next replaces it
					for i := range 2 {
						write(t, w, number(5+i, 100))
					}
					time.Sleep(5 * time.Second)
					if got := in.numbers(); !slices.Equal(got, c.want) {
						t.Errorf("got %v, want %v", got, c.want)
					}
				})
			})
		}
	}
}

// TestKeepLastNeverBlocks: a writer with an unreachable reader drops old samples and never blocks.
func TestKeepLastNeverBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, a, b := pair(t, vnet.Config{})
		w := writer(t, a, reliable, depth(4))
		_, in := reader(t, b, reliable)
		eventually(t, time.Second, "match", func() bool { return w.Matched() == 1 })
		write(t, w, number(0, 50))
		eventually(t, time.Second, "first", func() bool { return len(in.all()) == 1 })
		n.Cut(n.Host(2).Addr(), true)
		begin := time.Now()
		for i := range 100 {
			write(t, w, number(1+i, 50))
		}
		if d := time.Since(begin); d != 0 {
			t.Errorf("writing took %v", d)
		}
		time.Sleep(5 * time.Second)
		n.Cut(n.Host(2).Addr(), false)
		eventually(t, 5*time.Second, "the last four", func() bool { return len(in.all()) == 5 })
		if got := in.numbers(); !slices.Equal(got, []int{0, 97, 98, 99, 100}) {
			t.Errorf("got %v", got)
		}
		if s := b.Stats(); s.SamplesLost != 96 {
			t.Errorf("lost %d", s.SamplesLost)
		}
	})
}

// TestFullKeepAllHistoryIsAnError: a write to a full history fails at once, and no sample is lost.
func TestFullKeepAllHistoryIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, a, b := pair(t, vnet.Config{})
		w, err := a.NewWriter(rtps.WriterConfig{Topic: topic, Type: typeName, QoS: qos(reliable, keepAll), MaxSamples: 10})
		if err != nil {
			t.Fatal(err)
		}
		_, in := reader(t, b, reliable)
		eventually(t, time.Second, "match", func() bool { return w.Matched() == 1 })
		n.Cut(n.Host(2).Addr(), true)
		for i := range 10 {
			write(t, w, number(i, 50))
		}
		if err := w.Write(number(10, 50)); !errors.Is(err, rtps.ErrFull) {
			t.Fatalf("error %v, want ErrFull", err)
		}
		n.Cut(n.Host(2).Addr(), false)
		eventually(t, 5*time.Second, "all ten", func() bool { return len(in.all()) == 10 })
		time.Sleep(time.Second)
		write(t, w, number(10, 50))
		eventually(t, time.Second, "one more", func() bool { return len(in.all()) == 11 })
		if got := in.numbers(); !slices.Equal(got, count(11)) {
			t.Errorf("got %v", got)
		}
	})
}

// TestLifespan: a late reader does not get expired samples.
func TestLifespan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, a, b := pair(t, vnet.Config{})
		q := qos(reliable, transientLocal, depth(10))
		q.Lifespan = 10 << 32
		w, err := a.NewWriter(rtps.WriterConfig{Topic: topic, Type: typeName, QoS: q})
		if err != nil {
			t.Fatal(err)
		}
		write(t, w, number(0, 50))
		time.Sleep(8 * time.Second)
		write(t, w, number(1, 50))
		time.Sleep(4 * time.Second)
		_, in := reader(t, b, reliable, transientLocal)
		time.Sleep(time.Second)
		write(t, w, number(2, 50))
		time.Sleep(time.Second)
		if got := in.numbers(); !slices.Equal(got, []int{1, 2}) {
			t.Errorf("got %v", got)
		}
	})
}

// TestLateJoinerRequestsAtOnce: samples written before the match are sent only on request, so the reader requests them
// without the usual delay.
func TestLateJoinerRequestsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{})
		a, b := start(t, n.Host(1)), start(t, n.Host(2))
		w := writer(t, a, reliable, transientLocal, depth(3))
		for i := range 3 {
			write(t, w, number(i, 20))
		}
		time.Sleep(5 * time.Second)
		_, in := reader(t, b, reliable, transientLocal, depth(3))
		time.Sleep(5 * time.Millisecond)
		synctest.Wait()
		if got := len(in.all()); got != 3 {
			t.Errorf("%d samples, want 3", got)
		}
	})
}
