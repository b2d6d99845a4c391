// SPDX-License-Identifier: Apache-2.0

package builtin_interfaces_test

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
)

func ExampleTimeOf() {
	stamp := builtin_interfaces.TimeOf(time.Unix(1700000000, 250))
	fmt.Printf("%+v\n", stamp)
	// Output: {Sec:1700000000 Nanosec:250}
}

func ExampleDurationOf() {
	d := builtin_interfaces.DurationOf(-1500 * time.Millisecond)
	fmt.Printf("%+v %v\n", d, d.Duration())
	// Output: {Sec:-2 Nanosec:500000000} -1.5s
}
