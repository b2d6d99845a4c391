// SPDX-License-Identifier: Apache-2.0

package play_test

import (
	"context"
	"fmt"
	"log"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/bag/play"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// A bag is played at twice the speed. A program on a real network uses rmw.New instead of ros2test.NewTransport.
func Example() {
	transport := ros2test.NewTransport()
	defer transport.Close()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "player", Transport: transport})
	if err != nil {
		log.Fatal(err)
	}
	defer node.Close()
	b, err := bag.Open("run1")
	if err != nil {
		fmt.Println("run1 is not there")
		return
	}
	defer b.Close()
	player, err := play.New(play.Config{Node: node, Bag: b, Rate: 2})
	if err != nil {
		log.Fatal(err)
	}
	if err := player.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
	// Output: run1 is not there
}
