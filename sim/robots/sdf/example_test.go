// SPDX-License-Identifier: Apache-2.0

package sdf_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/sim/robots/sdf"
)

// A model with one wheel and a camera: where they are, and what is not read.
func ExampleParse() {
	r, err := sdf.Parse("cart.sdf", []byte(`<sdf version="1.9">
	  <model name="cart">
	    <link name="body">
	      <sensor name="eye" type="camera"><pose>0.1 0 0 0 0 0</pose><update_rate>30</update_rate></sensor>
	      <light name="lamp" type="point"/>
	    </link>
	    <link name="wheel"><pose>0 0.05 0 0 0 0</pose></link>
	    <joint name="axle" type="revolute">
	      <parent>body</parent><child>wheel</child><axis><xyz>0 1 0</xyz></axis>
	    </joint>
	  </model>
	</sdf>`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, j := range r.Joints {
		fmt.Println(j.Name, j.Kind, j.Parent, j.Child, j.Origin.Position.Y, "m to the left")
	}
	for _, d := range r.Devices {
		fmt.Println(d.Name, d.Kind, d.Pose.Position.X, "m ahead,", d.Rate, "Hz")
	}
	for _, remark := range r.Ignored {
		fmt.Printf("line %d: not read: %s\n", remark.Line, remark.Text)
	}
	// Output:
	// axle continuous body wheel 0.05 m to the left
	// eye camera 0.1 m ahead, 30 Hz
	// line 5: not read: <light> in <link>
}
