// SPDX-License-Identifier: Apache-2.0

package std_msgs_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
)

func ExampleString() {
	data := cdr.Append(nil, &std_msgs.String{Data: "hello"})
	fmt.Printf("%x\n", data)
	// Output: 000100000600000068656c6c6f00
}
