// SPDX-License-Identifier: Apache-2.0

// Command tasks answers each std_msgs/msg/String of /chatter on /answer. It has no callbacks: an executor runs a
// chain of two executable items when messages wait, and publishes how long they take on /diagnostics.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
	"github.com/epuck-ros2/epuck-driver/ros2/tasks"
	"github.com/epuck-ros2/epuck-driver/ros2/waitset"
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
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "tasks", Transport: transport, Args: args, Standard: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, node.Close()) }()

	chatter, err := waitset.Subscribe[std_msgs.String](node, "chatter", ros2.DefaultQoS())
	if err != nil {
		return err
	}
	publisher, err := ros2.NewPublisher[std_msgs.String](node, "answer", ros2.DefaultQoS())
	if err != nil {
		return err
	}
	var heard []ros2.Received[std_msgs.String]
	count := 0
	read := func(context.Context) error {
		heard = chatter.TakeAll(heard[:0])
		return nil
	}
	answer := func(context.Context) error {
		for _, message := range heard {
			count++
			if err := publisher.Publish(&std_msgs.String{Data: fmt.Sprintf("%d: %s", count, message.Message.Data)}); err != nil {
				return err
			}
		}
		return nil
	}
	executor, err := tasks.New(tasks.Config{Tasks: []tasks.Task{{
		Name:     "conversation",
		Triggers: []waitset.Condition{chatter},
		Items: []tasks.Item{
			{Name: "read", Execute: read},
			{Name: "answer", Execute: answer, Deadline: 10 * time.Millisecond},
		},
	}}})
	if err != nil {
		return err
	}
	defer executor.Close()
	if _, err := tasks.NewReporter(node, executor, time.Second); err != nil {
		return err
	}
	return executor.Run(ctx)
}
