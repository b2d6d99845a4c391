// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// A late subscriber gets the description.
func TestDescriptionIsLatched(t *testing.T) {
	r, cycle := steppedRig(t, rigOptions{})
	cycle()
	got := listenWith[std_msgs.String](r, "robot_description", ros2.LatchedQoS())
	if m := last(r, got); !strings.Contains(m.Data, "left_wheel_joint") {
		t.Errorf("got %q", m.Data)
	}
}
