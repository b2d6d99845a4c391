// SPDX-License-Identifier: Apache-2.0

package urdf_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
	"github.com/epuck-ros2/epuck-driver/sim/robots/urdf"
	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

const whole = `<?xml version="1.0"?>
<robot name="whole" version="1.0" xmlns:xacro="http://ros.org/xacro">
  <material name="red"><color rgba="1 0 0 0.5"/></material>
  <link name="base">
    <inertial><origin xyz="0 0 1"/><mass value="2"/><inertia ixx="1" ixy="2" ixz="3" iyy="4" iyz="5" izz="6"/></inertial>
    <visual name="v"><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><geometry><box size="1 2 3"/></geometry><material name="red"/></visual>
    <visual><geometry><mesh filename="package://p/m.dae" scale="2 2 2"/></geometry><material name="x"><color rgba="0 1 0 1"/></material></visual>
    <collision><geometry><sphere radius="0.5"/></geometry></collision>
  </link>
  <link name="wheel"><collision><geometry><cylinder radius="0.1" length="0.02"/></geometry></collision></link>
  <joint name="spin" type="continuous">
    <parent link="base"/><child link="wheel"/><origin xyz="0 0.2 0"/><axis xyz="0 2 0"/>
    <dynamics damping="0.1" friction="0.2"/><safety_controller k_velocity="1"/>
  </joint>
  <link name="lift"><visual><geometry><capsule radius="1" length="2"/></geometry></visual></link>
  <joint name="raise" type="prismatic">
    <parent link="base"/><child link="lift"/><axis xyz="0 0 1"/><limit lower="-1" upper="2" velocity="3" effort="4"/>
    <mimic joint="spin" multiplier="2" offset="1"/>
  </joint>
  <transmission name="t"><type>x</type></transmission>
  <gazebo reference="lift">
    <material>Gazebo/Red</material>
    <sensor name="scan" type="gpu_lidar"><pose>0 0 1 0 0 0</pose><update_rate>5</update_rate><always_on>1</always_on><topic>scan</topic>
      <lidar><scan><horizontal><samples>360</samples><resolution>1</resolution><min_angle>-1</min_angle><max_angle>1</max_angle></horizontal></scan>
      <range><min>0.1</min><max>3</max><resolution>0.01</resolution></range><noise><type>gaussian</type><mean>0.1</mean><stddev>0.2</stddev></noise></lidar>
    </sensor>
    <sensor name="odd" type="altimeter"/>
  </gazebo>
</robot>`

