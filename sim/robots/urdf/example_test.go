// SPDX-License-Identifier: Apache-2.0

package urdf_test

import (
	"fmt"
	"math"
	"os"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/urdf"
)

// Where a gripper is with the arm half a turn about.
func ExampleParse() {
	r, err := urdf.Parse("arm.urdf", []byte(`<robot name="arm">
	  <link name="base"/><link name="arm"/><link name="gripper"/>
	  <joint name="shoulder" type="continuous">
	    <parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
	  </joint>
	  <joint name="wrist" type="fixed">
	    <parent link="arm"/><child link="gripper"/><origin xyz="0.25 0 0.1"/>
	  </joint>
	</robot>`))
	if err != nil {
		fmt.Println(err)
		return
	}
	poses, err := r.Transforms(map[string]float64{"shoulder": math.Pi})
	if err != nil {
		fmt.Println(err)
		return
	}
	at := poses["gripper"].Position
	fmt.Printf("%.2f m ahead, %.2f m up\n", at.X, at.Z)
	// Output: -0.25 m ahead, 0.10 m up
}

// A box with a lid, as robot_state_publisher reads it.
func ExampleWrite() {
	_, _ = os.Stdout.Write(urdf.Write(&description.Robot{
		Name:  "case",
		Links: []description.Link{{Name: "box"}, {Name: "lid"}},
		Joints: []description.Joint{{
			Name: "hinge", Kind: description.Revolute, Parent: "box", Child: "lid", Axis: r3.Vec{Y: 1},
			Origin: description.Pose{Position: r3.Vec{Z: 0.2}}, Limit: &description.Limit{Upper: 1.5},
		}},
	}))
	// Output:
	// <?xml version="1.0"?>
	// <robot name="case">
	//   <link name="box">
	//   </link>
	//   <link name="lid">
	//   </link>
	//   <joint name="hinge" type="revolute">
	//     <parent link="box"/>
	//     <child link="lid"/>
	//     <origin xyz="0 0 0.2" rpy="0 0 0"/>
	//     <axis xyz="0 1 0"/>
	//     <limit lower="0" upper="1.5"/>
	//   </joint>
	// </robot>
}
