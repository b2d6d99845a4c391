// SPDX-License-Identifier: Apache-2.0

package signals2

import (
	"fmt"
	"testing"
	"time"
)

// All three deliver every message, on one thread and on several.
func TestEveryMessageArrives(t *testing.T) {
	for _, c := range []cell{{10, 1000, 1, false}, {10, 1000, 4, true}, {100, 100, 2, false}, {10, 100, 1, true}} {
		o, p := newOurs(t, c), startPeer(t, c)
		o.round(t, c)
		channels(t, c)
		p.round(t, c)
	}
}

// BenchmarkInProcess measures messages alone, BenchmarkInProcessInformed messages with their time and sequence number.
func BenchmarkInProcess(b *testing.B) { all(b, false) }

func BenchmarkInProcessInformed(b *testing.B) { all(b, true) }

// all reports the nanoseconds per delivery, of one message to one receiver, in the best round of each contender, and
// the ratios to ours. A round measures ours, theirs and channels in sequence.
func all(b *testing.B, informed bool) {
	for _, threads := range []int{1, 4} {
		for _, receivers := range []int{10, 100, 1000} {
			for _, messages := range []int{100, 10_000, 100_000} {
				c := cell{receivers, messages, threads, informed}
				b.Run(fmt.Sprintf("%dx%d/threads=%d", receivers, messages, threads), func(b *testing.B) { compare(b, c) })
			}
		}
	}
}

func compare(b *testing.B, c cell) {
	const never = time.Duration(1<<63 - 1)
	o, p := newOurs(b, c), startPeer(b, c)
	time.Sleep(1100 * time.Millisecond) // until the publisher has detected that there is no other subscription
	our, their, channel := never, never, never
	rounds := 0
	for b.Loop() {
		our, their = min(our, o.round(b, c)), min(their, p.round(b, c))
		if rounds == 0 || c.deliveries() <= 1_000_000 { // they take long
			channel = min(channel, channels(b, c))
		}
		rounds++
	}
	each := func(d time.Duration) float64 { return float64(d) / float64(c.deliveries()) }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(each(our), "ns/delivery")
	b.ReportMetric(each(their), "signals2-ns")
	b.ReportMetric(each(channel), "channel-ns")
	b.ReportMetric(each(their)/each(our), "signals2/ours")
	b.ReportMetric(each(channel)/each(our), "channel/ours")
}
