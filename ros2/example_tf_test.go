// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Dynamic transforms are published with another profile than static ones.
func ExampleTFQoS() {
	fmt.Println(ros2.TFQoS())
	fmt.Println(ros2.LatchedQoS())
	// Output:
	// reliable, volatile, keep last 100
	// reliable, transient local, keep last 1
}
