// SPDX-License-Identifier: Apache-2.0

package timesource_test

import (
	"context"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/timesource"
)

// stepper is a source that makes three steps.
type stepper struct{}

func (stepper) Run(_ context.Context, to func(age time.Duration) error) error {
	for i := range 3 {
		if err := to(time.Duration(i+1) * 10 * time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

func (stepper) Status() timesource.Status { return timesource.Status{By: "stepper"} }

// A source advances a world, which does not know the source.
func Example() {
	var s timesource.Source = stepper{}
	err := s.Run(context.Background(), func(age time.Duration) error {
		fmt.Println("the world is", age, "old")
		return nil
	})
	fmt.Println(s.Status(), err)
	// Output:
	// the world is 10ms old
	// the world is 20ms old
	// the world is 30ms old
	// time: stepper <nil>
}
