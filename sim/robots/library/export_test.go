// SPDX-License-Identifier: Apache-2.0

package library_test

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
	"github.com/epuck-ros2/epuck-driver/sim/robots/urdf"
)

// neck is a robot of Webots with a joint of two axes and things to be seen, which the thesis' export left out.
const neck = `#VRML_SIM R2023b utf8
Robot {
  name "neck"
  children [
    Pose { translation 0 0 0.1 children [ Shape { appearance PBRAppearance { baseColor 1 0 0 } geometry Box { size 0.2 0.1 0.3 } } ] }
    Hinge2Joint {
      jointParameters HingeJointParameters { axis 0 0 1 anchor 0.1 0 0.3 }
      jointParameters2 JointParameters { axis 0 1 0 }
      device [ RotationalMotor { name "pan" } ]
      device2 [ RotationalMotor { name "tilt" } ]
      endPoint Solid {
        translation 0.15 0.02 0.35
        rotation 0 0 1 0.4
        name "head"
        children [ Shape { geometry Sphere { radius 0.05 } } Shape { geometry Cylinder { radius 0.01 height 0.2 } } ]
      }
    }
  ]
}
`

// TestExportOfTwoAxesAndVisuals: URDF of a Hinge2Joint has two joints, and all that is to be seen; read back, every
// link is where it was, in any position of the joints.
func TestExportOfTwoAxesAndVisuals(t *testing.T) {
	was, err := library.Parse("neck.wbt", []byte(neck))
	if err != nil {
		t.Fatal(err)
	}
	is, err := library.Parse("neck.urdf", urdf.Write(was))
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[description.ShapeKind]int{}
	for i := range is.Links {
		for _, s := range is.Links[i].Visuals {
			kinds[s.Kind]++
		}
	}
	if kinds[description.Box] != 1 || kinds[description.Sphere] != 1 || kinds[description.Cylinder] != 1 || len(is.Joints) != 2 {
		t.Errorf("%v, %d joints", kinds, len(is.Joints))
	}
	for _, at := range []map[string]float64{nil, {"pan": 0.7}, {"tilt": -0.5}, {"pan": -1.2, "tilt": 0.9}} {
		before, err := was.Transforms(at)
		if err != nil {
			t.Fatal(err)
		}
		after, err := is.Transforms(at)
		if err != nil || len(after) != len(before) {
			t.Fatalf("%d links of %d, %v", len(after), len(before), err)
		}
		for link, p := range before {
			for _, v := range []r3.Vec{{}, {X: 1}, {Y: 1}} {
				if d := r3.Norm(r3.Sub(p.Apply(v), after[link].Apply(v))); d > 1e-9 {
					t.Errorf("%v: %s is %g m away", at, link, d)
				}
			}
		}
	}
}
