// SPDX-License-Identifier: Apache-2.0

package shapes_test

import (
	"context"
	"fmt"
	"os"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/shapes"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// A publisher that writes two shapes to a network without subscribers.
func ExampleRun() {
	o, err := shapes.ParseArgs([]string{"-P", "-t", "Square", "-c", "RED", "-z", "0", "-w", "--num-iterations", "2", "--write-period", "1"})
	if err != nil {
		fmt.Println(err)
		return
	}
	network := vnet.New(vnet.Config{})
	err = shapes.Run(context.Background(), shapes.Config{Options: o, Out: os.Stdout, Network: network.Host(1), Seed: 1})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// Create topic: Square
	// Create writer for topic: Square color: RED
	// Square     RED        165 145 [1]
	// Square     RED        162 141 [2]
}

// A shape in the two forms that the suite asks for.
func ExampleAppend() {
	s := &shapes.Shape{Color: "RED", X: 1, Y: 2, Size: 3}
	fmt.Printf("%x\n", shapes.Append(nil, s, wire.XCDR1))
	fmt.Printf("%x\n", shapes.Append(nil, s, wire.XCDR2))
	// Output:
	// 00010000040000005245440001000000020000000300000000000000
	// 0009000018000000040000005245440001000000020000000300000000000000
}
