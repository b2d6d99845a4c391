// SPDX-License-Identifier: Apache-2.0

package simclock_test

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
)

// A simulation of 20 s, as fast as the machine can: the steps stay 10 ms long.
func Example() {
	clock, err := simclock.New(simclock.Config{Epoch: time.Unix(0, 0), Factor: math.Inf(1)})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	steps := 0
	err = clock.Run(ctx, func() error { // brings the world to clock.Now()
		if steps++; clock.Now().Unix() >= 20 {
			cancel()
		}
		return nil
	})
	fmt.Println(steps, "steps,", err)
	// Output: 2000 steps, <nil>
}
