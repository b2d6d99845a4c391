// SPDX-License-Identifier: Apache-2.0

package proto_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/sim/robots/proto"
)

func ExampleParse() {
	r, err := proto.Parse("eye.proto", []byte(`#VRML_SIM R2023b utf8
PROTO Eye [
  field SFFloat wide 0.84
]
{
  Robot {
    name "eye"
    controller "look_around"
    children [
      HingeJoint {
        jointParameters HingeJointParameters { axis 0 0 1 }
        device RotationalMotor { name "neck" minPosition -1 maxPosition 1 }
        endPoint Camera { translation 0 0 0.1 fieldOfView IS wide }
      }
    ]
  }
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, j := range r.Joints {
		fmt.Printf("%s: %s, holds %s, from %g to %g rad\n", j.Name, j.Kind, j.Child, j.Limit.Lower, j.Limit.Upper)
	}
	for _, d := range r.Devices {
		fmt.Printf("%s: %s on %s\n", d.Name, d.Kind, d.Link)
	}
	for _, i := range r.Ignored {
		fmt.Printf("line %d: %s\n", i.Line, i.Text)
	}
	// Output:
	// neck: revolute, holds camera, from -1 to 1 rad
	// neck: motor on base_link
	// camera: camera on camera
	// line 8: Robot.controller: it has no meaning here
}
