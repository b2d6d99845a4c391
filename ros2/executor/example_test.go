// SPDX-License-Identifier: Apache-2.0

package executor_test

import (
	"context"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// A controller that runs once both sensors have a new message, in the order of the program.
func ExampleNewOrdered() {
	t := ros2test.NewTransport()
	defer t.Close()
	e := executor.NewOrdered(executor.Ordered{Trigger: executor.All, LogicalTime: true})
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "controller", Transport: t, Callbacks: e.NewGroup(executor.Exclusive)})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer n.Close()
	for _, sensor := range []string{"left", "right"} {
		_, err := ros2.Listen(n, sensor, ros2.DefaultQoS(), func(m *std_msgs.String) { fmt.Println(sensor, m.Data) })
		if err != nil {
			fmt.Println(err)
		}
	}
	for _, sensor := range []string{"right", "left"} {
		pub, err := ros2.NewPublisher[std_msgs.String](n, sensor, ros2.DefaultQoS())
		if err != nil {
			fmt.Println(err)
			return
		}
		if err := pub.Publish(&std_msgs.String{Data: "at 5 cm"}); err != nil {
			fmt.Println(err)
		}
		fmt.Println("came:", sensor)
		if err := e.SpinSome(); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// came: right
	// came: left
	// left at 5 cm
	// right at 5 cm
}

// Two groups on two threads: a slow callback does not delay the other group.
func ExampleNewMultiThreaded() {
	t := ros2test.NewTransport()
	defer t.Close()
	e := executor.NewMultiThreaded(2)
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: t, Callbacks: e.NewGroup(executor.Exclusive)})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer n.Close()
	clock := ros2.NewManualClock(time.Unix(0, 0))
	slow := e.NewGroup(executor.Exclusive)
	tick, err := ros2.NewTicker(n, "report", time.Second, func(at time.Time) { fmt.Println("report at", at.Unix(), "s") },
		ros2.TickerClock(clock), ros2.TickerGroup(slow))
	if err != nil {
		fmt.Println(err)
		return
	}
	clock.Advance(time.Second)
	clock.AwaitTimers(1) // the ticker waits for its next time: the first was posted
	if err := e.SpinSome(); err != nil {
		fmt.Println(err)
	}
	fmt.Println(tick.Close(), e.Busy())
	// Output:
	// report at 1 s
	// <nil> []
}

// Callbacks run in the order in which they became due, including those of a service in a separate group.
func ExampleNewEvents() {
	t := ros2test.NewTransport()
	defer t.Close()
	e := executor.NewEvents()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: t, Callbacks: e.NewGroup(executor.Exclusive)})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer n.Close()
	_, err = ros2.NewService(n, std_srvs.Trigger{}, "reset",
		func(context.Context, *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
			fmt.Println("reset")
			return &std_srvs.TriggerResponse{Success: true}, nil
		}, ros2.ServiceInGroup(e.NewGroup(executor.Exclusive)))
	if err != nil {
		fmt.Println(err)
	}
	if _, err := ros2.Listen(n, "scan", ros2.DefaultQoS(), func(m *std_msgs.String) { fmt.Println("scan", m.Data) }); err != nil {
		fmt.Println(err)
	}
	client, err := ros2.NewClient(n, std_srvs.Trigger{}, "reset", ros2.ServiceInGroup(nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	scan, err := ros2.NewPublisher[std_msgs.String](n, "scan", ros2.DefaultQoS())
	if err != nil {
		fmt.Println(err)
		return
	}
	publish := func(text string) {
		if err := scan.Publish(&std_msgs.String{Data: text}); err != nil {
			fmt.Println(err)
		}
	}
	publish("before")
	if err := client.Then(&std_srvs.TriggerRequest{}, func(*std_srvs.TriggerResponse, error) {}); err != nil {
		fmt.Println(err)
	}
	publish("after")
	if err := e.SpinSome(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// scan before
	// reset
	// scan after
}

// One waits for one source, whatever the state of the others; Always waits for none.
func ExampleOne() {
	scan := ros2.CallbackSource{Name: "/scan"}
	odom := ros2.CallbackSource{Name: "/odom"}
	trigger := executor.One("/scan")
	for _, sources := range [][]executor.State{
		{{CallbackSource: scan}, {CallbackSource: odom}},
		{{CallbackSource: scan}, {CallbackSource: odom, Ready: true}},
		{{CallbackSource: scan, Ready: true}, {CallbackSource: odom}},
	} {
		fmt.Println(trigger(sources), executor.Any(sources), executor.Always(sources))
	}
	// Output:
	// false false true
	// false true true
	// true true true
}
