// SPDX-License-Identifier: Apache-2.0

package urdf_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/urdf"
	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

// jointed is a robot of two links with a joint j that has this kind and these things in it.
func jointed(kind, inside string) string {
	return `<link name="a"/><link name="b"/><joint name="j" type="` + kind + `"><parent link="a"/><child link="b"/>` + inside + `</joint>`
}

func TestJointsWithoutAWordHaveTheDefaultsOfURDF(t *testing.T) {
	x := r3.Vec{X: 1}
	for name, c := range map[string]struct {
		kind, inside string
		want         description.Joint
	}{
		"fixed":                   {"fixed", ``, description.Joint{Kind: description.Fixed, Axis: x}},
		"floating":                {"floating", ``, description.Joint{Kind: description.Floating, Axis: x}},
		"planar":                  {"planar", `<axis xyz="0 0 1"/>`, description.Joint{Kind: description.Planar, Axis: r3.Vec{Z: 1}}},
		"continuous about x":      {"continuous", ``, description.Joint{Kind: description.Continuous, Axis: x}},
		"an axis without numbers": {"continuous", `<axis/>`, description.Joint{Kind: description.Continuous, Axis: x}},
		"an axis of any length":   {"continuous", `<axis xyz="0 -3 4"/>`, description.Joint{Kind: description.Continuous, Axis: r3.Vec{Y: -.6, Z: .8}}},
		"no axis where none is needed": {"fixed", `<axis xyz="0 0 0"/>`,
			description.Joint{Kind: description.Fixed, Axis: x}},
		"limits of 0": {"revolute", `<limit/>`, description.Joint{Kind: description.Revolute, Axis: x, Limit: &description.Limit{}}},
		"a limit on one side": {"prismatic", `<limit upper="0.5" effort="1"/>`,
			description.Joint{Kind: description.Prismatic, Axis: x, Limit: &description.Limit{Upper: .5, Effort: description.AtMost(1)}}},
		"a wheel's speed": {"continuous", `<limit velocity="6.28" effort="1"/>`,
			description.Joint{Kind: description.Continuous, Axis: x, Limit: &description.Limit{Velocity: description.AtMost(6.28), Effort: description.AtMost(1)}}},
		"dynamics": {"continuous", `<dynamics friction="2"/>`, description.Joint{Kind: description.Continuous, Axis: x, Friction: 2}},
		"an origin": {"fixed", `<origin xyz="1 2 3" rpy="0 0 3.141592653589793"/>`,
			description.Joint{Kind: description.Fixed, Axis: x, Origin: description.FromRPY(r3.Vec{X: 1, Y: 2, Z: 3}, 0, 0, math.Pi)}},
		"mimic": {"continuous", `<mimic joint="k"/></joint><link name="c"/><joint name="k" type="fixed"><parent link="b"/><child link="c"/>`,
			description.Joint{Kind: description.Continuous, Axis: x, Mimic: &description.Mimic{Joint: "k", Multiplier: 1}}},
	} {
		r := parsed(t, jointed(c.kind, c.inside))
		c.want.Name, c.want.Parent, c.want.Child = "j", "a", "b"
		if diff := cmp.Diff(c.want, r.Joints[0], poses, cmpopts.EquateApprox(0, 1e-12)); diff != "" || (len(r.Ignored) > 0) != (c.kind == "floating" || c.kind == "planar") {
			t.Errorf("%s: %s%v", name, diff, r.Ignored)
		}
	}
}

func TestJointsThatCanNotBe(t *testing.T) {
	for want, c := range map[string]struct {
		kind, inside string
		is           error
	}{
		`a prismatic joint needs a <limit>`:           {"prismatic", ``, xmltree.ErrContent},
		`its lower limit 1 is above its upper one, 0`: {"revolute", `<limit lower="1"/>`, description.ErrValue},
		`kind "hinge"`:                                {"hinge", ``, description.ErrValue},
		`<mimic>: it has no joint`:                    {"continuous", `<mimic multiplier="2"/>`, xmltree.ErrContent},
		`joint "j" follows "k", which is not there`:   {"continuous", `<mimic joint="k"/>`, description.ErrTree},
		`xyz is "1 nan 0": "nan" is no finite number`: {"continuous", `<axis xyz="1 nan 0"/>`, xmltree.ErrContent},
		`rpy is "90": 1 numbers, not 3`:               {"fixed", `<origin rpy="90"/>`, xmltree.ErrContent},
		`<joint> has one of these, in line 1`:         {"fixed", `<child link="a"/>`, xmltree.ErrContent},
	} {
		_, err := urdf.Parse("r", []byte(`<robot name="r">`+jointed(c.kind, c.inside)+`</robot>`))
		if !errors.Is(err, c.is) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// A finger that follows another, turned about, goes where the other goes in the mirror.
func TestMimicMoves(t *testing.T) {
	r := parsed(t, `<link name="palm"/><link name="left"/><link name="right"/>
		<joint name="l" type="prismatic"><parent link="palm"/><child link="left"/><axis xyz="0 1 0"/><limit upper="0.05"/></joint>
		<joint name="r" type="prismatic"><parent link="palm"/><child link="right"/><axis xyz="0 1 0"/><limit lower="-0.05"/>
		  <mimic joint="l" multiplier="-1" offset="0.01"/></joint>`)
	where, err := r.Transforms(map[string]float64{"l": .03})
	if err != nil {
		t.Fatal(err)
	}
	if l, r := where["left"].Position.Y, where["right"].Position.Y; l != .03 || math.Abs(r+.02) > 1e-12 {
		t.Errorf("left at %g, right at %g", l, r)
	}
}
