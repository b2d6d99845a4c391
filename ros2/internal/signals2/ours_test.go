// SPDX-License-Identifier: Apache-2.0

//go:build peers

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

// cell is one case: messages go to each of the receivers, from so many threads, which share them; with their time and
// number if they are informed; to concurrent subscriptions, as Boost's slots are, or to those of which one runs at a
// time.
type cell struct {
	receivers, messages, threads int
	informed, concurrent         bool
}

func (c cell) deliveries() int { return c.receivers * c.messages }

// each calls f on every thread with its share of the messages and returns when all have returned.
func (c cell) each(f func(thread, messages int)) {
	var wg sync.WaitGroup
	for i := range c.threads {
		wg.Go(func() { f(i, c.messages/c.threads) })
	}
	wg.Wait()
}

// message has the counts of the thread that publishes it, one for each receiver, on cache lines of their own.
type message struct {
	std_msgs.Int64
	counts []int64
}

// newMessages returns the message of each thread.
func (c cell) newMessages() (all []*message) {
	for range c.threads {
		all = append(all, &message{Int64: std_msgs.Int64{Data: 1}, counts: make([]int64, c.receivers, c.receivers+16)})
	}
	return all
}

// counted returns the sum of the counts.
func counted(all []*message) (n int64) {
	for _, m := range all {
		for _, count := range m.counts {
			n += count
		}
	}
	return n
}

// window is how many messages may be in flight: more would be dropped.
const window = 1000

// ours is a shared publisher with its subscriptions.
type ours struct {
	pub     *ros2.SharedPublisher[message]
	handled atomic.Int64 // by the last of the subscriptions, if they are not concurrent and there are several threads
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
	o := &ours{}
	for i := range c.receivers {
		if err := o.subscribe(node, c, i); err != nil {
			tb.Fatal(err)
		}
	}
	if o.pub, err = ros2.NewSharedPublisher[message](node, "x", ros2.QoS{History: ros2.KeepAll}); err != nil {
		tb.Fatal(err)
	}
	return o
}

// subscribe creates receiver i.
func (o *ours) subscribe(node *ros2.Node, c cell, i int) (err error) {
	plain := func(m *message) { m.counts[i] += m.Data }
	informed := func(m *message, _ ros2.MessageInfo) { m.counts[i] += m.Data }
	var opts []ros2.SubscriptionOption
	switch {
	case c.concurrent:
		opts = append(opts, ros2.Concurrent())
	case i == c.receivers-1 && c.threads > 1:
		plain = func(m *message) {
			m.counts[i] += m.Data
			o.handled.Add(1)
		}
		informed = func(m *message, _ ros2.MessageInfo) { plain(m) }
	}
	qos := ros2.QoS{History: ros2.KeepAll}
	if c.informed {
		_, err = ros2.NewSubscription(node, "x", qos, informed, opts...)
	} else {
		_, err = ros2.Listen(node, "x", qos, plain, opts...)
	}
	return err
}

// round publishes all messages once.
func (o *ours) round(tb testing.TB, c cell) time.Duration {
	tb.Helper()
	o.handled.Store(0)
	all, bounded := c.newMessages(), c.threads > 1 && !c.concurrent
	var sent atomic.Int64
	begin := time.Now()
	c.each(func(thread, messages int) {
		m := all[thread]
		for range messages {
			if bounded {
				for n := sent.Add(1); n-o.handled.Load() > window; {
					runtime.Gosched()
				}
			}
			if err := o.pub.Publish(m); err != nil {
				tb.Error(err)
			}
		}
	})
	for bounded && o.handled.Load() < int64(c.messages) {
		runtime.Gosched()
	}
	took := time.Since(begin)
	if calls := counted(all); calls != int64(c.deliveries()) {
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
	c.each(func(_, messages int) {
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
