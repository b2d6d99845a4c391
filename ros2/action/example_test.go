// SPDX-License-Identifier: Apache-2.0

package action_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/msgs/example_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// A client that follows a goal, cancels it, and cancels all other goals.
func ExampleSent_Cancel() {
	transport := ros2test.NewTransport()
	defer transport.Close()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer node.Close()
	server, err := action.NewServer(node, example_interfaces.Fibonacci{}, "endless", action.Config[
		example_interfaces.FibonacciGoal, example_interfaces.FibonacciResult, example_interfaces.FibonacciFeedback]{
		Execute: func(ctx context.Context, _ *action.Goal[example_interfaces.FibonacciGoal, example_interfaces.FibonacciFeedback]) (
			*example_interfaces.FibonacciResult, error) {
			<-ctx.Done()
			return nil, context.Cause(ctx)
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	client, err := action.NewClient(node, example_interfaces.Fibonacci{}, "endless")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	ctx := context.Background()
	goal, err := client.Send(ctx, &example_interfaces.FibonacciGoal{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := goal.Cancel(ctx); err != nil {
		fmt.Println(err)
	}
	_, err = goal.Result(ctx)
	fmt.Println(errors.Is(err, action.ErrCanceled), goal.Status(), goal.ID() != action.ID{}, server.Name() == client.Name())
	fmt.Println(client.CancelUntil(ctx, goal.Accepted()))
	fmt.Println(client.CancelAll(ctx))
	// Output:
	// true CANCELED true true
	// action /endless: cancel: rejected by the server
	// action /endless: cancel: rejected by the server
}

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
