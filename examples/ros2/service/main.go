// SPDX-License-Identifier: Apache-2.0

// Command service serves /trigger, a std_srvs/srv/Trigger, and counts the requests.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"
	"sync/atomic"

	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
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
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "service", Transport: transport, Args: args, Standard: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, node.Close()) }()

	var count atomic.Int64
	_, err = ros2.NewService(node, std_srvs.Trigger{}, "trigger",
		func(context.Context, *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
			message := fmt.Sprint("request ", count.Add(1))
			fmt.Println(message)
			return &std_srvs.TriggerResponse{Success: true, Message: message}, nil
		})
	if err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}
