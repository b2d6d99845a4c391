// SPDX-License-Identifier: Apache-2.0

package node_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/mapping"
	mapnode "github.com/epuck-ros2/epuck-driver/mapping/node"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// A node that makes a map of what an e-puck2 sees; on a network it takes the transport of package ros2/rmw.
func ExampleNew() {
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "map", Transport: ros2test.NewNetwork().NewTransport()})
	if err != nil {
		fmt.Println(err)
		return
	}
	grid, _ := mapping.NewConeGrid(0.01)
	m, err := mapnode.New(mapnode.Config{Node: node, Map: grid, Place: true})
	fmt.Println(m.Stats(), err)
	_ = m.Close()
	_ = node.Close()
	// Output: {0 0 0} <nil>
}
