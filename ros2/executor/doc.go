// SPDX-License-Identifier: Apache-2.0

// Package executor runs the callbacks of ROS 2 nodes in an order and on as many goroutines as the program chooses, as
// the executors of rclcpp and rclc do.
//
// A node without an executor runs callbacks as messages arrive, which suits most Go programs: nothing to spin, and a
// callback may wait for anything. An executor is for programs that rely on rclcpp's rules: callbacks of a group that
// exclude each other without a lock, timers before messages, a static order.
//
//	e := executor.NewSingleThreaded()
//	node, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: t, Callbacks: e.NewGroup(executor.Exclusive)})
//	sub, err := ros2.NewSubscription(node, "scan", qos, callback)
//	err = e.Spin(ctx)
//
// Differences from rclcpp, about which its users complain:
//   - A callback may call a service, of the same executor, too, and sleep on simulated time: while it waits others
//     run. Exclusive callbacks exclude each other between such points, as with a monitor.
//   - There is no starvation: a timer that is always due starves no subscription, and a callback whose group
//     is busy keeps its position in the queue (TestNoSourceStarvesAnother, TestBusyGroupsKeepTheirTurn).
//   - The order is documented at each constructor and tested (TestRounds, TestEventsRunInOrderOfArrival).
//   - Queues are bounded: of each subscription as many messages wait as its depth.
//   - /clock, parameters and other services that every node has answer while the executor is busy or does not spin.
package executor
