// SPDX-License-Identifier: Apache-2.0

package sdf_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/sdf"
	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

func TestShapesWithoutAWordHaveTheDefaultsOfSDF(t *testing.T) {
	one := r3.Vec{X: 1, Y: 1, Z: 1}
	for geometry, want := range map[string]description.Shape{
		`<box/>`:      {Kind: description.Box, Size: one},
		`<cylinder/>`: {Kind: description.Cylinder, Radius: 1, Length: 1},
		`<capsule/>`:  {Kind: description.Capsule, Radius: .5, Length: 1},
		`<sphere/>`:   {Kind: description.Sphere, Radius: 1},
		`<mesh><uri>model://m/a.dae</uri></mesh>`:                     {Kind: description.Mesh, URI: "model://m/a.dae", Size: one},
		`<mesh><uri>a.stl</uri><scale>.1 .2 .3</scale></mesh>`:        {Kind: description.Mesh, URI: "a.stl", Size: r3.Vec{X: .1, Y: .2, Z: .3}},
		`<box><size>1 2 3</size></box>`:                               {Kind: description.Box, Size: r3.Vec{X: 1, Y: 2, Z: 3}},
		`<capsule><radius>.1</radius><length>.2</length></capsule>`:   {Kind: description.Capsule, Radius: .1, Length: .2},
		`<cylinder><radius>.1</radius><length>.2</length></cylinder>`: {Kind: description.Cylinder, Radius: .1, Length: .2},
		`<sphere><radius>.1</radius></sphere>`:                        {Kind: description.Sphere, Radius: .1},
	} {
		want.Name = "s"
		for _, element := range []string{"visual", "collision"} {
			r := parsed(t, `<`+element+` name="s"><geometry>`+geometry+`</geometry></`+element+`>`, "")
			link := description.Link{Name: "a"}
			if element == "visual" {
				link.Visuals = []description.Shape{want}
			} else {
				link.Collisions = []description.Shape{want}
			}
			if diff := cmp.Diff([]description.Link{link}, r.Links, near); diff != "" || len(r.Ignored) > 0 {
				t.Errorf("%s of %s: %s%v", element, geometry, diff, r.Ignored)
			}
		}
	}
}

