// SPDX-License-Identifier: Apache-2.0

package simulated_test

import (
	"context"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/acceptance/checks"
	"github.com/epuck-ros2/epuck-driver/acceptance/simulated"
)

func ExampleNew() {
	r, _ := simulated.New(7)
	answer, err := r.Do(context.Background(), checks.Request{Task: checks.OnFloor})
	fmt.Println(answer.Choice == checks.Continue, err, r.Truth().LeftSpeed)
	// Output: true <nil> 0
}
