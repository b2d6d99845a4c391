// SPDX-License-Identifier: Apache-2.0

package sdf_test

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/sdf"
)

// TestGeometryThatIsNotUnderstoodIsAnError: it names the line and the word; the file is not used without it.
func TestGeometryThatIsNotUnderstoodIsAnError(t *testing.T) {
	for text, want := range map[string]string{
		`<link name="a"/><model name="m2"><link name="b"/></model>`:                                                                    "<model>: it is not understood",
		`<link name="a"/><include><uri>model://wheel</uri></include>`:                                                                  "<include>: it is not understood",
		`<pose>0 0 1 0 0.5 0</pose><link name="a"/>`:                                                                                   "the model leans",
		`<link name="a"><pose rotation_format="euler_xyz">0 0 1 0 0.5 0</pose></link>`:                                                 `rotation_format "euler_xyz"`,
		`<link name="a"><pose rotation_format="quat_xyzw" degrees="true">0 0 1 0 0 0 1</pose></link>`:                                  "no degrees",
		`<link name="a"><pose frame="b">0 0 1 0 0 0</pose></link>`:                                                                     `frame="b"`,
		`<link name="a"><collision name="c"><geometry><ellipsoid><radii>1 2 3</radii></ellipsoid></geometry></collision></link>`:       "<ellipsoid> is not understood",
		`<link name="a"><collision name="c"><geometry><polyline/></geometry></collision></link>`:                                       "<polyline> is not understood",
		`<link name="a"><collision name="c"><geometry><box><size>1 1 1</size><scale>2 2 2</scale></box></geometry></collision></link>`: "<scale>: it is not understood",
		`<link name="a"><sensor name="s" type="camera"><camera><pose>1 0 0 0 0 0</pose></camera></sensor></link>`:                      "<pose>: it is not understood",
	} {
		_, err := sdf.Parse("file", []byte("<sdf version=\"1.9\"><model name=\"r\">\n"+text+"</model></sdf>"))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "file:2:") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestAxisInTheModelsFrame: SDF up to 1.6 has an element for it.
func TestAxisInTheModelsFrame(t *testing.T) {
	for value, want := range map[string]r3.Vec{"true": {X: 1}, "0": {Z: 1}} {
		r, err := sdf.Parse("file", []byte(`<sdf version="1.6"><model name="r"><link name="a"/><link name="b"><pose>0 0 0 0 1.5707963267948966 0</pose></link>
			<joint name="j" type="continuous"><parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz><use_parent_model_frame>`+value+`</use_parent_model_frame></axis></joint></model></sdf>`))
		if err != nil {
			t.Fatal(err)
		}
		j := r.Joints[0]
		axis := j.Origin.Apply(j.Axis) // in the model
		if value == "0" {
			want = r3.Vec{Z: -1}
		}
		if d := r3.Norm(r3.Sub(axis, want)); d > 1e-9 {
			t.Errorf("%s: %v, want %v", value, axis, want)
		}
	}
}
