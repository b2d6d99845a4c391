// SPDX-License-Identifier: Apache-2.0

package sdf_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/sdf"
	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

// car has two wheels whose links are not where their joints are, a frame, and one sensor of each kind.
const car = `<?xml version="1.0"?>
<sdf version="1.9"><world name="w"><physics name="p" type="ode"/><model name="car" canonical_link="chassis">
  <pose>9 9 9 0 0 0</pose><static>false</static>
  <frame name="axle" attached_to="chassis"><pose degrees="true">0.1 0 0 0 0 90</pose></frame>
  <link name="chassis"><pose>0 0 0.5 0 0 0</pose>
    <inertial><mass>3</mass><pose>0 0 0.1 0 0 0</pose><inertia><ixx>1</ixx><iyy>2</iyy><izz>3</izz></inertia></inertial>
    <visual name="v"><pose relative_to="axle">1 0 0 0 0 0</pose><geometry><box><size>1 2 3</size></box></geometry>
      <material><diffuse>1 0 0 1</diffuse><script/></material></visual>
    <collision name="c"><geometry><plane/></geometry></collision>
    <sensor name="lidar" type="gpu_lidar"><pose>0 0 1 0 0 0</pose><update_rate>10</update_rate><topic>scan</topic><visualize>true</visualize>
      <lidar><scan><horizontal><samples>90</samples><min_angle>-1</min_angle><max_angle>1</max_angle></horizontal></scan>
      <range><min>0.1</min><max>5</max></range></lidar></sensor>
    <sensor name="one" type="ray"><ray><scan><horizontal><samples>1</samples></horizontal></scan><range><min>0</min><max>1</max></range></ray></sensor>
    <sensor name="eye" type="camera"><camera><horizontal_fov>1.0</horizontal_fov><image><width>640</width><height>480</height><format>L8</format></image>
      <clip><near>0.2</near><far>20</far></clip></camera></sensor>
    <sensor name="kinect" type="depth"><camera><image><width>64</width><height>48</height></image></camera></sensor>
    <sensor name="imu" type="imu"><always_on>true</always_on><update_rate>100</update_rate><imu><angular_velocity/></imu></sensor>
    <sensor name="us" type="sonar"><sonar><min>0.2</min><max>2</max><radius>0.5</radius></sonar></sensor>
    <sensor name="bump" type="contact"/><sensor name="compass" type="magnetometer"/><sensor name="gps" type="navsat"/>
    <sensor name="ir" type="custom" gz:type="infrared"><range><min>0</min><max>0.1</max></range><aperture>0.3</aperture><rays>3</rays>
      <noise><type>gaussian_quantized</type><stddev>2</stddev></noise><table>0 4000 0.1  0.1 0 0</table></sensor>
    <sensor name="led" type="custom" ignition:type="led"/>
  </link>
  <link name="left"><pose relative_to="axle">1 0 0 0 0 0</pose></link>
  <link name="right"><pose>0.1 -1 0.5 0 0 0</pose></link>
  <joint name="l" type="revolute"><parent>chassis</parent><child>left</child><axis><xyz expressed_in="__model__">0 1 0</xyz></axis></joint>
  <joint name="r" type="revolute"><pose>0 0 0.25 0 0 0</pose><parent>axle</parent><child>right</child>
    <axis><xyz>0 2 0</xyz><limit><lower>-1e16</lower><upper>1e16</upper><velocity>7</velocity></limit><dynamics><damping>1</damping></dynamics></axis></joint>
  <joint name="ground" type="fixed"><parent>world</parent><child>chassis</child></joint>
  <plugin filename="gz-sim-diff-drive-system" name="gz::sim::systems::DiffDrive"><left_joint>l</left_joint><right_joint>r</right_joint>
    <wheel_separation>2</wheel_separation><wheel_radius>0.25</wheel_radius><topic>go</topic><max_linear_velocity>1.5</max_linear_velocity></plugin>
  <plugin filename="gz-sim-joint-state-publisher-system" name="x"><topic>j</topic></plugin>
  <plugin filename="other.so" name="y"/>
</model></world></sdf>`

