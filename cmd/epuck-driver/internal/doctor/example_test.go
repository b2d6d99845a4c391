// SPDX-License-Identifier: Apache-2.0

package doctor_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/doctor"
)

// A machine that is no robot: the report says so first.
func ExampleExamine() {
	r := doctor.Examine(context.Background(), &doctor.Machine{Root: fstest.MapFS{}})
	fmt.Println(r.Findings[0].Check, r.Findings[0].Status)
	fmt.Println(r.Findings[0].Fix)
	// Output:
	// machine warning
	// run the driver on the Pi-puck, or the simulated robot: epuck-driver sim
}
