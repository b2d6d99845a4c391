// SPDX-License-Identifier: Apache-2.0

package shapes_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/shapes"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// A filter of the suite, and a shape read from a payload.
func ExampleParseFilter() {
	filter, err := shapes.ParseFilter("shapesize <= 20")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, size := range []int32{20, 30} {
		s, err := shapes.Decode(shapes.Append(nil, &shapes.Shape{Color: "RED", X: 1, Y: 2, Size: size}, wire.XCDR2))
		fmt.Println(s.Color, s.Size, filter.Passes(&s), err)
	}
	_, err = shapes.ParseFilter("shapesize <= 'RED'")
	fmt.Println(err != nil)
	// Output:
	// RED 20 true <nil>
	// RED 30 false <nil>
	// true
}