func TestEveryElement(t *testing.T) {
	r, err := sdf.Parse("car", []byte(car))
	if err != nil {
		t.Fatal(err)
	}
	poses, err := r.Transforms(map[string]float64{"r": math.Pi})
	if err != nil {
		t.Fatal(err)
	}
	// Relative to chassis, which is 0.5 above the model's frame. The right wheel goes about its joint, 0.25 above it.
	for link, want := range map[string]r3.Vec{"chassis": {}, "left": {X: .1, Y: 1}, "r": {X: .1, Y: -1, Z: .25}, "right": {X: .1, Y: -1, Z: .5}} {
		if got := poses[link].Position; r3.Norm(r3.Sub(got, want)) > 1e-12 {
			t.Errorf("%s at %v, want %v", link, got, want)
		}
	}
	joints := map[string]description.Joint{}
	for _, j := range r.Joints {
		joints[j.Name] = j
	}
	// The left joint's frame is turned by 90°, and its axis given in the model's.
	if l := joints["l"]; l.Kind != description.Continuous || r3.Norm(r3.Sub(l.Axis, r3.Vec{X: 1})) > 1e-12 {
		t.Errorf("left joint %+v", l)
	}
	if j := joints["r"]; j.Kind != description.Continuous || j.Axis != (r3.Vec{Y: 1}) || j.Limit.Velocity != description.AtMost(7) || j.Damping != 1 || j.Parent != "chassis" {
		t.Errorf("right joint %+v", j)
	}
	if v := r.Links[0].Visuals[0]; r3.Norm(r3.Sub(v.Pose.Position, r3.Vec{X: .1, Y: 1})) > 1e-12 || *v.Color != [4]float64{1, 0, 0, 1} {
		t.Errorf("the box %+v", v)
	}
	if d := r.Drive; d == nil || d.Separation != 2 || d.Radius != .25 || d.Speed != 1.5 || d.CommandTopic != "go" || d.Left[0] != "l" {
		t.Errorf("drive %+v", d)
	}
	var kinds []string
	for _, d := range r.Devices {
		kinds = append(kinds, d.Name+":"+string(d.Kind))
	}
	if got, want := strings.Join(kinds, " "), "lidar:lidar one:infrared eye:camera kinect:depth imu:imu us:sonar bump:contact compass:magnetometer gps:gps ir:infrared led:led"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if ir := r.Devices[9]; ir.Range.Aperture != .3 || ir.Range.Rays != 3 || ir.Noise.Deviation != 2 || len(ir.Table) != 2 || ir.Table[0] != (description.Row{Quantity: 0, Value: 4000, Noise: .1}) {
		t.Errorf("%+v", ir)
	}
	if us := r.Devices[5]; math.Abs(us.Range.Aperture-2*math.Atan(.25)) > 1e-12 {
		t.Errorf("%+v", us.Range)
	}
	if eye := r.Devices[2].Image; math.Abs(eye.Focal()-320/math.Tan(.5)) > 1e-9 || eye.Format != "L8" {
		t.Errorf("%+v", eye)
	}
	want := "[{2 name of <world>} {2 <physics> in <world>} {8 <script> in <material>} {9 <plane> in <geometry>} {33 the plug-in \"y\" of \"other.so\"}]"
	if got := fmt.Sprint(r.Ignored); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestFaultsNameFileLineAndElement(t *testing.T) {
	model := func(inside string) string {
		return `<sdf version="1.9"><model name="m"><link name="a"/><link name="b"/>` + inside + `</model></sdf>`
	}
	for want, text := range map[string]string{
		`m:1: <robot>: a file of SDF begins`:          `<robot/>`,
		`there are 0 models in it`:                    `<sdf/>`,
		`there are 2 models in it`:                    `<sdf><model name="a"/><model name="b"/></sdf>`,
		`there is no frame "x"`:                       model(`<frame name="f"><pose relative_to="x"/></frame><joint name="j" type="fixed"><pose relative_to="f"/><parent>a</parent><child>b</child></joint>`),
		`its pose goes in a circle, by "f"`:           model(`<frame name="f"><pose relative_to="g"/></frame><frame name="g"><pose relative_to="f"/></frame><joint name="j" type="fixed"><pose relative_to="f"/><parent>a</parent><child>b</child></joint>`),
		`its name "a" is kept for others, or another`: model(`<frame name="a"/>`),
		`its name "__x" is kept`:                      model(`<frame name="__x"/>`),
		`the pose is "1 2": 2 numbers, not 6`:         model(`<frame name="f"><pose>1 2</pose></frame>`),
		`the pose is "1 2": 2 numbers, not 7`:         model(`<frame name="f"><pose rotation_format="quat_xyzw">1 2</pose></frame>`),
		`a quaternion of length 0`:                    model(`<frame name="f"><pose rotation_format="quat_xyzw">0 0 0 0 0 0 0</pose></frame>`),
		`<joint>: it has no <parent>`:                 model(`<joint name="j" type="fixed"><child>b</child></joint>`),
		`a revolute joint needs an <axis>`:            model(`<joint name="j" type="revolute"><parent>a</parent><child>b</child></joint>`),
		`<axis>: an axis of length 0`:                 model(`<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 0</xyz></axis></joint>`),
		`there is no child link "x"`:                  model(`<joint name="j" type="fixed"><parent>a</parent><child>x</child></joint>`),
		`kind "bowl"`:                                 model(`<joint name="j" type="bowl"><parent>a</parent><child>b</child></joint>`),
		`noise of type "pink"`:                        `<sdf><model name="m"><link name="a"><sensor name="s" type="ray"><ray><noise><type>pink</type></noise></ray></sensor></link></model></sdf>`,
		`the table is "1 2": 2 numbers, not 3`:        `<sdf><model name="m"><link name="a"><sensor name="s" type="custom" gz:type="light"><table>1 2</table></sensor></link></model></sdf>`,
		`<visual>: it has no <geometry>`:              `<sdf><model name="m"><link name="a"><visual name="v"/></link></model></sdf>`,
		`5000 links and joints, more than 4096`:       `<sdf><model name="m">` + strings.Repeat(`<link name="a"/>`, 5000) + `</model></sdf>`,
		`pictures of 100000 × 1`:                      `<sdf><model name="m"><link name="a"><sensor name="s" type="camera"><camera><image><width>100000</width><height>1</height></image></camera></sensor></link></model></sdf>`,
		`2000000 rays`:                                `<sdf><model name="m"><link name="a"><sensor name="s" type="ray"><ray><scan><horizontal><samples>2000000</samples></horizontal></scan></ray></sensor></link></model></sdf>`,
	} {
		_, err := sdf.Parse("m", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
			continue
		}
		if !errors.Is(err, xmltree.ErrContent) && !errors.Is(err, description.ErrTree) && !errors.Is(err, description.ErrValue) {
			t.Errorf("%v is of no kind", err)
		}
	}
}

// A caster's ball does not move here, and that is said.
func TestCasters(t *testing.T) {
	r, err := sdf.Parse("m", []byte(`<sdf><model name="m"><link name="a"/><link name="b"><pose>1 0 0 0 0 0</pose></link>`+
		`<joint name="j" type="ball"><parent>a</parent><child>b</child></joint></model></sdf>`))
	if err != nil {
		t.Fatal(err)
	}
	if j := r.Joints[0]; j.Kind != description.Fixed || j.Origin.Position.X != 1 || fmt.Sprint(r.Ignored) != `[{1 that joint "j", a ball, moves}]` {
		t.Errorf("%+v, %v", j, r.Ignored)
	}
}

// Wherever a joint is in its child, the links are where the file says while the joint is at 0, and turn about the
// joint.
func TestLinksAreWhereTheFileSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64Range(-1.5, 1.5)
		pose := func(name string) (string, description.Pose) {
			v := rapid.SliceOfN(f, 6, 6).Draw(t, name)
			return strings.Trim(fmt.Sprint(v), "[]"), description.FromRPY(r3.Vec{X: v[0], Y: v[1], Z: v[2]}, v[3], v[4], v[5])
		}
		a, poseA := pose("a")
		b, poseB := pose("b")
		j, poseJ := pose("j")
		r, err := sdf.Parse("m", []byte(`<sdf><model name="m"><link name="a"><pose>`+a+`</pose></link><link name="b"><pose>`+b+`</pose></link>`+
			`<joint name="j" type="revolute"><pose>`+j+`</pose><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>`))
		if err != nil {
			t.Fatal(err)
		}
		angle := f.Draw(t, "angle")
		poses, err := r.Transforms(map[string]float64{"j": angle})
		if err != nil {
			t.Fatal(err)
		}
		joint := poseB.Then(poseJ)
		want := joint.Then(description.FromAxis(r3.Vec{}, r3.Vec{Z: 1}, angle)).Then(poseJ.Inverse())
		if got := poseA.Then(poses["b"]); !got.Near(want, 1e-9, 1e-7) {
			t.Fatalf("%+v, want %+v", got, want)
		}
	})
}

// FuzzParse: any file yields an error or a robot whose frames can be computed.
func FuzzParse(f *testing.F) {
	f.Add([]byte(car))
	f.Add([]byte(`<sdf><model name="m"><link name="a"/><frame name="f"><pose relative_to="a">1 2 3 0 0 0</pose></frame></model></sdf>`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := sdf.Parse("f", text)
		if err != nil {
			return
		}
		if _, err := r.Transforms(nil); err != nil {
			t.Fatal(err)
		}
		if err := r.Squash(func(string) bool { return false }).Check(); err != nil {
			t.Fatal(err)
		}
	})
}
