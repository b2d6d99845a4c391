// SPDX-License-Identifier: Apache-2.0

package diagnostic_msgs_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
)

func ExampleDiagnosticStatus() {
	status := diagnostic_msgs.DiagnosticStatus{
		Level:   diagnostic_msgs.DiagnosticStatusWarn,
		Name:    "epuck_driver: bus",
		Message: "3 % of the packets were repeated",
		Values:  []diagnostic_msgs.KeyValue{{Key: "retries", Value: "12"}},
	}
	fmt.Println(status.Level, status.Message)
	// Output: 1 3 % of the packets were repeated
}
