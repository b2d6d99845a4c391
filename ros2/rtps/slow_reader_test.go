// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"errors"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// keptHistory is a transient-local, keep-all writer whose history of 1 MiB is full, with readers that have acknowledged
// all of it.
type keptHistory struct {
	t       *testing.T
	net     *vnet.Net
	w       *rtps.Writer
	p       *rtps.Participant
	healthy []*inbox
	written int
}

const (
	keptSize  = 7_500   // bytes of a sample
	keptBytes = 1 << 20 // of the history
)

func newKeptHistory(t *testing.T, readers int) *keptHistory {
	t.Helper()
	k := &keptHistory{t: t, net: vnet.New(vnet.Config{}), healthy: make([]*inbox, readers)}
	k.p = start(t, k.net.Host(1), func(c *rtps.Config) { c.Limits.HistoryBytes, c.RepairRate = keptBytes, 62_500 })
	k.w = writer(t, k.p, reliable, transientLocal, keepAll)
	for i := range k.healthy {
		_, k.healthy[i] = reader(t, start(t, k.net.Host(byte(10+i))), reliable, transientLocal, keepAll)
	}
	eventually(t, time.Second, "match", func() bool { return k.w.Matched() == len(k.healthy) })
	k.publish(2 * keptBytes / keptSize)
	return k
}

// publish writes 20 samples a second; no write may fail.
func (k *keptHistory) publish(n int) {
	k.t.Helper()
	for range n {
		write(k.t, k.w, number(k.written, keptSize))
		k.written++
		if held := k.p.Stats().HistoryBytes; held > keptBytes {
			k.t.Fatalf("%d bytes in the history", held)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// check asserts that the healthy readers have everything, and that the slow one got a rising sequence up to the last
// sample.
func (k *keptHistory) check(slow *inbox) {
	k.t.Helper()
	eventually(k.t, time.Minute, "the last sample", func() bool {
		got := slow.numbers()
		return len(got) > 0 && got[len(got)-1] == k.written-1
	})
	for i, in := range k.healthy {
		if got := in.numbers(); !slices.Equal(got, count(k.written)) {
			k.t.Errorf("healthy reader %d got %d of %d samples", i, len(got), k.written)
		}
	}
	if got := slow.numbers(); !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) {
		k.t.Errorf("the slow reader got %v", got)
	}
}

// TestLateReaderDoesNotStopKeepAllWriter: while a late reader is sent a full history, no write fails, no other reader
// loses a sample, memory stays bounded, and the late reader gets everything written after its match.
func TestLateReaderDoesNotStopKeepAllWriter(t *testing.T) {
	for readers := range 3 { // the late one may be alone
		synctest.Test(t, func(t *testing.T) {
			k := newKeptHistory(t, readers)
			_, late := reader(t, start(t, k.net.Host(20)), reliable, transientLocal, keepAll)
			eventually(t, time.Second, "match", func() bool { return k.w.Matched() == readers+1 })
			first := k.written
			k.publish(120)
			k.check(late)
			if got := late.numbers(); !slices.Equal(got[len(got)-k.written+first:], count(k.written)[first:]) {
				t.Errorf("%d readers: after its match, at sample %d, the late reader got %v", readers, first, got)
			}
		})
	}
}

// TestReturningReaderDoesNotStopKeepAllWriter: a reader that is unreachable, for less than the lease and for more,
// causes no lost sample at other readers and no failed write; when it is back it gets what the history still has and
// all that follows.
func TestReturningReaderDoesNotStopKeepAllWriter(t *testing.T) {
	for _, outage := range []int{15, 40} { // s
		synctest.Test(t, func(t *testing.T) {
			k := newKeptHistory(t, 2)
			_, in := reader(t, start(t, k.net.Host(20)), reliable, transientLocal, keepAll)
			eventually(t, time.Second, "match", func() bool { return k.w.Matched() == len(k.healthy)+1 })
			addr := netip.AddrFrom4([4]byte{10, 0, 0, 20})
			k.net.Cut(addr, true)
			k.publish(20 * outage)
			k.net.Cut(addr, false)
			k.publish(400)
			k.check(in)
			if lost := k.p.Stats().SamplesAbandoned; outage < 20 && lost == 0 {
				t.Error("no sample is counted as dropped for the slow reader")
			}
		})
	}
}

// TestOnlyReaderKeepsItsSamples: a sample that every reader lacks is never dropped; the write fails instead. One that
// another reader has acknowledged is kept for max_blocking_time.
func TestOnlyReaderKeepsItsSamples(t *testing.T) {
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
		refused := func() {
			t.Helper()
			if err := w.Write(number(10, 50)); !errors.Is(err, rtps.ErrFull) {
				t.Fatalf("error %v, want ErrFull", err)
			}
		}
		time.Sleep(5 * time.Second)
		refused()
		c := start(t, n.Host(3))
		_, other := reader(t, c, reliable)
		eventually(t, time.Second, "match", func() bool { return w.Matched() == 2 })
		time.Sleep(time.Second)
		for i := range 5 { // the second reader gets them, at the cost of the first
			write(t, w, number(10+i, 50))
		}
		time.Sleep(90 * time.Millisecond)
		for i := range 5 {
			write(t, w, number(15+i, 50))
		}
		refused() // the remaining ones were written within max_blocking_time
		time.Sleep(10 * time.Millisecond)
		write(t, w, number(20, 50))
		eventually(t, time.Second, "samples", func() bool { return slices.Equal(other.numbers(), count(21)[10:]) })
		n.Cut(n.Host(2).Addr(), false)
		eventually(t, 5*time.Second, "what is left", func() bool { return slices.Equal(in.numbers(), count(21)[11:]) })
	})
}
