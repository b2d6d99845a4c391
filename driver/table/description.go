// SPDX-License-Identifier: Apache-2.0

package table

import (
	"strings"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
)

// buildDescription fills in the robot's description.
func buildDescription(m *std_msgs.String, r *Reading) bool {
	m.Data = epuck2.URDF(strings.TrimPrefix(r.Set.BaseFrame, r.Set.Prefix), r.Set.Wheels)
	return true
}
