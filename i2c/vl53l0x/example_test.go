// SPDX-License-Identifier: Apache-2.0

package vl53l0x_test

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/vl53l0x"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// wall is 20 cm in front of the sensor.
type wall struct{}

func (wall) Target() vtof.Target { return vtof.Target{Distance: 0.2, Reflectance: 0.9} }

// The owner of the bus polls the sensor in its own cycle; here a virtual one, in simulated time.
func Example() {
	var now time.Duration
	bus := vbus.New(vbus.Config{})
	chip := vtof.New(vtof.Config{Now: func() time.Duration { return now }, Scene: wall{}, Perfect: true})
	if err := bus.Attach(vtof.Address, chip); err != nil {
		fmt.Println(err)
		return
	}
	tof, err := vl53l0x.New(bus, vl53l0x.Addr, &vl53l0x.Opts{Profile: vl53l0x.LongRange})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 40 { // two seconds at 20 Hz
		now += 50 * time.Millisecond
		fresh, err := tof.Poll(time.Unix(0, 0).Add(now))
		if err != nil {
			fmt.Println(err)
		}
		var r vl53l0x.Reading
		if fresh && tof.Sense(&r) == nil {
			fmt.Printf("%.3f m, %v, %v\n", r.Distance, r.Status, tof.State())
			break
		}
	}
	// Output: 0.219 m, valid, running
}
