// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"strings"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
)

// buildDescription fills in the robot's description.
func buildDescription(m *std_msgs.String, r *reading) bool {
	m.Data = epuck2.URDF(strings.TrimPrefix(r.set.baseFrame, r.set.prefix), r.set.wheels)
	return true
}