func TestEveryElement(t *testing.T) {
	r, err := urdf.Parse("whole.urdf", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	yaw := description.FromRPY(r3.Vec{X: 1, Y: 2, Z: 3}, 0, 0, math.Pi/2)
	want := &description.Robot{
		Name: "whole",
		Links: []description.Link{
			{
				Name:     "base",
				Inertial: &description.Inertial{Mass: 2, Pose: description.Pose{Position: r3.Vec{Z: 1}}, Moments: [6]float64{1, 2, 3, 4, 5, 6}},
				Visuals: []description.Shape{
					{Name: "v", Kind: description.Box, Pose: yaw, Size: r3.Vec{X: 1, Y: 2, Z: 3}, Color: &[4]float64{1, 0, 0, .5}},
					{Kind: description.Mesh, URI: "package://p/m.dae", Size: r3.Vec{X: 2, Y: 2, Z: 2}, Color: &[4]float64{0, 1, 0, 1}},
				},
				Collisions: []description.Shape{{Kind: description.Sphere, Radius: .5}},
			},
			{Name: "wheel", Collisions: []description.Shape{{Kind: description.Cylinder, Radius: .1, Length: .02}}},
			{Name: "lift", Visuals: []description.Shape{{Kind: description.Capsule, Radius: 1, Length: 2}}},
		},
		Joints: []description.Joint{
			{Name: "spin", Kind: description.Continuous, Parent: "base", Child: "wheel", Origin: description.Pose{Position: r3.Vec{Y: .2}}, Axis: r3.Vec{Y: 1}, Damping: .1, Friction: .2},
			{Name: "raise", Kind: description.Prismatic, Parent: "base", Child: "lift", Axis: r3.Vec{Z: 1},
				Limit: &description.Limit{Lower: -1, Upper: 2, Velocity: description.AtMost(3), Effort: description.AtMost(4)}, Mimic: &description.Mimic{Joint: "spin", Multiplier: 2, Offset: 1}},
		},
		Devices: []description.Device{{
			Name: "scan", Kind: description.Lidar, Link: "lift", Pose: description.Pose{Position: r3.Vec{Z: 1}}, Rate: 5, Unasked: true, Topic: "scan",
			Range: &description.Range{Min: .1, Max: 3, Resolution: .01, Rays: 1}, Fan: &description.Fan{Samples: 360, MinAngle: -1, MaxAngle: 1},
			Noise: description.Noise{Mean: .1, Deviation: .2}, Line: 23,
		}},
		Ignored: []description.Remark{{Line: 13, Text: `<safety_controller> of joint "spin"`}, {Line: 20, Text: "<transmission> in <robot>"}, {Line: 22, Text: "<material> in <gazebo>"}, {Line: 27, Text: `a sensor of type "altimeter"`}},
	}
	if diff := cmp.Diff(want, r, poses); diff != "" {
		t.Error(diff)
	}
}

// poses compares poses by where they are.
var poses = cmp.Comparer(func(a, b description.Pose) bool { return a.Near(b, 1e-12, 2e-7) })

func TestFaultsNameFileLineAndElement(t *testing.T) {
	for want, text := range map[string]string{
		`r:1: <html>: a robot of URDF begins`:               `<html/>`,
		`r:1: <robot>: it has no name`:                      `<robot><link name="a"/></robot>`,
		`r:2: <joint>: it has no <child>`:                   "<robot name=\"r\"><link name=\"a\"/>\n<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/></joint></robot>",
		`r:2: <axis>: an axis of length 0`:                  "<robot name=\"r\"><joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/>\n<axis xyz=\"0 0 0\"/></joint></robot>",
		`r:1: <joint>: a revolute joint needs a <limit>`:    `<robot name="r"><joint name="j" type="revolute"><parent link="a"/><child link="b"/></joint></robot>`,
		`r:1: <visual>: it has no <geometry>`:               `<robot name="r"><link name="a"><visual/></link></robot>`,
		`r:1: <geometry>: there is no box`:                  `<robot name="r"><link name="a"><visual><geometry><plane/></geometry></visual></link></robot>`,
		`r:1: <color>: rgba is "1 2": 2 numbers, not 4`:     `<robot name="r"><material name="m"><color rgba="1 2"/></material><link name="a"/></robot>`,
		`r:1: <xacro:include>: this is a file of xacro`:     `<robot name="r"><xacro:include filename="../../etc/passwd"/></robot>`,
		`r:1: document types are not read`:                  `<!DOCTYPE robot SYSTEM "/etc/passwd"><robot name="r"/>`,
		`a box of size {1 -1 0}`:                            `<robot name="r"><link name="a"><visual><geometry><box size="1 -1 0"/></geometry></visual></link></robot>`,
		`no joint "left" that turns`:                        `<robot name="r"><link name="a"/><gazebo><plugin filename="libgazebo_ros_diff_drive.so"><left_joint>left</left_joint><right_joint>right</right_joint><wheel_separation>1</wheel_separation><wheel_diameter>1</wheel_diameter></plugin></gazebo></robot>`,
		`both "a" and "b" hang on nothing`:                  `<robot name="r"><link name="a"/><link name="b"/></robot>`,
		`robot "r" has 5000 links, joints or devices, more`: `<robot name="r">` + strings.Repeat(`<link name="a"/>`, 5000) + `</robot>`,
	} {
		_, err := urdf.Parse("r", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
			continue
		}
		if !errors.Is(err, xmltree.ErrContent) && !errors.Is(err, xmltree.ErrSyntax) && !errors.Is(err, description.ErrTree) && !errors.Is(err, description.ErrValue) {
			t.Errorf("%v is of no kind", err)
		}
	}
}

// A tree as deep and wide as that of a humanoid, with rotations about all axes, has its frames where an independent
// calculation with matrices of 4 × 4 has them.
func TestFortyJointsAgainstMatrices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		text.WriteString(`<robot name="tall"><link name="l0"/>`)
		frames := [][4][4]float64{{{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}}}
		angle, length := rapid.Float64Range(-math.Pi, math.Pi), rapid.Float64Range(-1, 1)
		for i := 1; i <= 44; i++ {
			parent := rapid.IntRange(max(0, i-8), i-1).Draw(t, "parent")
			v := []float64{length.Draw(t, "x"), length.Draw(t, "y"), length.Draw(t, "z"), angle.Draw(t, "roll"), angle.Draw(t, "pitch"), angle.Draw(t, "yaw")}
			fmt.Fprintf(&text, `<link name="l%d"/><joint name="j%d" type="fixed"><parent link="l%d"/><child link="l%d"/><origin xyz="%v %v %v" rpy="%v %v %v"/></joint>`,
				i, i, parent, i, v[0], v[1], v[2], v[3], v[4], v[5])
			frames = append(frames, product(frames[parent], homogeneous(v)))
		}
		r, err := urdf.Parse("tall", []byte(text.String()+"</robot>"))
		if err != nil {
			t.Fatal(err)
		}
		poses, err := r.Transforms(nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range frames {
			p := poses[fmt.Sprint("l", i)]
			for k, axis := range []r3.Vec{{}, {X: 1}, {Y: 1}, {Z: 1}} {
				got, want := p.Apply(axis), r3.Vec{X: f[0][3], Y: f[1][3], Z: f[2][3]}
				if k > 0 {
					want = r3.Add(want, r3.Vec{X: f[0][k-1], Y: f[1][k-1], Z: f[2][k-1]})
				}
				if r3.Norm(r3.Sub(got, want)) > 1e-10 {
					t.Fatalf("link %d: %v, want %v", i, got, want)
				}
			}
		}
	})
}

