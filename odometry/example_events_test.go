// SPDX-License-Identifier: Apache-2.0

package odometry_test

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/odometry"
)

// Events report readings that are not ordinary. After some of them the motion since the last reading is lost.
func ExampleEvent() {
	o, err := odometry.New(odometry.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	update := func(steps int16, dt time.Duration, want odometry.Event) {
		_, event := o.Update(steps, steps, dt)
		fmt.Println(event, event == want, event.Rebased())
	}
	const cycle = 50 * time.Millisecond
	update(0, 0, odometry.EventFirst)
	update(20, cycle, odometry.EventNone)
	update(40, 0, odometry.EventNoTime)
	if err := o.SetGeometry(odometry.Config{WheelRadius: 0.0205}); err != nil {
		fmt.Println(err)
	}
	update(60, 2*cycle, odometry.EventGeometry)
	o.Rebase(0)
	update(80, cycle, odometry.EventAsked)
	update(20000, cycle, odometry.EventRestart)
	// Output:
	// first reading true true
	// none true false
	// no time passed true false
	// geometry changed true false
	// rebase asked for true true
	// counters jumped true true
}
