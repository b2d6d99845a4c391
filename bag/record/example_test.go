// SPDX-License-Identifier: Apache-2.0

package record_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag/record"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// All topics of a network go into a bag. A program on a real network uses rmw.New instead of ros2test.NewTransport.
func Example() {
	transport := ros2test.NewTransport()
	defer transport.Close()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "recorder", Transport: transport})
	if err != nil {
		log.Fatal(err)
	}
	defer node.Close()
	r, err := record.New(record.Config{
		Node: node, Types: msgs.Definition, Select: record.Selection{AllTopics: true}, MaxTime: time.Millisecond,
	})
	if err != nil {
		log.Fatal(err)
	}
	tmp, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(tmp)
	go func() {
		if err := r.Start(context.Background(), filepath.Join(tmp, "run1")); err != nil {
			log.Fatal(err)
		}
	}()
	err = r.Run(context.Background()) // until the limit, here a millisecond
	fmt.Println("no message:", errors.Is(err, record.ErrNoMessages))
	_, err = os.Stat(filepath.Join(tmp, "run1", "metadata.yaml"))
	fmt.Println(err)
	// Output:
	// no message: true
	// <nil>
}