func product(a, b [4][4]float64) (c [4][4]float64) {
	for i := range 4 {
		for k := range 4 {
			for j := range 4 {
				c[i][k] += a[i][j] * b[j][k]
			}
		}
	}
	return c
}

// homogeneous is Rz(yaw) Ry(pitch) Rx(roll), moved.
func homogeneous(v []float64) [4][4]float64 {
	sr, cr := math.Sincos(v[3])
	sp, cp := math.Sincos(v[4])
	sy, cy := math.Sincos(v[5])
	x := [4][4]float64{{1}, {0, cr, -sr}, {0, sr, cr}, {0, 0, 0, 1}}
	y := [4][4]float64{{cp, 0, sp}, {0, 1}, {-sp, 0, cp}, {0, 0, 0, 1}}
	z := [4][4]float64{{cy, -sy, 0, v[0]}, {sy, cy, 0, v[1]}, {0, 0, 1, v[2]}, {0, 0, 0, 1}}
	return product(z, product(y, x))
}

// FuzzParse: whatever a file holds, there is an error or a robot that is written and read again.
func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	for _, name := range library.Names() {
		if r, err := library.Load(name); err == nil {
			f.Add(urdf.Write(r))
		}
	}
	f.Add([]byte(`<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit/></joint></robot>`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := urdf.Parse("f", text)
		if err != nil {
			return
		}
		if _, err := r.Transforms(nil); err != nil {
			t.Fatal(err)
		}
		if _, err := urdf.Parse("again", urdf.Write(r)); err != nil {
			t.Fatalf("%v in\n%s", err, urdf.Write(r))
		}
	})
}

// What can't be of a whole robot names the file, the line and the element, too: circles of joints and of those that
// follow each other, ends that are not there, kinds that there are not.
func TestFaultsOfTheWholeNameTheirLine(t *testing.T) {
	two := "<robot name=\"r\">\n<link name=\"a\"/><link name=\"b\"/><link name=\"c\"/>\n"
	joint := func(name, kind, parent, child, more string) string {
		return "<joint name=\"" + name + "\" type=\"" + kind + "\"><parent link=\"" + parent + "\"/><child link=\"" + child + "\"/>" + more + "</joint>\n"
	}
	for name, c := range map[string]struct{ body, want string }{
		"a kind":               {joint("x", "fixed", "a", "b", "") + joint("y", "warp", "a", "c", ""), `it.urdf:4: <joint>: impossible value: joint "y": kind "warp"`},
		"no parent":            {joint("x", "fixed", "gone", "b", ""), `it.urdf:3: <joint>: links and joints are no tree: joint "x": there is no parent link "gone"`},
		"a link twice":         {"\n<link name=\"a\"/>", `it.urdf:4: <link>: links and joints are no tree: link "a"`},
		"two joints for one":   {joint("x", "fixed", "a", "b", "") + joint("y", "fixed", "c", "b", ""), `it.urdf:2: <link>: links and joints are no tree: link "b" hangs on two joints`},
		"a circle":             {joint("x", "fixed", "b", "c", "") + joint("y", "fixed", "c", "b", ""), `it.urdf:2: <link>: links and joints are no tree: link "b" can't be reached`},
		"it follows itself":    {joint("x", "continuous", "a", "b", `<mimic joint="x"/>`), `it.urdf:3: <joint>: links and joints are no tree: joint "x" follows itself`},
		"they follow each one": {joint("x", "continuous", "a", "b", `<mimic joint="y"/>`) + joint("y", "continuous", "b", "c", `<mimic joint="x"/>`), `it.urdf:3: <joint>: links and joints are no tree: joint "x" follows itself`},
	} {
		_, err := urdf.Parse("it.urdf", []byte(two+c.body+"</robot>"))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if err != nil && strings.Count(err.Error(), "follows itself") > 1 {
			t.Errorf("%s is reported twice: %v", name, err)
		}
	}
	chain := joint("x", "continuous", "a", "b", `<mimic joint="y"/>`) + joint("y", "continuous", "b", "c", "")
	if _, err := urdf.Parse("it.urdf", []byte(two+chain+"</robot>")); err != nil {
		t.Errorf("one that follows: %v", err)
	}
}
