// SPDX-License-Identifier: Apache-2.0

package teleop_test

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/teleop"
)

// A key that is pressed once drives for a moment.
func Example() {
	var keys teleop.Parser
	pilot, now := teleop.NewPilot(), time.Now()
	for _, k := range keys.Parse([]byte("u")) {
		pilot.Key(k, now)
	}
	fmt.Println(pilot.Command(now))
	fmt.Println(pilot.Command(now.Add(time.Second)))
	// Output:
	// 0.05 1
	// 0 0
}
