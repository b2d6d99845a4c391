// SPDX-License-Identifier: Apache-2.0

// Command talker publishes a std_msgs/msg/String on /chatter twice a second.
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
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, arguments []string) (err error) {
	args, _, err := ros2.ParseArgs(arguments) // --ros-args -r chatter:=/other …
	if err != nil {
		return err
	}
	cfg, err := rmw.FromEnvironment(os.LookupEnv) // ROS_DOMAIN_ID and the others
	if err != nil {
		return err
	}
	transport, err := rmw.New(cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, transport.Close()) }()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "talker", Transport: transport, Args: args, Standard: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, node.Close()) }() // before the transport

	publisher, err := ros2.NewPublisher[std_msgs.String](node, "chatter", ros2.DefaultQoS())
	if err != nil {
		return err
	}
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for count := 1; ; count++ {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			message := std_msgs.String{Data: fmt.Sprint("Hello World: ", count)}
			if err := publisher.Publish(&message); err != nil {
				return err
			}
			fmt.Println("published", message.Data)
		}
	}
}
