// SPDX-License-Identifier: Apache-2.0

// Command action_server computes Fibonacci numbers as the action /fibonacci.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/example_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, arguments []string) (err error) {
	args, _, err := ros2.ParseArgs(arguments)
	if err != nil {
		return err
	}
	cfg, err := rmw.FromEnvironment(os.LookupEnv)
	if err != nil {
		return err
	}
	transport, err := rmw.New(cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, transport.Close()) }()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "action_server", Transport: transport, Args: args, Standard: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, node.Close()) }()

	server, err := action.NewServer(node, example_interfaces.Fibonacci{}, "fibonacci",
		action.Config[goal, result, feedback]{Execute: fibonacci})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	<-ctx.Done()
	return nil
}

type (
	goal     = example_interfaces.FibonacciGoal
	result   = example_interfaces.FibonacciResult
	feedback = example_interfaces.FibonacciFeedback
)

// fibonacci adds a number every 100 ms, and sends those so far as feedback, until there are as many as the goal orders.
func fibonacci(ctx context.Context, g *action.Goal[goal, feedback]) (*result, error) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	numbers := []int32{0, 1}
	for len(numbers) < int(g.Goal.Order) {
		select {
		case <-ctx.Done(): // a client cancels the goal, or the server closes
			return &result{Sequence: numbers}, context.Cause(ctx)
		case <-tick.C:
		}
		numbers = append(numbers, numbers[len(numbers)-1]+numbers[len(numbers)-2])
		if err := g.Feedback(&feedback{Sequence: numbers}); err != nil {
			return nil, err
		}
	}
	fmt.Println("computed", numbers)
	return &result{Sequence: numbers}, nil
}
