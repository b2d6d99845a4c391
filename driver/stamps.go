// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
)

// stamp gives the stamp of something measured at t: t itself, or what /clock says now if the time is simulated, which
// is zero until /clock was heard.
//
// Only stamps follow /clock. The control loop and the time-outs keep to the machine's clock: a simulated clock that
// stands still must not keep the wheels turning.
func (d *Driver) stamp(t time.Time) builtin_interfaces.Time {
	if d.ros.Simulated() {
		t = d.ros.Now()
	}
	return builtin_interfaces.TimeOf(t)
}
