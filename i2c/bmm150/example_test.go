// SPDX-License-Identifier: Apache-2.0

package bmm150_test

import (
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/bmm150"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmag"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// earth is a field that points north-west and down.
type earth struct{}

func (earth) Field() ([3]float64, float64) { return [3]float64{15e-6, 15e-6, -40e-6}, 25 }

// The heading of a robot whose add-on board is mounted straight.
func Example() {
	var now time.Duration
	bus := vbus.New(vbus.Config{})
	chip := vmag.New(vmag.Config{Now: func() time.Duration { return now }, World: earth{}, Perfect: true})
	if err := bus.Attach(vmag.Address+2, chip); err != nil {
		fmt.Println(err)
		return
	}
	mag, err := bmm150.New(bus, 0, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 40 {
		now += 50 * time.Millisecond
		fresh, err := mag.Poll(time.Unix(0, 0).Add(now))
		if err != nil {
			fmt.Println(err)
		}
		var r bmm150.Reading
		if fresh && mag.Sense(&r) == nil {
			fmt.Printf("%v: north at %.0f°\n", mag, math.Atan2(r.Field[1], r.Field[0])*180/math.Pi)
			break
		}
	}
	// Output: BMM150 vbus(0x12): north at 45°
}
