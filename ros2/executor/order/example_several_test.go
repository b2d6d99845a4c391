// SPDX-License-Identifier: Apache-2.0

package order_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// process is a participating process: here one of two in the same program, on a network in memory.
type process struct {
	transport ros2.ServiceTransport
	c         *order.Coordinator
}

func newProcess(transport ros2.ServiceTransport, cfg order.Config) process {
	return process{transport, order.New(cfg)}
}

func (p process) node(name string) *ros2.Node {
	n, err := ros2.NewNode(ros2.NodeConfig{
		Name: name, Transport: p.c.Transport(p.transport), Clock: p.c.Clock(), Callbacks: p.c.NewGroup(),
	})
	if err != nil {
		panic(err)
	}
	return n
}

// A sensor in the leader's process and a controller in another: their callbacks have the same tags in each run.
func ExampleLead() {
	network := ros2test.NewNetwork()
	here := newProcess(network.NewTransport(), order.Config{Record: func(r order.Run) { fmt.Println(r) }})
	there := newProcess(network.NewTransport(), order.Config{})
	sensor, control := here.node("sensor"), there.node("control")
	scan, err := ros2.NewPublisher[std_msgs.String](sensor, "scan", ros2.DefaultQoS())
	if err != nil {
		panic(err)
	}
	_, err = ros2.NewTicker(sensor, "measure", 20*time.Millisecond, func(time.Time) {
		if err := scan.Publish(&std_msgs.String{Data: "5 cm"}); err != nil {
			panic(err)
		}
	})
	if err != nil {
		panic(err)
	}
	if _, err := ros2.Listen(control, "scan", ros2.DefaultQoS(), func(*std_msgs.String) {}); err != nil {
		panic(err)
	}

	leader, err := order.Lead(here.c, order.LeaderConfig{Transport: here.transport, Members: []string{"robot"}})
	if err != nil {
		panic(err)
	}
	member, err := order.Join(there.c, order.MemberConfig{Transport: there.transport, Name: "robot"})
	if err != nil {
		panic(err)
	}
	ended := make(chan error)
	go func() { ended <- member.Run(context.Background()) }()
	if err := leader.Advance(time.Time{}.Add(30 * time.Millisecond)); err != nil {
		panic(err)
	}
	fmt.Println("waits for", leader.Waits())
	fmt.Println(leader.Close(), <-ended)
	here.c.Close()
	there.c.Close()
	if err := errors.Join(sensor.Close(), control.Close()); err != nil {
		panic(err)
	}
	// Output:
	// 0.000000000+0 /robot timer "joined" in robot outside
	// 0.020000000+0 /sensor timer "measure" > /scan 0d06b62425b0a50a
	// 0.020000000+1 /control subscription "/scan" in robot
	// waits for []
	// <nil> <nil>
}
