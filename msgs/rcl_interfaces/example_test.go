// SPDX-License-Identifier: Apache-2.0

package rcl_interfaces_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
)

func ExampleParameterValue() {
	rate := rcl_interfaces.Parameter{
		Name:  "rate",
		Value: rcl_interfaces.ParameterValue{Type: rcl_interfaces.ParameterTypeDouble, DoubleValue: 20},
	}
	fmt.Println(rate.Name, rate.Value.Type, rate.Value.DoubleValue)
	// Output: rate 3 20
}

// A descriptor has at most one range. Go's slices do not know that; the
// encoder does.
func ExampleParameterDescriptor() {
	descriptor := rcl_interfaces.ParameterDescriptor{
		Name:         "rate",
		IntegerRange: make([]rcl_interfaces.IntegerRange, 2),
	}
	_, err := cdr.Marshal(nil, &descriptor)
	fmt.Println(err)
	// Output: rcl_interfaces/msg/ParameterDescriptor.integer_range: cdr: bound exceeded: 2, at most 1
}
