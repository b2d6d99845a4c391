// SPDX-License-Identifier: Apache-2.0

package sdf_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/sdf"
)

func TestJointsAndTheirLimits(t *testing.T) {
	z := r3.Vec{Z: 1}
	for name, c := range map[string]struct {
		kind, axis string
		want       description.Joint
	}{
		"without a limit it turns on": {"revolute", `<axis><xyz>0 0 1</xyz></axis>`, description.Joint{Kind: description.Continuous, Axis: z}},
		"without a direction it is z": {"revolute", `<axis/>`, description.Joint{Kind: description.Continuous, Axis: z}},
		"between two angles": {"revolute", `<axis><xyz>0 0 1</xyz>
			<limit><lower>-1</lower><upper>2</upper><velocity>3</velocity><effort>4</effort></limit></axis>`,
			description.Joint{Kind: description.Revolute, Axis: z, Limit: &description.Limit{Lower: -1, Upper: 2, Velocity: description.AtMost(3), Effort: description.AtMost(4)}}},
		"libsdformat's word for no limit": {"revolute", `<axis><xyz>0 0 1</xyz><limit><lower>-1e+16</lower><upper>1e16</upper></limit></axis>`,
			description.Joint{Kind: description.Continuous, Axis: z, Limit: &description.Limit{Lower: -1e16, Upper: 1e16, Velocity: description.Unlimited(), Effort: description.Unlimited()}}},
		"a limit that says nothing": {"revolute", `<axis><xyz>0 0 1</xyz><limit/></axis>`,
			description.Joint{Kind: description.Continuous, Axis: z, Limit: &description.Limit{Lower: -1e16, Upper: 1e16, Velocity: description.Unlimited(), Effort: description.Unlimited()}}},
		"a limit on one side": {"revolute", `<axis><xyz>0 0 1</xyz><limit><lower>0</lower></limit></axis>`,
			description.Joint{Kind: description.Revolute, Axis: z, Limit: &description.Limit{Upper: 1e16, Velocity: description.Unlimited(), Effort: description.Unlimited()}}},
		"less than 0 is libsdformat's word for no limit": {"prismatic", `<axis><xyz>0 0 1</xyz>
			<limit><lower>0</lower><upper>1</upper><velocity>-1</velocity><effort>-1</effort></limit></axis>`,
			description.Joint{Kind: description.Prismatic, Axis: z, Limit: &description.Limit{Upper: 1, Velocity: description.Unlimited(), Effort: description.Unlimited()}}},
		"sliding without an end": {"prismatic", `<axis><xyz>0 0 1</xyz></axis>`, description.Joint{Kind: description.Prismatic, Axis: z}},
		"continuous by name":     {"continuous", `<axis><xyz>0 0 1</xyz></axis>`, description.Joint{Kind: description.Continuous, Axis: z}},
		"what slows it": {"revolute", `<axis><xyz>0 3 4</xyz><dynamics><damping>0.1</damping><friction>0.2</friction></dynamics></axis>`,
			description.Joint{Kind: description.Continuous, Axis: r3.Vec{Y: .6, Z: .8}, Damping: .1, Friction: .2}},
		"held": {"fixed", ``, description.Joint{Kind: description.Fixed, Axis: z}},
	} {
		r := parsed(t, "", `<link name="b"/><joint name="j" type="`+c.kind+`"><parent>a</parent><child>b</child>`+c.axis+`</joint>`)
		c.want.Name, c.want.Parent, c.want.Child = "j", "a", "b"
		if diff := cmp.Diff([]description.Joint{c.want}, r.Joints, near, cmpopts.EquateApprox(0, 1e-12)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// An axis is in the joint's frame, but for one that is expressed in another.
func TestAxisInItsFrame(t *testing.T) {
	const outside = `
		<link name="b"><pose degrees="true">0 0 0 0 0 90</pose></link>
		<frame name="up"><pose degrees="true">5 6 7 0 -90 0</pose></frame>
		<joint name="j" type="revolute"><pose degrees="true">0 0 0 90 0 0</pose><parent>a</parent><child>b</child>
		  <axis><xyz%s>1 0 0</xyz></axis></joint>`
	// What the axis is in the model's frame.
	for in, want := range map[string]r3.Vec{
		``:                          {Y: 1},
		` expressed_in=""`:          {Y: 1},
		` expressed_in="j"`:         {Y: 1},
		` expressed_in="b"`:         {Y: 1},
		` expressed_in="a"`:         {X: 1},
		` expressed_in="__model__"`: {X: 1},
		` expressed_in="up"`:        {Z: 1},
	} {
		r := parsed(t, "", fmt.Sprintf(outside, in))
		j := r.Joints[0]
		if got := r3.Sub(j.Origin.Apply(j.Axis), j.Origin.Position); r3.Norm(r3.Sub(got, want)) > 1e-12 {
			t.Errorf("%s: about %v, want %v", in, got, want)
		}
	}
}

// Where a joint that moves is not where its child is, a link of its name is inserted; where it is, or where nothing
// moves, none is needed.
func TestLinksBetween(t *testing.T) {
	const axis = `<axis><xyz>0 0 1</xyz></axis>`
	for name, c := range map[string]struct{ kind, pose, axis, want string }{
		"at its child":           {"revolute", ``, axis, "a b; j a→b"},
		"at its child, in words": {"revolute", `<pose relative_to="b"/>`, axis, "a b; j a→b"},
		"a whole turn":           {"revolute", `<pose degrees="true">0 0 0 0 0 360</pose>`, axis, "a b; j a→b"},
		"outside it":             {"revolute", `<pose>0 1 0 0 0 0</pose>`, axis, "a b j; j a→j j_offset j→b"},
		"turned":                 {"prismatic", `<pose>0 0 0 0 0 1</pose>`, axis, "a b j; j a→j j_offset j→b"},
		"outside it, but held":   {"fixed", `<pose>0 1 0 0 0 0</pose>`, "", "a b; j a→b"},
	} {
		r := parsed(t, "", `<link name="b"><pose>1 0 0 0 0 0</pose></link>
			<joint name="j" type="`+c.kind+`">`+c.pose+`<parent>a</parent><child>b</child>`+c.axis+`</joint>`)
		var links, joints []string
		for _, l := range r.Links {
			links = append(links, l.Name)
		}
		for _, j := range r.Joints {
			joints = append(joints, j.Name+" "+j.Parent+"→"+j.Child)
		}
		if got := strings.Join(links, " ") + "; " + strings.Join(joints, " "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		poses, err := r.Transforms(nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := poses["b"]; !got.Near(description.Pose{Position: r3.Vec{X: 1}}, 1e-12, 1e-7) {
			t.Errorf("%s: b at %+v", name, got)
		}
	}
	r := parsed(t, "", `<link name="b"><pose>1 0 0 0 0 0</pose></link>
		<joint name="j" type="revolute"><pose>0 1 0 0 0 0</pose><parent>a</parent><child>b</child>`+axis+`</joint>`)
	poses, err := r.Transforms(map[string]float64{"j": math.Pi})
	if err != nil {
		t.Fatal(err)
	}
	if got := poses["b"].Position; r3.Norm(r3.Sub(got, r3.Vec{X: 1, Y: 2})) > 1e-12 {
		t.Errorf("half a turn about (1, 1): b at %v", got)
	}
}

// A joint to the world holds the robot where it is: no joint, and nothing to be listed.
func TestJointToTheWorld(t *testing.T) {
	r := parsed(t, "", `<joint name="w" type="revolute"><parent>world</parent><child>a</child>
		<axis><xyz>0 0 1</xyz><limit><lower>0</lower><upper>0</upper></limit></axis></joint>`)
	if len(r.Joints) != 0 || len(r.Ignored) != 0 {
		t.Errorf("%+v, %v", r.Joints, r.Ignored)
	}
	for want, text := range map[string]string{
		`there is no frame "x"`:           `<axis><xyz expressed_in="x">0 0 1</xyz></axis>`,
		`its lower limit 2 is above`:      `<axis><xyz>0 0 1</xyz><limit><lower>2</lower><upper>1</upper></limit></axis>`,
		`it is "1 0": 2 numbers, not 3`:   `<axis><xyz>1 0</xyz></axis>`,
		`<joint> has one of these`:        `<axis><xyz>0 0 1</xyz></axis><axis/>`,
		`a revolute joint needs an <axis`: ``,
	} {
		_, err := sdf.Parse("m", []byte(`<sdf><model name="m"><link name="a"/><link name="b"/>
			<joint name="j" type="revolute"><parent>a</parent><child>b</child>`+text+`</joint></model></sdf>`))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
