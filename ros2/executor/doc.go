// SPDX-License-Identifier: Apache-2.0

// Package executor runs the callbacks of ROS 2 nodes in an order and on as many goroutines as the program chooses, as
// the executors of rclcpp and rclc do.
//
// A node without an executor calls back as messages come, which is what most Go programs want: nothing to spin, and a
// callback may wait for anything. An executor is for programs that bring rclcpp's rules along: callbacks of a group
// that exclude each other without a lock, timers before messages, a static order.
//
//	e := executor.NewSingleThreaded()
//	node, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: t, Callbacks: e.NewGroup(executor.Exclusive)})
//	sub, err := ros2.NewSubscription(node, "scan", qos, callback)
//	err = e.Spin(ctx)
//
// What differs from rclcpp, since its users complain about it:
//   - A callback may call a service, of the same executor, too, and sleep on simulated time: while it waits others run
//     in its place. Exclusive callbacks exclude each other between such points, as with a monitor.
//   - Whatever is ready gets its turn: a timer that is always due starves no subscription, and a callback whose group
//     is busy keeps its place in the queue (TestNoSourceStarvesAnother, TestBusyGroupsKeepTheirTurns).
//   - The order is written down at each constructor and tested (TestRounds, TestEventsComeFirstServed).
//   - No queue grows without end: of each subscription as many messages wait as its depth.
//   - /clock, parameters and other services that every node has answer while the executor is busy or does not spin.
package executor
