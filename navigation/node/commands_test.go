// SPDX-License-Identifier: Apache-2.0

package node

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// TestCommandsHaveTheRobotsType: with DetectStamped the robot is driven with the type that it subscribes to, and is the
// only publisher's.
func TestCommandsHaveTheRobotsType(t *testing.T) {
	for _, stamped := range []bool{false, true} {
		withPuppet(t, Config{Stamped: stamped, DetectStamped: true}, func(p *puppet) {
			for _, e := range ros2.EndpointsOn(p.other.Transport(), "/cmd_vel") {
				if e.Kind == ros2.PublisherEndpoint {
					t.Errorf("a publisher of %s before the first drive", e.Type)
				}
			}
			if err := p.navigator.Drive(p.Context(), []geometry_msgs.PoseStamped{pose("", .2, 0, 0)}, nil); err != nil {
				t.Errorf("stamped %v: %v", stamped, err)
			}
		})
	}
}
