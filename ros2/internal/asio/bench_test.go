// SPDX-License-Identifier: Apache-2.0

//go:build peers

package asio

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor"
)

// cell is one case: the producers post so many tasks in all, which the threads run.
type cell struct{ producers, threads, tasks int }

// ours is a spinning executor with a queue for each producer.
type ours struct {
	queues []ros2.CallbackQueue
	ran    atomic.Int64
}

func newOurs(tb testing.TB, c cell) *ours {
	tb.Helper()
	e := executor.NewMultiThreaded(c.threads)
	group := e.NewGroup(executor.Reentrant)
	o := &ours{}
	for range c.producers {
		q, err := group.Join(ros2.CallbackSource{Kind: ros2.SubscriptionCallback})
		if err != nil {
			tb.Fatal(err)
		}
		o.queues = append(o.queues, q)
	}
	ctx, stop := context.WithCancel(context.Background())
	var spinning sync.WaitGroup
	spinning.Go(func() {
		if err := e.Spin(ctx); err != nil {
			tb.Error(err)
		}
	})
	tb.Cleanup(func() {
		stop()
		spinning.Wait()
	})
	return o
}

// round posts all tasks once.
func (o *ours) round(tb testing.TB, c cell) time.Duration {
	tb.Helper()
	o.ran.Store(0)
	allRan := make(chan struct{})
	task := func() {
		if o.ran.Add(1) == int64(c.tasks) {
			close(allRan)
		}
	}
	begin := time.Now()
	var producers sync.WaitGroup
	for _, q := range o.queues {
		producers.Go(func() {
			for range c.tasks / c.producers {
				q.Post(task)
			}
		})
	}
	producers.Wait()
	<-allRan
	took := time.Since(begin)
	if ran := o.ran.Load(); ran != int64(c.tasks) {
		tb.Fatalf("%d tasks ran, want %d", ran, c.tasks)
	}
	return took
}

// Both run every task.
func TestEveryTaskRuns(t *testing.T) {
	for _, c := range []cell{{1, 1, 1000}, {2, 2, 1000}, {4, 1, 1000}, {1, 4, 1000}} {
		o, p := newOurs(t, c), startPeer(t, c)
		for range 2 {
			o.round(t, c)
			p.round(t, c)
		}
	}
}

// BenchmarkTasks reports the nanoseconds per task in the best round of each, and the ratio. A round measures ours and
// theirs in sequence.
func BenchmarkTasks(b *testing.B) {
	for _, producers := range []int{1, 2, 4} {
		for _, threads := range []int{1, 2, 4} {
			c := cell{producers, threads, 40_000}
			b.Run(fmt.Sprintf("producers=%d/threads=%d", producers, threads), func(b *testing.B) { compare(b, c) })
		}
	}
}

func compare(b *testing.B, c cell) {
	o, p := newOurs(b, c), startPeer(b, c)
	our, their := o.round(b, c), p.round(b, c)
	for b.Loop() {
		our, their = min(our, o.round(b, c)), min(their, p.round(b, c))
	}
	each := func(d time.Duration) float64 { return float64(d) / float64(c.tasks) }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(each(our), "ns/task")
	b.ReportMetric(each(their), "asio-ns")
	b.ReportMetric(each(their)/each(our), "asio/ours")
}
