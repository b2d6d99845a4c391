// SPDX-License-Identifier: Apache-2.0

package printable_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/internal/printable"
)

func Example() {
	fmt.Println(printable.Line("/robot\x1b[2J"))
	// Output: /robot\x1b[2J
}
