// SPDX-License-Identifier: Apache-2.0

// Command listener prints each std_msgs/msg/String of /chatter.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
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
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "listener", Transport: transport, Args: args, Standard: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, node.Close()) }()

	_, err = ros2.Listen(node, "chatter", ros2.DefaultQoS(), func(message *std_msgs.String) {
		fmt.Println("I heard:", message.Data)
	})
	if err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}
