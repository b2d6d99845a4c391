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

// computeFibonacci executes a goal of a negative order until its context ends, others at once.
func computeFibonacci(ctx context.Context, g *action.Goal[example_interfaces.FibonacciGoal, example_interfaces.FibonacciFeedback]) (
	*example_interfaces.FibonacciResult, error,
) {
	if g.Goal.Order >= 0 {
		return &example_interfaces.FibonacciResult{}, nil
	}
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

// The client's errors and the states of a goal: a server that refuses goals while it executes one, and a goal that is
// canceled after its end.
func ExampleStatus() {
	transport := ros2test.NewTransport()
	defer transport.Close()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer node.Close()
	server, err := action.NewServer(node, example_interfaces.Fibonacci{}, "fibonacci", action.Config[
		example_interfaces.FibonacciGoal, example_interfaces.FibonacciResult, example_interfaces.FibonacciFeedback]{
		Execute: computeFibonacci, Overlap: action.Refuse,
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
	endless, err := client.Send(ctx, &example_interfaces.FibonacciGoal{Order: -1}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = client.Send(ctx, &example_interfaces.FibonacciGoal{Order: 3}, nil)
	fmt.Println(errors.Is(err, action.ErrRejected))
	fmt.Println(endless.Cancel(ctx))
	_, err = endless.Result(ctx)
	fmt.Println(errors.Is(err, action.ErrCanceled), endless.Status() == action.Canceled)
	fmt.Println(errors.Is(endless.Cancel(ctx), action.ErrEnded))

	quick, err := client.Send(ctx, &example_interfaces.FibonacciGoal{Order: 3}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = quick.Result(ctx)
	fmt.Println(err, quick.Status() == action.Succeeded)
	for _, s := range []action.Status{action.Unknown, action.Accepted, action.Executing, action.Canceling, action.Succeeded, action.Canceled, action.Aborted} {
		fmt.Println(s, s.Ended())
	}
	// Output:
	// true
	// <nil>
	// true true
	// true
	// <nil> true
	// UNKNOWN false
	// ACCEPTED false
	// EXECUTING false
	// CANCELING false
	// SUCCEEDED true
	// CANCELED true
	// ABORTED true
}

// With Replace a new goal ends the one that is executing: the cause of its context is ErrReplaced, and it is aborted.
func ExampleConfig() {
	transport := ros2test.NewTransport()
	defer transport.Close()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer node.Close()
	started := make(chan struct{}, 2)
	server, err := action.NewServer(node, example_interfaces.Fibonacci{}, "fibonacci", action.Config[
		example_interfaces.FibonacciGoal, example_interfaces.FibonacciResult, example_interfaces.FibonacciFeedback]{
		Execute: func(ctx context.Context, g *action.Goal[example_interfaces.FibonacciGoal, example_interfaces.FibonacciFeedback]) (
			*example_interfaces.FibonacciResult, error,
		) {
			started <- struct{}{}
			result, err := computeFibonacci(ctx, g)
			fmt.Println("order", g.Goal.Order, errors.Is(err, action.ErrReplaced))
			return result, err
		},
		Overlap: action.Replace,
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
	first, err := client.Send(ctx, &example_interfaces.FibonacciGoal{Order: -1}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	<-started // a goal that is replaced before its execution starts is not executed
	second, err := client.Send(ctx, &example_interfaces.FibonacciGoal{Order: 3}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = second.Result(ctx)
	fmt.Println(err)
	_, err = first.Result(ctx)
	fmt.Println(err)
	// Output:
	// order -1 true
	// order 3 false
	// <nil>
	// action /fibonacci: the goal was aborted
}
