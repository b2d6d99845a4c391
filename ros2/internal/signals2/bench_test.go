// SPDX-License-Identifier: Apache-2.0

//go:build peers

package signals2

import (
	"fmt"
	"testing"
	"time"
)

// All three deliver every message, on one thread and on several.
func TestEveryMessageArrives(t *testing.T) {
	for _, c := range []cell{
		{10, 1000, 1, false, false}, {10, 1000, 4, true, false}, {100, 100, 2, false, false}, {10, 100, 1, true, false},
		{10, 1000, 1, false, true}, {10, 1000, 4, true, true}, {100, 100, 2, false, true}, {10, 100, 1, true, true},
	} {
		o, p := newOurs(t, c), startPeer(t, c)
		o.round(t, c)
		channels(t, c)
		p.round(t, c)
	}
}

// BenchmarkInProcess measures messages alone, to subscriptions of which one runs at a time; Informed: with their time
// and sequence number; Concurrent: to concurrent subscriptions, as Boost's slots are.
func BenchmarkInProcess(b *testing.B) { all(b, cell{}) }

func BenchmarkInProcessInformed(b *testing.B) { all(b, cell{informed: true}) }

func BenchmarkInProcessConcurrent(b *testing.B) { all(b, cell{concurrent: true}) }

func BenchmarkInProcessConcurrentInformed(b *testing.B) {
	all(b, cell{informed: true, concurrent: true})
}

// all reports the nanoseconds of a delivery, one message to one receiver, the best of all rounds for each contender,
// and how many times as long the others take. One round is ours, theirs, and channels, in sequence; on one thread also
// the floor of Go, on several also ours on one thread: growth is how many times as many deliveries a second several
// threads make, and for informed concurrent subscriptions that of the floor with a counter that the threads share.
func all(b *testing.B, c cell) {
	for _, c.threads = range []int{1, 2, 4} {
		for _, c.receivers = range []int{10, 100, 1000} {
			for _, c.messages = range []int{100, 1000, 10_000, 100_000} {
				b.Run(fmt.Sprintf("%dx%d/threads=%d", c.receivers, c.messages, c.threads), func(b *testing.B) { compare(b, c) })
			}
		}
	}
}

func compare(b *testing.B, c cell) {
	o, p, f := newOurs(b, c), startPeer(b, c), newFloor(c)
	time.Sleep(1100 * time.Millisecond) // until the publisher has detected that there is no other subscription
	best := map[string]time.Duration{}
	measure := func(name string, took time.Duration) {
		if before, ok := best[name]; !ok || took < before {
			best[name] = took
		}
	}
	alone := c
	alone.threads = 1
	rounds := 0
	for b.Loop() {
		measure("ours", o.round(b, c))
		measure("signals2", p.round(b, c))
		switch {
		case c.threads == 1:
			measure("floor", f.round(b, c))
		case c.concurrent:
			measure("alone", o.round(b, alone))
			if c.informed {
				measure("numbered", f.numbered(b, c))
				measure("numbered alone", f.numbered(b, alone))
			}
		}
		if rounds == 0 || c.deliveries() <= 1_000_000 { // they take long
			measure("channel", channels(b, c))
		}
		rounds++
	}
	each := func(name string) float64 { return float64(best[name]) / float64(c.deliveries()) }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(each("ours"), "ns/delivery")
	b.ReportMetric(each("signals2"), "signals2-ns")
	b.ReportMetric(each("channel"), "channel-ns")
	b.ReportMetric(each("signals2")/each("ours"), "signals2/ours")
	b.ReportMetric(each("channel")/each("ours"), "channel/ours")
	if best["floor"] > 0 {
		b.ReportMetric(each("ours")/each("floor"), "ours/floor")
	}
	if best["alone"] > 0 {
		b.ReportMetric(each("alone")/each("ours"), "growth")
	}
	if best["numbered"] > 0 {
		b.ReportMetric(each("numbered alone")/each("numbered"), "floor-growth")
		b.ReportMetric(each("ours")/each("numbered"), "ours/floor")
	}
}
