// SPDX-License-Identifier: Apache-2.0

package tf2_msgs_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
)

func ExampleTFMessage() {
	tof := geometry_msgs.DefaultTransformStamped()
	tof.Header.FrameID, tof.ChildFrameID = "base_link", "tof"
	tof.Transform.Translation.X = 0.035 // m
	tf := tf2_msgs.TFMessage{Transforms: []geometry_msgs.TransformStamped{tof}}
	fmt.Println(tf.Transforms[0].ChildFrameID, tf.Transforms[0].Transform.Rotation.W)
	// Output: tof 1
}
