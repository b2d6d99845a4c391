// SPDX-License-Identifier: Apache-2.0

// Command action_client sends a goal to the action /fibonacci and prints feedback and result.
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
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "action_client", Transport: transport, Args: args, Standard: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, node.Close()) }()

	fibonacci, err := action.NewClient(node, example_interfaces.Fibonacci{}, "fibonacci")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, fibonacci.Close()) }()
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second) // for the server to appear and to finish
	defer cancel()
	goal := example_interfaces.FibonacciGoal{Order: 6}
	sent, err := fibonacci.Send(ctx, &goal, func(f *example_interfaces.FibonacciFeedback) {
		fmt.Println("feedback:", f.Sequence)
	})
	if err != nil {
		return err
	}
	result, err := sent.Result(ctx)
	if err != nil {
		return err
	}
	fmt.Println("result:", result.Sequence)
	return nil
}
