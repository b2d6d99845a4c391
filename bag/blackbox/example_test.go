// SPDX-License-Identifier: Apache-2.0

package blackbox_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/bag/blackbox"
)

// The parameters that a node which records has.
func ExampleParameters() {
	for _, p := range blackbox.Parameters()[:3] {
		fmt.Println(p.Name, p.Default, p.Description)
	}
	// Output:
	// record.directory "" Folder in which recordings are made; empty is bags in the service's state folder, else in the working folder. It can't change while the program runs.
	// record.start false Record from the start of the program.
	// record.button false A press of the robot's button starts or stops recording.
}
