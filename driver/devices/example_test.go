// SPDX-License-Identifier: Apache-2.0

package devices_test

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/driver/devices"
	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// A part is started by polling it, and measures into the reading that it was given.
func Example() {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	w, err := sim.LoadWorld("plane")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := sim.New(w, sim.Options{
		Now: func() time.Time { return now }, Sleep: func(d time.Duration) { now = now.Add(d) }, Settled: true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var reading table.Reading
	robot := chips.Robot{Bus: sim.RobotsOf[*sim.Firmware](s)[0].Bus()}
	opened, err := robot.Open(&hardware.Options{Now: func() time.Time { return now }, GroundRate: 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	ground := devices.NewGround(opened.Ground, &reading)
	for news := false; !news; now = now.Add(50 * time.Millisecond) {
		if news, err = ground.Measure(now); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println("a floor within reach:", reading.Ground.Height[1] < 0.016)
	// Output: a floor within reach: true
}
