// SPDX-License-Identifier: Apache-2.0

package proto_test

import (
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// drawn are numbers for a joint.
type drawn struct {
	end, around, anchor, axis, axis2 [3]float64
	angle, now, now2, then, then2    float64
	outer                            [3]float64
	outerAngle                       float64
}

func draw(t *rapid.T) (d drawn) {
	length := func(name string) (v [3]float64) {
		for i := range v {
			v[i] = rapid.Float64Range(-2, 2).Draw(t, name)
		}
		return v
	}
	direction := func(name string) [3]float64 {
		for {
			if v := length(name); v[0]*v[0]+v[1]*v[1]+v[2]*v[2] > .01 {
				return v
			}
		}
	}
	angle := func(name string) float64 { return rapid.Float64Range(-3, 3).Draw(t, name) }
	return drawn{
		end: length("end"), around: direction("around"), anchor: length("anchor"), axis: direction("axis"),
		axis2: direction("axis2"), angle: angle("angle"), now: angle("now"), now2: angle("now2"), then: angle("then"),
		then2: angle("then2"), outer: length("outer"), outerAngle: angle("outerAngle"),
	}
}

func three(v [3]float64) string { return num(v[0]) + " " + num(v[1]) + " " + num(v[2]) }

// children is a joint in a Pose, with a GPS where the end point's frame is.
func (d drawn) children(kind, parameters, devices string) string {
	return fmt.Sprintf(`Pose { translation %s rotation 0 1 0 %s children [
		%s { %s %s endPoint Solid { translation %s rotation %s %s children [ GPS { name "here" } ] } } ] }`,
		three(d.outer), num(d.outerAngle), kind, parameters, devices, three(d.end), three(d.around), num(d.angle))
}

// file is where the file has the end point, outside is where its frame of reference is.
func (d drawn) file() matrix {
	return shift(d.end[0], d.end[1], d.end[2]).times(turn(d.around[0], d.around[1], d.around[2], d.angle))
}

func (d drawn) outside() matrix {
	return shift(d.outer[0], d.outer[1], d.outer[2]).times(turn(0, 1, 0, d.outerAngle))
}

// about turns about a line through the anchor.
func (d drawn) about(axis [3]float64, angle float64) matrix {
	return chain(shift(d.anchor[0], d.anchor[1], d.anchor[2]), turn(axis[0], axis[1], axis[2], angle),
		shift(-d.anchor[0], -d.anchor[1], -d.anchor[2]))
}

func TestHingeTurnsAboutItsAnchor(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := draw(rt)
		r := robot(t, d.children("HingeJoint", fmt.Sprintf("jointParameters HingeJointParameters { axis %s anchor %s position %s }",
			three(d.axis), three(d.anchor), num(d.now)), `device RotationalMotor { name "m" }`))
		same(t, "as in the file", where(t, r, "here", map[string]float64{"m": d.now}), d.outside().times(d.file()))
		zero := d.about(d.axis, -d.now).times(d.file())
		same(t, "at zero", where(t, r, "here", nil), d.outside().times(zero))
		same(t, "turned", where(t, r, "here", map[string]float64{"m": d.then}), chain(d.outside(), d.about(d.axis, d.then), zero))
		if j := joint(t, r, "m"); j.Kind != description.Continuous || j.Child != "solid" || len(r.Joints) != 1 {
			t.Errorf("%+v", r.Joints)
		}
	})
}

func TestSliderSlidesAlongItsAxis(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := draw(rt)
		r := robot(t, d.children("SliderJoint", fmt.Sprintf("jointParameters JointParameters { axis %s position %s }", three(d.axis), num(d.now)),
			`device [ LinearMotor { name "m" } PositionSensor { } ]`))
		along := func(way float64) matrix {
			u := r3.Scale(way, r3.Unit(r3.Vec{X: d.axis[0], Y: d.axis[1], Z: d.axis[2]}))
			return shift(u.X, u.Y, u.Z)
		}
		same(t, "as in the file", where(t, r, "here", map[string]float64{"m": d.now}), d.outside().times(d.file()))
		same(t, "slid", where(t, r, "here", map[string]float64{"m": d.then}), chain(d.outside(), along(d.then-d.now), d.file()))
		if j := joint(t, r, "m"); j.Kind != description.Prismatic || j.Limit.Lower != -1e16 || j.Limit.Upper != 1e16 {
			t.Errorf("%+v %+v", j, j.Limit)
		}
	})
}

