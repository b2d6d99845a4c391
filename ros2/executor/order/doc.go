// SPDX-License-Identifier: Apache-2.0

// Package order is a deterministic executor: it runs the callbacks of an application in a fixed order, so that runs are
// reproducible: the same inputs result in the same messages, bit for bit, independent of the speed and the number of
// processors.
//
// A [Coordinator] runs one callback at a time, the next when the previous one has ended and its messages have been
// delivered. Time is logical: a [Tag] is a time and a microstep, as in Lingua Franca. A message sent at (t, n) arrives
// at (t, n+1); timers fire at (t, 0). Callbacks at one tag run in the order in which their subscriptions, services,
// clients and tickers were created, and each receives only messages sent before its tag. So those of different nodes
// may also run in parallel ([Config].Parallel) with the same result.
//
//	c := order.New(order.Config{Start: time.Unix(0, 0)})
//	t := c.Transport(transport)
//	node, err := ros2.NewNode(ros2.NodeConfig{Name: "a", Transport: t, Clock: c.Clock(), Callbacks: c.NewGroup()})
//	err = c.Advance(time.Unix(10, 0))
//
// An application may have several processes: a [Leader] in one, and in each other one a [Member] or the Python executor
// of deploy/ros. The leader records all of them, and a replay repeats all of them.
//
// Requirements for the nodes: no shared state except by messages, no other clock, no random numbers without a seed, and
// no goroutines that publish on their own. Messages from outside the application are handled in order of arrival, and
// marked in the record.
package order
