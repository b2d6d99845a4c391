// SPDX-License-Identifier: Apache-2.0

package urdf_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/urdf"
)

// small has one of what a file of URDF can hold.
func small() *description.Robot {
	return &description.Robot{
		Name: "small",
		Links: []description.Link{
			{Name: "base", Inertial: &description.Inertial{Mass: .5, Moments: [6]float64{.1, 0, 0, .2, 0, .3}}, Visuals: []description.Shape{
				{Name: "hull", Kind: description.Box, Pose: description.Pose{Position: r3.Vec{Z: 1}}, Size: r3.Vec{X: 1, Y: 2, Z: 3}, Color: &[4]float64{1, .5, 0, 1}},
			}},
			{Name: "wheel", Collisions: []description.Shape{{Kind: description.Cylinder, Radius: .02, Length: .01}}},
			{Name: "first"},
		},
		Joints: []description.Joint{{
			Name: "axle", Kind: description.Revolute, Parent: "base", Child: "wheel", Origin: description.Pose{Position: r3.Vec{Y: -.025}},
			Axis: r3.Vec{Y: 1}, Limit: &description.Limit{Lower: -1, Upper: 1, Velocity: description.AtMost(6.28)}, Damping: .5,
			Mimic: &description.Mimic{Joint: "lead", Multiplier: 1},
		}, {Name: "lead", Kind: description.Continuous, Parent: "base", Child: "first", Axis: r3.Vec{Z: 1}}},
		Devices: []description.Device{
			{Name: "ps0", Kind: description.Infrared, Link: "base", Rate: 20, Range: &description.Range{Max: .06, Aperture: .3, Rays: 3},
				Table: description.Table{{Value: 4095}, {Quantity: .06}}},
			{Name: "imu", Kind: description.IMU, Link: "wheel", Unasked: true, Topic: "imu"},
		},
		Drive: &description.Drive{Left: []string{"axle"}, Right: []string{"axle"}, Separation: .05, Radius: .02, CommandTopic: "cmd_vel"},
	}
}

const smallText = `<?xml version="1.0"?>
<robot name="small">
  <link name="base">
    <inertial>
      <origin xyz="0 0 0" rpy="0 0 0"/>
      <mass value="0.5"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.3"/>
    </inertial>
    <visual name="hull">
      <origin xyz="0 0 1" rpy="0 0 0"/>
      <geometry>
        <box size="1 2 3"/>
      </geometry>
      <material name="">
        <color rgba="1 0.5 0 1"/>
      </material>
    </visual>
  </link>
  <link name="wheel">
    <collision>
      <origin xyz="0 0 0" rpy="0 0 0"/>
      <geometry>
        <cylinder radius="0.02" length="0.01"/>
      </geometry>
    </collision>
  </link>
  <link name="first">
  </link>
  <joint name="axle" type="revolute">
    <parent link="base"/>
    <child link="wheel"/>
    <origin xyz="0 -0.025 0" rpy="0 0 0"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" velocity="6.28"/>
    <mimic joint="lead" multiplier="1" offset="0"/>
    <dynamics damping="0.5" friction="0"/>
  </joint>
  <joint name="lead" type="continuous">
    <parent link="base"/>
    <child link="first"/>
    <origin xyz="0 0 0" rpy="0 0 0"/>
    <axis xyz="0 0 1"/>
  </joint>
  <gazebo reference="base">
    <sensor name="ps0" type="custom" gz:type="infrared">
      <pose>0 0 0 0 0 0</pose>
      <update_rate>20</update_rate>
      <range>
        <min>0</min>
        <max>0.06</max>
      </range>
      <aperture>0.3</aperture>
      <rays>3</rays>
      <table>0 4095 0 0.06 0 0</table>
    </sensor>
  </gazebo>
  <gazebo reference="wheel">
    <sensor name="imu" type="imu">
      <pose>0 0 0 0 0 0</pose>
      <always_on>true</always_on>
      <topic>imu</topic>
    </sensor>
  </gazebo>
  <gazebo>
    <plugin filename="gz-sim-diff-drive-system" name="gz::sim::systems::DiffDrive">
      <left_joint>axle</left_joint>
      <right_joint>axle</right_joint>
      <wheel_separation>0.05</wheel_separation>
      <wheel_radius>0.02</wheel_radius>
      <topic>cmd_vel</topic>
    </plugin>
  </gazebo>
</robot>
`

