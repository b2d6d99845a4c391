// SPDX-License-Identifier: Apache-2.0

package twin_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/acceptance/checks"
	"github.com/epuck-ros2/epuck-driver/acceptance/report"
	"github.com/epuck-ros2/epuck-driver/acceptance/simulated"
	"github.com/epuck-ros2/epuck-driver/acceptance/twin"
)

func ExampleOf() {
	tested, _ := simulated.New(7, "left-counter-stuck")
	results, _ := checks.Run(context.Background(), tested.Tested, tested, checks.Options{Quick: true})
	t, _ := twin.Of(&report.Report{Results: results})
	robot, _ := simulated.Faultless()
	t.Fit(&robot)
	faults, _ := t.Faults(robot, 1)
	other, _ := simulated.Make(robot, 1, faults...)
	results, _ = checks.Run(context.Background(), other.Tested, other, checks.Options{Quick: true})
	for _, c := range results {
		for _, f := range c.Faults {
			fmt.Println(c.Name, f.Name)
		}
	}
	_, err := twin.Of(&report.Report{})
	fmt.Println(errors.Is(err, twin.ErrReport))
	// Output:
	// wheels left-counter-stuck
	// true
}
