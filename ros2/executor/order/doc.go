// SPDX-License-Identifier: Apache-2.0

// Package order runs the callbacks of a whole application in a fixed order, so that a run repeats: the same inputs give
// the same messages, bit for bit, however fast the machine is and however many processors it has.
//
// A [Coordinator] lets one callback run at a time, the next when the former has ended and its messages have arrived.
// Time is logical: a [Tag] is a time and a microstep, as in Lingua Franca. What a callback sends at (t, n) arrives at
// (t, n+1); timers are at (t, 0). Callbacks of one tag run in the order in which their subscriptions, services, clients
// and tickers were made, and each sees only what was sent before its tag. So those of different nodes may as well run
// in parallel ([Config].Parallel): the result is the same.
//
//	c := order.New(order.Config{Start: time.Unix(0, 0)})
//	t := c.Transport(transport)
//	node, err := ros2.NewNode(ros2.NodeConfig{Name: "a", Transport: t, Clock: c.Clock(), Callbacks: c.NewGroup()})
//	err = c.Advance(time.Unix(10, 0))
//
// An application may be several processes: a [Leader] in one, a [Member] in each other one, or the Python executor of
// deploy/ros. The leader records all of them, and a replay of the record is one of all of them.
//
// Nodes must do their part: no state shared but by messages, no other clock, no random numbers without a seed, and no
// goroutines that publish by themselves. What comes from outside the application is taken in the order in which it
// comes, and the record says so.
package order
