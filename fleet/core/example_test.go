// SPDX-License-Identifier: Apache-2.0

package core_test

import (
	"fmt"
	"os"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/core"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// A robot whose control cycle takes 60 ms, every 50 ms: it loses one of six.
func ExampleCore() {
	p, err := armcost.Literature()
	if err != nil {
		fmt.Println(err)
		return
	}
	at := time.Unix(0, 0)
	c, err := core.New(core.Config{
		Robot: "epuck", How: "60 ms a callback", Prices: core.Constant(0.06, p.Parameters["core"].Interval), Parameters: p,
		Now: func() time.Time { return at },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 1000 { // ten seconds
		if err := c.Run(50*time.Millisecond, func() error { return nil }); err != nil {
			fmt.Println(err)
		}
		at = at.Add(10 * time.Millisecond)
	}
	if _, err := c.Report().WriteTo(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Robot "epuck", 10.0 s: 100 (100 to 100) % of the core, by 60 ms a callback; 0 callbacks, 0 dropped
	//   control cycles: 167 made, 33 lost (16.5 %), 0 late; longest gap 60ms
	//   energy: 6.8 (6 to 7.5) J, of it 2.55 (2 to 3) J for the processor's work; widest by power_core
}
