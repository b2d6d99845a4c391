// SPDX-License-Identifier: Apache-2.0

package urdf_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/urdf"
)

// parsed reads a robot of this text.
func parsed(t *testing.T, inside string) *description.Robot {
	t.Helper()
	r, err := urdf.Parse("r", []byte(`<robot name="r">`+inside+`</robot>`))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A material's color holds under its name in the whole file: given at the top, at any position, or by the first
// visual that has both. A visual's own color counts before it.
func TestMaterialsByName(t *testing.T) {
	const (
		red   = `<color rgba="1 0 0 1"/>`
		green = `<color rgba="0 1 0 1"/>`
	)
	visual := func(material string) string {
		return `<visual><geometry><sphere radius="1"/></geometry>` + material + `</visual>`
	}
	for name, c := range map[string]struct{ text, want string }{
		"none": {`<link name="a">` + visual(``) + `</link>`, "-"},
		"above the link": {`
			<material name="paint">` + red + `</material>
			<link name="a">` + visual(`<material name="paint"/>`) + `</link>`, "red"},
		"below the link": {`
			<link name="a">` + visual(`<material name="paint"/>`) + `</link>
			<material name="paint">` + red + `</material>`, "red"},
		"in an earlier visual": {`
			<link name="a">` + visual(`<material name="paint">`+red+`</material>`) + visual(`<material name="paint"/>`) + `</link>`, "red red"},
		"its own before that of the name": {`
			<material name="paint">` + red + `</material>
			<link name="a">` + visual(`<material name="paint">`+green+`</material>`) + visual(`<material name="paint"/>`) + `</link>`, "green red"},
		"the first of two visuals counts": {`
			<link name="a">` + visual(`<material name="paint">`+green+`</material>`) + visual(`<material name="paint">`+red+`</material>`) +
			visual(`<material name="paint"/>`) + `</link>`, "green red green"},
		"without a name it is that visual's alone": {`
			<link name="a">` + visual(`<material name="">`+red+`</material>`) + visual(`<material name=""/>`) + `</link>`, "red -"},
		"a name that nothing explains": {`<link name="a">` + visual(`<material name="Gazebo/Orange"/>`) + `</link>`, "-"},
		"a texture has no color":       {`<link name="a">` + visual(`<material name="m"><texture filename="m.png"/></material>`) + `</link>`, "-"},
	} {
		var got string
		for _, v := range parsed(t, c.text).Links[0].Visuals {
			switch {
			case v.Color == nil:
				got += " -"
			case *v.Color == [4]float64{1, 0, 0, 1}:
				got += " red"
			case *v.Color == [4]float64{0, 1, 0, 1}:
				got += " green"
			default:
				got += fmt.Sprint(" ", *v.Color)
			}
		}
		if got != " "+c.want {
			t.Errorf("%s:%s, want %s", name, got, c.want)
		}
	}
}

func TestShapesOfVisualsAndCollisions(t *testing.T) {
	one := r3.Vec{X: 1, Y: 1, Z: 1}
	for text, want := range map[string]description.Shape{
		`<geometry><mesh filename="a.stl"/></geometry>`:                     {Kind: description.Mesh, URI: "a.stl", Size: one},
		`<geometry><mesh filename="a.stl" scale="1 -1 1"/></geometry>`:      {Kind: description.Mesh, URI: "a.stl", Size: r3.Vec{X: 1, Y: -1, Z: 1}},
		`<geometry><box size="1 2 3"/></geometry>`:                          {Kind: description.Box, Size: r3.Vec{X: 1, Y: 2, Z: 3}},
		`<geometry><cylinder radius="1" length="2"/></geometry>`:            {Kind: description.Cylinder, Radius: 1, Length: 2},
		`<geometry><capsule radius="1"/></geometry>`:                        {Kind: description.Capsule, Radius: 1},
		`<origin/><geometry><sphere radius="1e-3"/></geometry>`:             {Kind: description.Sphere, Radius: .001},
		`<origin xyz="1 2 3"/><geometry><sphere radius="1"/></geometry>`:    {Kind: description.Sphere, Radius: 1, Pose: description.Pose{Position: r3.Vec{X: 1, Y: 2, Z: 3}}},
		`<geometry><sphere radius="1"/></geometry><origin rpy="3.2 0 0"/>`:  {Kind: description.Sphere, Radius: 1, Pose: description.FromRPY(r3.Vec{}, 3.2-2*math.Pi, 0, 0)},
		`<origin xyz=" 0 0  1 "/><geometry><sphere radius="2"/></geometry>`: {Kind: description.Sphere, Radius: 2, Pose: description.Pose{Position: r3.Vec{Z: 1}}},
	} {
		r := parsed(t, `<link name="a"><visual>`+text+`</visual><collision name="c">`+text+`</collision></link>`)
		named := want
		named.Name = "c"
		link := description.Link{Name: "a", Visuals: []description.Shape{want}, Collisions: []description.Shape{named}}
		if diff := cmp.Diff([]description.Link{link}, r.Links, poses); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// What is not said of a mass is 0; a link without one has none.
func TestMasses(t *testing.T) {
	for text, want := range map[string]*description.Inertial{
		``:                                       nil,
		`<inertial/>`:                            {},
		`<inertial><mass value="2"/></inertial>`: {Mass: 2},
		`<inertial><mass value="2"/><inertia ixx="1" izz="3"/></inertial>`:         {Mass: 2, Moments: [6]float64{0: 1, 5: 3}},
		`<inertial><origin xyz="0 0 .5" rpy="0 0 1"/><mass value="1"/></inertial>`: {Mass: 1, Pose: description.FromRPY(r3.Vec{Z: .5}, 0, 0, 1)},
	} {
		if diff := cmp.Diff(want, parsed(t, `<link name="a">`+text+`</link>`).Links[0].Inertial, poses); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}