// The second axis of a Hinge2Joint turns with the first one (WbHinge2Joint.cpp, applyToOdeAxis).
func TestHinge2IsTwoJoints(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := draw(rt)
		r := robot(t, d.children("Hinge2Joint", fmt.Sprintf(
			"jointParameters HingeJointParameters { axis %s anchor %s position %s }\njointParameters2 JointParameters { axis %s position %s }",
			three(d.axis), three(d.anchor), num(d.now), three(d.axis2), num(d.now2)),
			`device [ RotationalMotor { name "m1" } ] device2 [ PositionSensor { name "s2" } RotationalMotor { name "m2" } ]`))
		both := func(a, b float64) matrix { return d.about(d.axis, a).times(d.about(d.axis2, b)) }
		back := d.about(d.axis2, -d.now2).times(d.about(d.axis, -d.now))
		same(t, "as in the file", where(t, r, "here", map[string]float64{"m1": d.now, "m2": d.now2}), d.outside().times(d.file()))
		same(t, "turned", where(t, r, "here", map[string]float64{"m1": d.then, "m2": d.then2}),
			chain(d.outside(), both(d.then, d.then2), back, d.file()))
		if len(r.Joints) != 2 || len(r.Links) != 3 || joint(t, r, "m1").Child != "solid_between" || joint(t, r, "m2").Parent != "solid_between" {
			t.Errorf("%+v", r.Joints)
		}
		if s := device(t, r, "s2"); s.Joint != "m2" || s.Kind != description.Encoder {
			t.Errorf("%+v", s)
		}
	})
}

func TestJointsWithTheDefaultsOfWebots(t *testing.T) {
	r := robot(t, `HingeJoint { endPoint Solid { name "a" } }`, `SliderJoint { endPoint Solid { name "b" } }`,
		`Hinge2Joint { endPoint Solid { name "c" } }`, `HingeJoint { device RotationalMotor { } endPoint Camera { } }`)
	for name, axis := range map[string]r3.Vec{
		"a_joint": {X: 1}, "b_joint": {Z: 1}, "c_joint_1": {X: 1}, "c_joint_2": {Z: 1}, "rotational motor": {X: 1},
	} {
		j := joint(t, r, name)
		if j.Axis != axis || (j.Limit != nil) != (name == "rotational motor") {
			t.Errorf("%s: %+v %+v", name, j, j.Limit)
		}
	}
	if c := device(t, r, "camera"); c.Link != "camera" || joint(t, r, "rotational motor").Child != "camera" {
		t.Errorf("%+v", c)
	}
}

func TestLimitsAreThoseOfStopsAndMotor(t *testing.T) {
	for _, c := range []struct {
		stops, motor string
		want         string
	}{
		{"", "", "continuous <nil>"},
		{"minStop -1 maxStop 2", "", "revolute &{-1 2 {false 0} {false 0}}"},
		{"", "RotationalMotor { maxVelocity 3 maxTorque 4 }", "continuous &{0 0 {true 3} {true 4}}"},
		{"", "RotationalMotor { minPosition -0.5 maxPosition 0.5 }", "revolute &{-0.5 0.5 {true 10} {true 10}}"},
		{"minStop -1 maxStop 2", "RotationalMotor { minPosition -0.5 maxPosition 3 }", "revolute &{-0.5 2 {true 10} {true 10}}"},
		{"minStop -1 maxStop 2", "RotationalMotor { }", "revolute &{-1 2 {true 10} {true 10}}"},
	} {
		r := robot(t, `HingeJoint { jointParameters HingeJointParameters { `+c.stops+` } device [ `+c.motor+` ] endPoint Solid { } }`)
		j := r.Joints[0]
		if got := fmt.Sprintf("%s %v", j.Kind, j.Limit); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// What can't be a joint here is listed, and the rest of the robot is there.
func TestJointsThatAreLeftOut(t *testing.T) {
	r := robot(t,
		`HingeJoint { device RotationalMotor { name "of nothing" } }`,
		`HingeJoint { endPoint Elsewhere { name "x" } }`,
		`HingeJoint { endPoint SolidReference { solidName "x" } }`,
		`BallJoint { endPoint Solid { name "ball" translation 1 2 3 } }`,
		`HingeJoint { device [ Brake { } ] jointParameters HingeJointParameters { springConstant 3 } endPoint Slot { endPoint Slot { endPoint Solid { name "deep" } } } }`,
		`HingeJoint { jointParameters Strange { } endPoint Solid { name "deep" } }`)
	want := strings.Join([]string{
		"3 HingeJoint: nothing hangs on it",
		"4 Elsewhere: what hangs on the HingeJoint of line 4 is not known",
		"5 SolidReference: what hangs on the HingeJoint of line 5 is not known",
		"6 BallJoint: it does not turn here",
		"7 Brake: it has no meaning here",
		"7 HingeJointParameters.springConstant: it has no meaning here",
		"8 Strange: parameters of a joint that are not known",
		`8 a second joint "deep_joint": it is "deep_joint_2" here`,
		`8 a second link "deep": it is "deep_2" here`, "",
	}, "\n")
	if got := remarks(r); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if len(r.Links) != 4 || len(r.Joints) != 3 || joint(t, r, "ball_joint").Kind != description.Fixed {
		t.Errorf("%+v", r.Joints)
	}
}
