// SPDX-License-Identifier: Apache-2.0

package misbuilt_test

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/acceptance/misbuilt"
)

func ExampleFind() {
	f, _ := misbuilt.Find("motors-swapped")
	fmt.Println(f.What)
	_, err := misbuilt.Find("motors-missing")
	fmt.Println(errors.Is(err, misbuilt.ErrUnknown))
	// Output:
	// the left motor is connected in place of the right one
	// true
}
