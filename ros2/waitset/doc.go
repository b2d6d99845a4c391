// SPDX-License-Identifier: Apache-2.0

// Package waitset implements wait sets as rclcpp and rclc have them: a program waits on its own goroutine for several
// ROS 2 entities and takes messages from them. No callback runs: messages, requests and replies wait in a bounded [Queue]
// until the program takes them.
//
//	scan, err := waitset.Subscribe[sensor_msgs.LaserScan](node, "scan", ros2.SensorDataQoS())
//	tick, err := waitset.NewTicker(node, "control", 50*time.Millisecond)
//	set, err := waitset.New(tick, scan)
//	for {
//		ready, err := set.Wait(ctx, -1)
//		…
//		if at, ok := tick.Take(); ok {
//			newest, fresh := scan.Latest()
//			…
//		}
//	}
//
// A condition is level-triggered: it stays ready until all it holds is taken. It belongs to one set, or to one task of
// package ros2/tasks, at a time.
//
// In the steady state neither waiting nor taking allocates (TestNoAllocationInTheSteadyState).
package waitset
