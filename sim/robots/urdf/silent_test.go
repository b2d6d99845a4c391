// SPDX-License-Identifier: Apache-2.0

package urdf_test

import (
	"math"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/urdf"
)

// TestQuaternionsOfOrigins: quat_xyzw of URDF 1.1 turns joints, shapes and masses.
func TestQuaternionsOfOrigins(t *testing.T) {
	const at = `<origin xyz="0.1 0 0.05" quat_xyzw="0 0 0.70710678 0.70710678"/>`
	r, err := urdf.Parse("q", []byte(`<robot name="q" version="1.2">
		<link name="a"><collision>`+at+`<geometry><capsule radius="0.02" length="0.05"/></geometry></collision>
		<inertial>`+at+`<mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
		<link name="b"/><joint name="j" type="fixed"><parent link="a"/><child link="b"/>`+at+`</joint></robot>`))
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]description.Pose{"joint": r.Joints[0].Origin, "shape": r.Links[0].Collisions[0].Pose, "mass": r.Links[0].Inertial.Pose} {
		if roll, pitch, yaw := p.RPY(); math.Abs(roll)+math.Abs(pitch)+math.Abs(yaw-math.Pi/2) > 1e-7 || p.Position.X != 0.1 || p.Position.Z != 0.05 {
			t.Errorf("%s: %+v", name, p)
		}
	}
	again, err := urdf.Parse("q", urdf.Write(r))
	if err != nil || !again.Joints[0].Origin.Near(r.Joints[0].Origin, 1e-9, 1e-7) {
		t.Errorf("%v: %+v", err, again)
	}
}

// TestGeometryThatIsNotUnderstoodIsAnError: it names the line and the word; the file is not used without it.
func TestGeometryThatIsNotUnderstoodIsAnError(t *testing.T) {
	joint := func(inside string) string {
		return `<link name="a"/><link name="b"/><joint name="j" type="continuous"><parent link="a"/><child link="b"/>` + inside + `</joint>`
	}
	shape := func(inside string) string {
		return `<link name="a"><collision><geometry>` + inside + `</geometry></collision></link>`
	}
	for text, want := range map[string]string{
		joint(`<origin xyz="1 0 0" rpy="0 0 1" quat_xyzw="0 0 0 1"/>`):       "both rpy and quat_xyzw",
		joint(`<origin quat_xyzw="0 0 0 0"/>`):                               "length 0",
		joint(`<origin quat_xyzw="0 0 1"/>`):                                 "3 numbers, not 4",
		joint(`<origin quat_xyzw="0 0 nan 1"/>`):                             "no finite number",
		joint(`<origin quat="0 0 1 1"/>`):                                    `quat="0 0 1 1"`,
		joint(`<origin xyz="1 0 0" unit="mm"/>`):                             `unit="mm"`,
		joint(`<axis xyz="0 0 1" rpy="1 0 0"/>`):                             `rpy="1 0 0"`,
		joint(`<pose>1 0 0 0 0 0</pose>`):                                    "<pose>: it is not understood",
		joint(`<limit lower="-1" uper="1"/>`):                                `uper="1"`,
		shape(`<box size="1 1 1" scale="2"/>`):                               `scale="2"`,
		shape(`<box size="1 1 1"/><sphere radius="3"/>`):                     "<sphere>: it is not understood",
		shape(`<cone radius="1" length="2"/>`):                               "no box, cylinder, capsule, sphere or mesh",
		`<link name="a"/><model name="more"/>`:                               "<model>",
		`<link name="${p}a"/>`:                                               "xacro",
		`<link name="a"><xacro:wheel/></link>`:                               "xacro",
		`<link name="a"><visual name="$(arg n)"><geometry/></visual></link>`: "xacro",
		joint(`<limit velocity="-1"/>`):                                      "a bound is 0 or more",
	} {
		_, err := urdf.Parse("file", []byte("<robot name=\"r\">\n"+text+"</robot>"))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "file:2:") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := urdf.Parse("file", []byte(`<robot name="r" version="2.0"><link name="a"/></robot>`)); err == nil || !strings.Contains(err.Error(), `version "2.0"`) {
		t.Error(err)
	}
	r, err := urdf.Parse("file", []byte(`<robot name="r"><link name="a"><self_collision_checking/></link><gazebo><pose>0 0 1 0 0 0</pose></gazebo></robot>`))
	if err != nil || len(r.Ignored) != 2 {
		t.Errorf("what moves nothing is a remark: %+v, %v", r, err)
	}
}

// TestAbsentZeroAndUnlimitedAreThreeValues: also when written out again.
func TestAbsentZeroAndUnlimitedAreThreeValues(t *testing.T) {
	for attributes, want := range map[string]struct {
		velocity, effort description.Bound
		written          string
	}{
		``:                              {description.Bound{}, description.Bound{}, `<limit lower="0" upper="0"/>`},
		`velocity="0"`:                  {description.AtMost(0), description.Bound{}, `<limit lower="0" upper="0" velocity="0"/>`},
		`effort="0" velocity="3"`:       {description.AtMost(3), description.AtMost(0), `<limit lower="0" upper="0" effort="0" velocity="3"/>`},
		`effort="inf" velocity="1e16"`:  {description.Unlimited(), description.Unlimited(), `<limit lower="0" upper="0" effort="1e+16" velocity="1e+16"/>`},
		`effort="1e99" velocity="+Inf"`: {description.Unlimited(), description.Unlimited(), `<limit lower="0" upper="0" effort="1e+16" velocity="1e+16"/>`},
	} {
		text := `<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous"><parent link="a"/><child link="b"/><limit ` +
			attributes + `/></joint></robot>`
		r, err := urdf.Parse("r", []byte(text))
		if err != nil {
			t.Fatal(attributes, err)
		}
		for range 2 {
			if l := r.Joints[0].Limit; l.Velocity != want.velocity || l.Effort != want.effort {
				t.Errorf("%s: %+v", attributes, l)
			}
			out := urdf.Write(r)
			if !strings.Contains(string(out), want.written) {
				t.Errorf("%s: %s", attributes, out)
			}
			if r, err = urdf.Parse("r", out); err != nil {
				t.Fatal(err)
			}
		}
	}
}
