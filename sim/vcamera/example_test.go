// SPDX-License-Identifier: Apache-2.0

package vcamera_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// ExampleRenderer draws a red box 0.4 m ahead of the robot and looks at the pixel it is at.
func ExampleRenderer() {
	s := &vcamera.Scene{Light: 1, Things: []vcamera.Thing{
		{Shape: geom.NewBox(geom.Vec{X: 0.4}, geom.Vec{X: 0.05, Y: 0.05}, 0, 0.1), Colour: vcamera.RGB{R: 220}},
	}}
	frame := make([]byte, vcamera.FrameSize)
	vcamera.NewRenderer().Render(frame, s, geom.Pose{}, vcamera.Development{})
	pair := frame[200*vcamera.Stride+2*320:][:4] // Y U Y V of the pixels (320, 200) and (321, 200)
	fmt.Println("reddish:", pair[3] > 160 && pair[1] < 128)
	// Output: reddish: true
}
