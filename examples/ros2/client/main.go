// SPDX-License-Identifier: Apache-2.0

// Command client calls the service /trigger once and prints the response.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"
	"time"

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
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "client", Transport: transport, Args: args, Standard: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, node.Close()) }()

	client, err := ros2.NewClient(node, std_srvs.Trigger{}, "trigger")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second) // for the server to appear and to answer
	defer cancel()
	response, err := client.Call(ctx, &std_srvs.TriggerRequest{})
	if err != nil {
		return err
	}
	fmt.Println("response:", response.Success, response.Message)
	return nil
}
