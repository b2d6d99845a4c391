// SPDX-License-Identifier: Apache-2.0

// Package tasks executes tasks of executable items on threads that the program configures, as Apex.AI's executor does.
//
// An [Item] has one entry point, which runs to completion. A [Task] is one item, a chain or a graph of items; it is
// triggered by conditions of package waitset: subscriptions, tickers, services, clients, file descriptors and guard
// conditions. Its items take what they need from these and from other, non-triggering queues. So data flow is explicit,
// nothing runs in a callback, and the order within a task is fixed.
//
//	scan, err := waitset.Subscribe[sensor_msgs.LaserScan](node, "scan", ros2.SensorDataQoS())
//	e, err := tasks.New(tasks.Config{Tasks: []tasks.Task{{
//		Name:     "avoid",
//		Triggers: []waitset.Condition{scan},
//		Items:    []tasks.Item{{Name: "detect", Execute: detect}, {Name: "steer", Execute: steer}},
//	}}})
//	err = e.Run(ctx)
//
// A condition is level-triggered: a task whose items do not take what triggered it runs again at once.
//
// The executor measures each item's execution time, period, latency and missed deadlines ([Executor.Statistics]);
// [NewReporter] publishes them on /diagnostics. In the steady state it does not allocate
// (TestNoAllocationInTheSteadyState).
package tasks
