// SPDX-License-Identifier: Apache-2.0

package executor_test

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor"
)

// BenchmarkDispatch measures an executor's overhead per callback: posting and running it, for one source among ten.
func BenchmarkDispatch(b *testing.B) {
	for name, e := range map[string]*executor.Executor{
		"single": executor.NewSingleThreaded(), "events": executor.NewEvents(), "ordered": executor.NewOrdered(executor.Ordered{}),
	} {
		b.Run(name, func(b *testing.B) {
			g := e.NewGroup(executor.Exclusive)
			var places []ros2.CallbackQueue
			for range 10 {
				p, err := g.Join(ros2.CallbackSource{Kind: ros2.SubscriptionCallback})
				if err != nil {
					b.Fatal(err)
				}
				places = append(places, p)
			}
			ran := 0
			b.ReportAllocs()
			for b.Loop() {
				for range 100 {
					for _, p := range places {
						p.Post(func() { ran++ })
					}
				}
				if err := e.SpinSome(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(ran), "ns/callback")
		})
	}
}
