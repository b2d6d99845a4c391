// SPDX-License-Identifier: Apache-2.0

package checks_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/acceptance/checks"
	"github.com/epuck-ros2/epuck-driver/acceptance/simulated"
)

func ExampleRun() {
	r, _ := simulated.New(1, "left-motor-reversed")
	results, err := checks.Run(context.Background(), r.Tested, r, checks.Options{Quick: true})
	for _, c := range results {
		for _, f := range c.Faults {
			fmt.Println(c.Name, f.Name, errors.Is(err, checks.ErrNotStopped))
		}
	}
	// Output: wheels left-motor-reversed false
}