func TestWrittenText(t *testing.T) {
	if diff := cmp.Diff(smallText, string(urdf.Write(small()))); diff != "" {
		t.Error(diff)
	}
	if got := string(urdf.Write(&description.Robot{Name: "none"})); got != "<?xml version=\"1.0\"?>\n<robot name=\"none\">\n</robot>\n" {
		t.Errorf("%q", got)
	}
}

// A zero with a sign is written without it: two files of one robot are the same bytes.
func TestZerosAreWrittenWithoutASign(t *testing.T) {
	r := small()
	r.Joints[0].Origin.Position.X = math.Copysign(0, -1)
	r.Links[0].Visuals[0].Color[2] = math.Copysign(0, -1)
	if diff := cmp.Diff(smallText, string(urdf.Write(r))); diff != "" {
		t.Error(diff)
	}
}

// again is a robot that is written and read.
func again(t testing.TB, r *description.Robot) *description.Robot {
	t.Helper()
	text := urdf.Write(r)
	out, err := urdf.Parse("again", text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return out
}

// same compares robots up to 1e-9; lines of a file are not of the robot.
func same(a, b *description.Robot) string {
	near := cmp.Comparer(func(a, b description.Pose) bool { return a.Near(b, 1e-9, 1e-6) })
	return cmp.Diff(a, b, near, cmpopts.EquateApprox(0, 1e-9),
		cmpopts.IgnoreFields(description.Device{}, "Line"), cmpopts.IgnoreFields(description.Drive{}, "Line"))
}

// Names are any text: what XML has a meaning for is escaped, and comes back.
func TestNamesAreEscaped(t *testing.T) {
	for _, name := range []string{`<`, `a&b`, `say "hi"`, `it's`, `]]>`, `&lt;`, `<!-- -->`, "two\nlines", "tab\there", `ä ⚙ 機`, `a<b a="1"/>`} {
		r := small()
		r.Name, r.Links[0].Name, r.Links[0].Visuals[0].Name = name, name, name
		r.Joints[0].Name, r.Joints[0].Parent, r.Joints[1].Parent = name, name, name
		r.Joints[1].Name, r.Joints[0].Mimic.Joint = "to "+name, "to "+name
		r.Devices[0].Name, r.Devices[0].Link, r.Devices[1].Topic = name, name, name
		r.Drive.Left, r.Drive.Right, r.Drive.OdometryTopic = []string{name}, []string{name}, name
		r.Links[1].Visuals = []description.Shape{{Kind: description.Mesh, URI: name, Size: r3.Vec{X: 1, Y: 1, Z: 1}}}
		if diff := same(r, again(t, r)); diff != "" {
			t.Errorf("%q: %s", name, diff)
		}
	}
}

// TestAnyRobotIsTheSameWrittenAndRead: trees of any shape with devices of every kind, and written once more the
// same text.
func TestAnyRobotIsTheSameWrittenAndRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draws{t}.robot()
		for i := range r.Joints {
			if j := &r.Joints[i]; j.Kind == description.Continuous || j.Kind == description.Revolute {
				if j.Limit != nil && j.Limit.Velocity == description.AtMost(0) {
					j.Limit.Velocity = description.Unlimited() // a wheel that cannot turn is an error
				}
				r.Drive = &description.Drive{Left: []string{j.Name}, Right: []string{j.Name, j.Name}, Separation: .1, Radius: .2, Speed: .3, Acceleration: .4}
			}
		}
		if err := r.Check(); err != nil {
			t.Fatal(err)
		}
		text := urdf.Write(r)
		read, err := urdf.Parse("again", text)
		if err == nil {
			read.Ignored = nil // that a joint does not move here
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if diff := same(r, read); diff != "" {
			t.Fatalf("%s in\n%s", diff, text)
		}
	})
}
