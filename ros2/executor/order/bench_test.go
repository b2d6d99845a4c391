// SPDX-License-Identifier: Apache-2.0

package order_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// BenchmarkChain sends a message through a chain of eight nodes: without an executor, with one, and with the
// deterministic executor.
func BenchmarkChain(b *testing.B) {
	const length = 8
	chain := func(b *testing.B, t ros2.Transport, group func() ros2.CallbackGroup, step func()) {
		var first *ros2.Publisher[std_msgs.String]
		arrived := 0
		next := func(*std_msgs.String) { arrived++ }
		for i := length; i > 0; i-- {
			n, err := ros2.NewNode(ros2.NodeConfig{Name: fmt.Sprint("n", i), Transport: t, Callbacks: group()})
			if err != nil {
				b.Fatal(err)
			}
			defer n.Close()
			if _, err := ros2.Listen(n, fmt.Sprint("t", i), ros2.DefaultQoS(), next); err != nil {
				b.Fatal(err)
			}
			pub, err := ros2.NewPublisher[std_msgs.String](n, fmt.Sprint("t", i), ros2.DefaultQoS())
			if err != nil {
				b.Fatal(err)
			}
			first, next = pub, func(m *std_msgs.String) {
				if err := pub.Publish(m); err != nil {
					b.Error(err)
				}
			}
		}
		m := &std_msgs.String{Data: "chain"}
		for b.Loop() {
			if err := first.Publish(m); err != nil {
				b.Fatal(err)
			}
			step()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*length), "ns/callback")
		if arrived != b.N {
			b.Errorf("%d arrived of %d", arrived, b.N)
		}
	}
	b.Run("free", func(b *testing.B) {
		t := ros2test.NewTransport()
		defer t.Close()
		chain(b, t, func() ros2.CallbackGroup { return nil }, func() {})
	})
	b.Run("single-threaded", func(b *testing.B) {
		t := ros2test.NewTransport()
		defer t.Close()
		e := executor.NewSingleThreaded()
		chain(b, t, func() ros2.CallbackGroup { return e.NewGroup(executor.Exclusive) }, func() {
			for range length {
				if err := e.SpinSome(); err != nil {
					b.Fatal(err)
				}
			}
		})
	})
	for _, parallel := range []bool{false, true} {
		b.Run(fmt.Sprintf("fixed order, parallel %v", parallel), func(b *testing.B) {
			t := ros2test.NewTransport()
			defer t.Close()
			c := order.New(order.Config{Parallel: parallel})
			defer c.Close()
			now := time.Time{}
			chain(b, c.Transport(t), func() ros2.CallbackGroup { return c.NewGroup() }, func() {
				now = now.Add(time.Millisecond)
				if err := c.Advance(now); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}

// BenchmarkSeveral runs a step of a chain over three processes: a timer in the leader's, a node in each of two members.
func BenchmarkSeveral(b *testing.B) {
	for _, parallel := range []bool{false, true} {
		b.Run(fmt.Sprintf("parallel %v", parallel), func(b *testing.B) {
			open := memory()
			inner := open()
			c := order.New(order.Config{Parallel: parallel})
			leader, err := order.Lead(c, order.LeaderConfig{Transport: inner, Members: []string{"b", "c"}})
			if err != nil {
				b.Fatal(err)
			}
			first := &application{t: b, c: c, tr: c.Transport(inner)}
			n := first.node("a")
			say, heard := first.says(n, "t0"), 0
			first.hears(n, "t2", func(string) { heard++ })
			first.every(n, "tick", time.Millisecond, func(time.Time) { say("chain") })
			var group task.Group
			for i, name := range []string{"b", "c"} {
				tr := open()
				a := &application{t: b, c: order.New(order.Config{})}
				a.tr = a.c.Transport(tr)
				node := a.node(name)
				a.hears(node, fmt.Sprint("t", i), a.says(node, fmt.Sprint("t", i+1)))
				m, err := order.Join(a.c, order.MemberConfig{Name: name, Transport: tr})
				if err != nil {
					b.Fatal(err)
				}
				group.Go("a member", func() {
					if err := m.Run(b.Context()); err != nil {
						b.Error(err)
					}
				})
			}
			now := time.Time{}
			if err := leader.Advance(now); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				now = now.Add(time.Millisecond)
				if err := leader.Advance(now); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "steps/s")
			if heard != b.N {
				b.Errorf("%d of %d returned", heard, b.N)
			}
			if err := leader.Close(); err != nil {
				b.Error(err)
			}
			group.Wait()
		})
	}
}
