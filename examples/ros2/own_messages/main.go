// SPDX-License-Identifier: Apache-2.0

// Command own_messages publishes a message type of its own, weather_msgs/msg/Reading, on /reading.
package main

import (
	"context"
	"errors"
	"log"
	"os"
	"os/signal"
	"time"

	"github.com/epuck-ros2/epuck-driver/examples/ros2/own_messages/msgs/weather_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
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
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "own_messages", Transport: transport, Args: args, Standard: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, node.Close()) }()

	readings, err := ros2.NewPublisher[weather_msgs.Reading](node, "reading", ros2.DefaultQoS())
	if err != nil {
		return err
	}
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if err := readings.Publish(reading()); err != nil {
				return err
			}
		}
	}
}

// reading returns what the station measures.
func reading() *weather_msgs.Reading {
	sample := weather_msgs.DefaultSample() // with the defaults of the definition: kind is 1
	sample.Value = 21.5
	return &weather_msgs.Reading{
		Header:   std_msgs.Header{Stamp: builtin_interfaces.Time{Sec: 12, Nanosec: 34}, FrameID: "map"},
		Position: geometry_msgs.Point{X: 1, Y: 2, Z: 3},
		Station:  "roof",
		Samples:  []weather_msgs.Sample{sample, {Kind: weather_msgs.SampleKindPressure, Value: 101325}},
		Wind:     [3]float32{0.5, -0.5, 0},
	}
}
