// SPDX-License-Identifier: Apache-2.0

package action_test

import (
	"context"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/msgs/example_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func Example() {
	transport := ros2test.NewTransport() // a program takes one of package rtps
	defer transport.Close()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "mathematician", Transport: transport})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer node.Close()

	server, err := action.NewServer(node, example_interfaces.Fibonacci{}, "fibonacci", action.Config[
		example_interfaces.FibonacciGoal, example_interfaces.FibonacciResult, example_interfaces.FibonacciFeedback]{
		Execute: func(_ context.Context, g *action.Goal[example_interfaces.FibonacciGoal, example_interfaces.FibonacciFeedback]) (
			*example_interfaces.FibonacciResult, error) {
			a, b := int32(0), int32(1)
			r := &example_interfaces.FibonacciResult{}
			for range g.Goal.Order {
				r.Sequence = append(r.Sequence, a)
				a, b = b, a+b
			}
			return r, nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()

	client, err := action.NewClient(node, example_interfaces.Fibonacci{}, "fibonacci")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	ctx := context.Background()
	goal, err := client.Send(ctx, &example_interfaces.FibonacciGoal{Order: 8}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer goal.Close()
	result, err := goal.Result(ctx)
	fmt.Println(result.Sequence, err)
	// Output: [0 1 1 2 3 5 8 13] <nil>
}