func TestMassesWithoutAWordHaveTheDefaultsOfSDF(t *testing.T) {
	for text, want := range map[string]*description.Inertial{
		``:                                    nil,
		`<inertial/>`:                         {Mass: 1, Moments: [6]float64{1, 0, 0, 1, 0, 1}},
		`<inertial><mass>2</mass></inertial>`: {Mass: 2, Moments: [6]float64{1, 0, 0, 1, 0, 1}},
		`<inertial>
			<pose relative_to="f">0 0 1 0 0 0</pose><mass>3</mass>
			<inertia><ixx>4</ixx><ixy>5</ixy><ixz>6</ixz><iyy>7</iyy><iyz>8</iyz><izz>9</izz></inertia>
		</inertial>`: {Mass: 3, Pose: description.Pose{Position: r3.Vec{X: 1, Z: 1}}, Moments: [6]float64{4, 5, 6, 7, 8, 9}},
	} {
		r := parsed(t, text, `<frame name="f"><pose>1 0 0 0 0 0</pose></frame>`)
		if diff := cmp.Diff(want, r.Links[0].Inertial, near); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

// What is around a model, and its physics parameters, is listed; nothing of it is a fault.
func TestWorldAroundAModel(t *testing.T) {
	r, err := sdf.Parse("m", []byte(`<sdf version="1.6">
		<world name="w">
		<gravity>0 0 -9.8</gravity>
		<include><uri>model://sun</uri></include>
		<model name="m"><static>0</static><self_collide>1</self_collide><pose frame="x">1 2 3 0 0 0</pose>
		<link name="a">
		<gravity>0</gravity>
		<visual name="v"><cast_shadows>0</cast_shadows><geometry><heightmap/></geometry><material><ambient>1 1 1 1</ambient></material></visual>
		</link>
		</model>
		</world></sdf>`))
	if err != nil {
		t.Fatal(err)
	}
	want := "[{2 name of <world>} {3 <gravity> in <world>} {4 <include> in <world>} {7 <gravity> in <link>} " +
		"{8 <cast_shadows> in <visual>} {8 <heightmap> in <geometry>} {8 <ambient> in <material>}]"
	if got := fmt.Sprint(r.Ignored); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if r.Name != "m" || len(r.Links) != 1 || len(r.Links[0].Visuals) != 0 {
		t.Errorf("%+v", r)
	}
}

// TestHostileSizes: a file that is large, deep or in a tangle is refused at a bound, by name.
func TestHostileSizes(t *testing.T) {
	chain := func(n int) string {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, `<frame name="f%d" attached_to="f%d"/>`, i, (i+1)%n)
		}
		return text.String()
	}
	const held = `<joint name="j" type="fixed"><parent>a</parent><child>b</child></joint>`
	for name, c := range map[string]struct {
		text, want string
		is         error
	}{
		"8 MB of elements":     {`<sdf>` + strings.Repeat(`<a/>`, xmltree.MaxSize/4-8) + `</sdf>`, `more than 200000 elements`, xmltree.ErrSyntax},
		"more than 8 MB":       {`<sdf>` + strings.Repeat(` `, xmltree.MaxSize) + `</sdf>`, `bytes are more than`, xmltree.ErrSyntax},
		"depth":                {strings.Repeat(`<sdf>`, 1000), `elements deep`, xmltree.ErrSyntax},
		"100,000 frames":       {`<sdf><model name="m"><link name="a"/>` + chain(100_000) + `</model></sdf>`, `100000 frames, more than 4096`, xmltree.ErrContent},
		"a circle of frames":   {`<sdf><model name="m"><link name="a"><pose relative_to="f0"/></link><link name="b"/>` + chain(4096) + held + `</model></sdf>`, `its pose goes in a circle`, xmltree.ErrContent},
		"a thousand faults":    {`<sdf><model name="m">` + strings.Repeat(`<link/>`, 1000) + `</model></sdf>`, ` more`, xmltree.ErrContent},
		"a hundred of models":  {`<sdf>` + strings.Repeat(`<model name="m"/>`, 100) + `</sdf>`, `there are 100 models`, xmltree.ErrContent},
		"no model in a world":  {`<sdf><world name="w"/></sdf>`, `there are 0 models`, xmltree.ErrContent},
		"no end":               {`<sdf><model name="m">`, `<model> is never closed`, xmltree.ErrSyntax},
		"names kept by libsdf": {`<sdf><model name="m"><link name="a::b"/></model></sdf>`, `its name "a::b" is kept`, xmltree.ErrContent},
	} {
		_, err := sdf.Parse("m", []byte(c.text))
		if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %.200v, want %q", name, err, c.want)
		} else if n := len(err.Error()); n > 128<<10 {
			t.Errorf("%s: an error of %d bytes", name, n)
		}
	}
}

// TestLongestChainIsSquashed: links, with tag long as many as may be, each on the one before, are one link when
// squashed, with the mass of all and its centre in the middle.
func TestLongestChainIsSquashed(t *testing.T) {
	links := 200
	if suite.Long {
		links = description.MaxParts / 2
	}
	var text strings.Builder
	text.WriteString(`<sdf><model name="m">`)
	for i := range links {
		fmt.Fprintf(&text, `<link name="l%d"><pose>%d 0 0 0 0 0</pose><inertial/></link>`, i, i)
		if i > 0 {
			fmt.Fprintf(&text, `<joint name="j%d" type="fixed"><parent>l%d</parent><child>l%d</child></joint>`, i, i-1, i)
		}
	}
	r, err := sdf.Parse("m", []byte(text.String()+`</model></sdf>`))
	if err != nil {
		t.Fatal(err)
	}
	small := r.Squash(func(string) bool { return false })
	if len(small.Links) != 1 || len(small.Joints) != 0 {
		t.Fatalf("%d links, %d joints", len(small.Links), len(small.Joints))
	}
	m := small.Links[0].Inertial
	if off := r3.Sub(m.Pose.Position, r3.Vec{X: float64(links-1) / 2}); m.Mass != float64(links) || r3.Norm(off) > 1e-6 {
		t.Errorf("%g kg, %v from the middle", m.Mass, off)
	}
}
