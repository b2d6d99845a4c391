// SPDX-License-Identifier: Apache-2.0

// Package executor runs the callbacks of ROS 2 nodes in a chosen order on a chosen number of goroutines, as the
// executors of rclcpp and rclc do.
//
// A node without an executor runs callbacks as messages arrive, which suits most Go programs: they need not spin, and a
// callback may block. An executor is for programs that rely on rclcpp's rules: mutually exclusive callbacks of a group,
// timers before messages, a static order.
//
//	e := executor.NewSingleThreaded()
//	node, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: t, Callbacks: e.NewGroup(executor.Exclusive)})
//	sub, err := ros2.NewSubscription(node, "scan", qos, callback)
//	err = e.Spin(ctx)
//
// Differences from known problems of rclcpp:
//   - A callback may call a service, also one of the same executor, and sleep on simulated time: other callbacks run
//     while it waits. Exclusive callbacks exclude each other between such points, as with a monitor.
//   - There is no starvation: a timer that is always due does not delay subscriptions, and a callback whose group
//     is busy keeps its position in the queue (TestNoSourceStarvesAnother, TestBusyGroupsKeepTheirPosition).
//   - The order is documented at each constructor and tested (TestRounds, TestEventsRunInOrderOfArrival).
//   - Queues are bounded: the messages of a subscription by its depth.
//   - Posting a callback and taking the next one wait for no lock, unless more callbacks wait than the subscription's
//     depth, or than 256 that no goroutine of the executor has seen. The protocol is modelled in testdata/executor.pml;
//     a change of it changes its model (TestModels).
//   - /clock, parameters and other standard services work while the executor is busy or does not spin.
package executor
