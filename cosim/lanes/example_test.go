// SPDX-License-Identifier: Apache-2.0

package lanes_test

import (
	"errors"
	"fmt"
	"os"

	"github.com/epuck-ros2/epuck-driver/cosim/lanes"
)

// The fastest route between two edges, and a left turn that lets oncoming vehicles go first.
func Example() {
	text, err := os.ReadFile("../traci/testdata/cross/cross.net.xml")
	if err != nil {
		fmt.Println(err)
		return
	}
	network, err := lanes.Parse("cross.net.xml", text)
	if errors.Is(err, lanes.ErrNetwork) {
		fmt.Println(err)
		return
	}
	route, err := network.Route(network.Edge("wc"), network.Edge("pn"))
	if err != nil {
		fmt.Println(err)
		return
	}
	length, seconds, _ := lanes.Measure(route)
	fmt.Printf("%d edges, %.2f m, %.1f s\n", len(route), length, seconds)

	left, oncoming := network.Lane("wc_1").To(network.Edge("cn")), network.Lane("ec_0").To(network.Edge("cw"))
	fmt.Println(left.Direction, len(left.Inside()), left.Junction.Foes(left.Request, oncoming.Request),
		left.Junction.Yields(left.Request, oncoming.Request))
	// Output:
	// 4 edges, 7.91 m, 65.9 s
	// l 2 true true
}
