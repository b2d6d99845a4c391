// SPDX-License-Identifier: Apache-2.0

package hold_test

import (
	"context"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/hold"
)

// stepper holds time for three steps.
type stepper struct{}

func (stepper) Run(_ context.Context, to func(age time.Duration) error) error {
	for i := range 3 {
		if err := to(time.Duration(i+1) * 10 * time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

func (stepper) Status() hold.Status { return hold.Status{By: "stepper"} }

// A holder lets a world go on; the world does not know who it is.
func Example() {
	var h hold.Holder = stepper{}
	err := h.Run(context.Background(), func(age time.Duration) error {
		fmt.Println("the world is", age, "old")
		return nil
	})
	fmt.Println(h.Status(), err)
	// Output:
	// the world is 10ms old
	// the world is 20ms old
	// the world is 30ms old
	// time: stepper <nil>
}
