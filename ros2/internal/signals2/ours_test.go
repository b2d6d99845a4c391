// SPDX-License-Identifier: Apache-2.0

package signals2

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// cell is one case: messages go to each of the receivers, from so many threads,
// which share them; with their time and number if they are informed.
type cell struct {
	receivers, messages, threads int
	informed                     bool
}

func (c cell) deliveries() int { return c.receivers * c.messages }

// each calls f on every thread and returns when all have returned.
func (c cell) each(f func(messages int)) {
	var wg sync.WaitGroup
	for range c.threads {
		wg.Go(func() { f(c.messages / c.threads) })
	}
	wg.Wait()
}

// window is how many messages may be in flight: more would be dropped.
const window = 1000

// ours is a shared publisher with its subscriptions.
type ours struct {
	pub     *ros2.SharedPublisher[std_msgs.Int64]
	sums    []int64 // one for each subscription; a topic's callbacks run one at a time
	handled atomic.Int64
}

func newOurs(tb testing.TB, c cell) *ours {
	tb.Helper()
	tr := ros2test.NewTransport()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: tr})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		node.Close()
		tr.Close()
	})
	qos := ros2.QoS{History: ros2.KeepAll}
	o := &ours{sums: make([]int64, c.receivers)}
	for i := range o.sums {
		sum := &o.sums[i]
		last := i == c.receivers-1 && c.threads > 1 // with several threads the last one reports the progress of all
		switch {
		case c.informed && last:
			_, err = ros2.NewSubscription(node, "x", qos, func(m *std_msgs.Int64, _ ros2.MessageInfo) {
				*sum += m.Data
				o.handled.Add(1)
			})
		case c.informed:
			_, err = ros2.NewSubscription(node, "x", qos, func(m *std_msgs.Int64, _ ros2.MessageInfo) { *sum += m.Data })
		case last:
			_, err = ros2.Listen(node, "x", qos, func(m *std_msgs.Int64) {
				*sum += m.Data
				o.handled.Add(1)
			})
		default:
			_, err = ros2.Listen(node, "x", qos, func(m *std_msgs.Int64) { *sum += m.Data })
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	if o.pub, err = ros2.NewSharedPublisher[std_msgs.Int64](node, "x", qos); err != nil {
		tb.Fatal(err)
	}
	return o
}

// round publishes all messages once.
func (o *ours) round(tb testing.TB, c cell) time.Duration {
	tb.Helper()
	clear(o.sums)
	o.handled.Store(0)
	m := &std_msgs.Int64{Data: 1}
	var sent atomic.Int64
	begin := time.Now()
	c.each(func(messages int) {
		for range messages {
			if c.threads > 1 {
				for n := sent.Add(1); n-o.handled.Load() > window; {
					runtime.Gosched()
				}
			}
			if err := o.pub.Publish(m); err != nil {
				tb.Error(err)
			}
		}
	})
	for c.threads > 1 && o.handled.Load() < int64(c.messages) {
		runtime.Gosched()
	}
	took := time.Since(begin)
	var calls int64
	for _, sum := range o.sums {
		calls += sum
	}
	if calls != int64(c.deliveries()) {
		tb.Fatalf("%d callbacks, want %d", calls, c.deliveries())
	}
	return took
}

// channels sends all messages once to a goroutine for each receiver.
func channels(tb testing.TB, c cell) time.Duration {
	tb.Helper()
	var sequence atomic.Int64
	if c.informed {
		type received = ros2.Received[std_msgs.Int64]
		return through(tb, c, func(m *std_msgs.Int64) received {
			return received{Message: m, Info: ros2.MessageInfo{SourceTime: time.Now(), Sequence: sequence.Add(1)}}
		}, func(r received) int64 { return r.Message.Data })
	}
	return through(tb, c, func(m *std_msgs.Int64) *std_msgs.Int64 { return m }, func(m *std_msgs.Int64) int64 { return m.Data })
}

// through sends what wrap makes of each message through a channel for each receiver,
// which sums up what read finds.
func through[E any](tb testing.TB, c cell, wrap func(*std_msgs.Int64) E, read func(E) int64) time.Duration {
	tb.Helper()
	all, sums := make([]chan E, c.receivers), make([]int64, c.receivers)
	var receivers sync.WaitGroup
	for i := range all {
		all[i] = make(chan E, 16)
		receivers.Go(func() {
			for e := range all[i] {
				sums[i] += read(e)
			}
		})
	}
	m := &std_msgs.Int64{Data: 1}
	begin := time.Now()
	c.each(func(messages int) {
		for range messages {
			e := wrap(m)
			for _, ch := range all {
				ch <- e
			}
		}
	})
	for _, ch := range all {
		close(ch)
	}
	receivers.Wait()
	took := time.Since(begin)
	var calls int64
	for _, sum := range sums {
		calls += sum
	}
	if calls != int64(c.deliveries()) {
		tb.Fatalf("%d messages received, want %d", calls, c.deliveries())
	}
	return took
}
