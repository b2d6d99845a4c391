// SPDX-License-Identifier: Apache-2.0

package dynamic_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// A message is filled from YAML, encoded, decoded and shown.
func Example() {
	typ, err := dynamic.Resolve("geometry_msgs/msg/Twist", msgs.Definition)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := dynamic.New(typ)
	if _, err := m.Fill("{linear: {x: 0.05}}"); err != nil {
		fmt.Println(err)
		return
	}
	received, err := dynamic.Decode(typ, cdr.Append(nil, m))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(received.YAML(dynamic.Full()))
	fmt.Println(received.CSV(dynamic.Full()))
	// Output:
	// linear:
	//   x: 0.05
	//   y: 0.0
	//   z: 0.0
	// angular:
	//   x: 0.0
	//   y: 0.0
	//   z: 0.0
	// 0.05,0.0,0.0,0.0,0.0,0.0
}
