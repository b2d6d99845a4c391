// SPDX-License-Identifier: Apache-2.0

// Command parameters has a parameter with a range, and prints each change of it.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"

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
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "parameters", Transport: transport, Args: args, Standard: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, node.Close()) }()

	speed, err := node.DeclareParameter(ros2.ParameterDescriptor{
		Name: "max_speed", Default: ros2.DoubleValue(0.1), FloatRange: ros2.FloatBetween(0, 0.15),
		Description: "m/s",
	})
	if err != nil {
		return err
	}
	fmt.Println("max_speed is", speed)
	node.Parameters().OnChange(func(e ros2.ParameterEvent) {
		for _, p := range e.Changed {
			fmt.Println(p.Name, "is now", p.Value)
		}
	})
	<-ctx.Done()
	return nil
}
