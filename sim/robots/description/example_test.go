// SPDX-License-Identifier: Apache-2.0

package description_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// A mast that turns carries a camera, 10 cm ahead of it.
func mast() *description.Robot {
	ahead := description.Pose{Position: r3.Vec{X: .1}}
	return &description.Robot{
		Name:  "mast",
		Links: []description.Link{{Name: "base"}, {Name: "mast"}, {Name: "camera"}},
		Joints: []description.Joint{
			{Name: "turn", Kind: description.Continuous, Parent: "base", Child: "mast", Axis: r3.Vec{Z: 1}},
			{Name: "mount", Kind: description.Fixed, Parent: "mast", Child: "camera", Origin: ahead},
		},
		Devices: []description.Device{{Name: "eye", Kind: description.Camera, Link: "camera"}},
	}
}

func ExampleRobot_Transforms() {
	poses, err := mast().Transforms(map[string]float64{"turn": math.Pi / 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	p := poses["camera"]
	_, _, yaw := p.RPY()
	fmt.Printf("camera at x %.2f m, y %.2f m, yaw %.2f rad\n", p.Position.X, p.Position.Y, yaw)
	// Output: camera at x 0.00 m, y 0.10 m, yaw 1.57 rad
}

func ExampleRobot_Squash() {
	small := mast().Squash(func(string) bool { return false })
	eye := small.Devices[0]
	fmt.Printf("%d links; the eye is on %s, %.2f m ahead\n", len(small.Links), eye.Link, eye.Pose.Position.X)
	// Output: 2 links; the eye is on mast, 0.10 m ahead
}

func ExampleRobot_Check() {
	r := mast()
	r.Joints[0].Child = "mask"
	r.Devices[0].Rate = -1
	fmt.Println(r.Check())
	// Output:
	// links and joints are no tree: joint "turn": there is no child link "mask"
	// impossible value: line 0: camera "eye": -1 times a second
	// impossible value: line 0: camera "eye": it does not say what it measures
}

func ExampleTable_Quantity() {
	infrared := description.Table{
		{Quantity: 0, Value: 4095}, {Quantity: .02, Value: 384}, {Quantity: .05, Value: 120},
	}
	fmt.Printf("%.3f m, beyond the table %.3f m\n", infrared.Quantity(252), infrared.Quantity(32))
	// Output: 0.035 m, beyond the table 0.060 m
}
