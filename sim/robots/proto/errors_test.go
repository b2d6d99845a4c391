// SPDX-License-Identifier: Apache-2.0

package proto_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/proto"
)

// in is a world whose Robot has a child, in line 3.
func in(child string) string { return header + "Robot { children [\n" + child + "\n] }" }

// what is a PROTO with a header, in line 3, and a body, in line 5.
func what(head, body string) string {
	return header + "PROTO It [\n" + head + "\n] {\n" + body + "\n}"
}

// Each error names file, line, and node or field.
func TestErrorsNameTheirLine(t *testing.T) {
	for _, c := range []struct {
		text string
		kind error
		want string
	}{
		{"", proto.ErrSyntax, "it:1: the first line"},
		{"Robot { }", proto.ErrSyntax, "it:1: the first line"},
		{"#VRML_SIM R2021b utf8\nRobot { }", proto.ErrRelease, "it:1: R2021b"},
		{"#VRML_SIM V8.0 utf8\nRobot { }", proto.ErrRelease, "it:1: V8.0"},
		{header + "Robot {\n \x00 }", proto.ErrSyntax, "it:3: a byte that is 0"},
		{header + "Robot {\n name \"\xff\" }", proto.ErrSyntax, "it:3: it is not UTF-8"},
		{header, proto.ErrContent, "it:1: no Robot"},
		{header + "WorldInfo { } Solid { }", proto.ErrContent, "it:1: no Robot, only: WorldInfo, Solid"},
		{header + "Robot { }\nRobot { }", proto.ErrContent, "it:3: a second Robot, after line 2"},
		{header + "Robot {\n", proto.ErrSyntax, "it:3: the end of the file in place of a field of Robot or its closing brace"},
		{header + "Robot\n5", proto.ErrSyntax, `it:3: after Robot: a number in place of "{"`},
		{header + "5", proto.ErrSyntax, "it:2: a number in place of a node"},
		{header + "Robot {\nname\n}", proto.ErrSyntax, `it:4: Robot.name: "}" in place of a value`},
		{header + "Robot {\nname \"a\nb\n}", proto.ErrSyntax, "it:3: a string without an end"},
		{header + "Robot {\nchildren [ [ ] ] }", proto.ErrSyntax, `it:3: Robot.children: "[" in place of a value`},
		{header + "Robot {\nchildren [ 1 \"a\" ] }", proto.ErrSyntax, "it:3: Robot.children: a list of different things"},
		{header + "Robot {\nbattery 1.2.3 }", proto.ErrSyntax, `it:3: "1.2.3" is no number`},
		{header + "Robot {\nbattery 1e999 }", proto.ErrBound, "it:3: 1e999: numbers go to 1e+15"},
		{header + "Robot {\nbattery +Inf }", proto.ErrBound, "it:3: +Inf"},
		{header + "Robot {\n\\ }", proto.ErrSyntax, `it:3: '\\' has no place here`},
		{header + "Robot {\nname \"a\"\nname \"b\" }", proto.ErrContent, "it:4: Robot.name a second time, after line 3"},
		{header + "Robot {\nname 5 }", proto.ErrContent, "it:3: Robot.name: not one string"},
		{header + "Robot {\nbattery [ 1 2 ] }", proto.ErrContent, "it:3: Robot.battery: 2 numbers"},
		{header + "Robot {\nchildren 5 }", proto.ErrContent, "it:3: Robot.children: not nodes"},
		{header + "EXTERNPROTO\nRobot { }", proto.ErrSyntax, `it:3: after EXTERNPROTO: "Robot" in place of its address`},
		{header + "IMPORTABLE\nRobot { }", proto.ErrSyntax, `it:3: after IMPORTABLE: "Robot" in place of EXTERNPROTO`},

		{in("USE A"), proto.ErrContent, "it:3: USE A: no DEF"},
		{in("USE A\nDEF A Solid { }"), proto.ErrContent, "it:3: USE A: no DEF"},
		{in("DEF A Solid { children [\nUSE A ] }"), proto.ErrContent, "it:4: USE A within itself: its DEF is in line 3"},
		{in("DEF 5"), proto.ErrSyntax, "it:3: a number in place of a name after DEF"},
		{in("Solid { name IS name }"), proto.ErrContent, "it:3: Solid.name IS name: the PROTO's header has no such field"},

		{what("", "Robot { name IS\nother }"), proto.ErrContent, "it:6: Robot.name IS other"},
		{what("", ""), proto.ErrContent, "it:2: PROTO It is 0 nodes, not 1"},
		{what("", "Robot { } Solid { }"), proto.ErrContent, "it:2: PROTO It is 2 nodes, not 1"},
		{what("", "E-puck { }"), proto.ErrContent, "it:5: PROTO It is a E-puck: what that is another file says"},
		{what("", "Robot { }") + "\nPROTO B [ ] { Robot { } }", proto.ErrSyntax, "it:7: a PROTO B behind other nodes"},
		{what("", "Robot { }") + "\nSolid { }", proto.ErrSyntax, `it:7: "Solid" after the PROTO It`},
		{what("SFFloat a 5", "Robot { }"), proto.ErrSyntax, `it:3: "SFFloat" in place of field`},
		{what("field Float a 5", "Robot { }"), proto.ErrSyntax, `it:3: "Float" in place of a field's type`},
		{what("field SFFloat a 5\nfield SFFloat a 6", "Robot { }"), proto.ErrContent, "it:4: field a a second time, after line 3"},
		{what("field SFString { a", "Robot { }"), proto.ErrSyntax, "it:6: the end of the file in a field's type"},
		{what("field SFFloat r \"x\"", "Robot { boundingObject Sphere { radius IS r } }"), proto.ErrContent, "it:5: Sphere.radius: not 1 numbers"},

		{in("Pose { translation 1 2 }"), proto.ErrContent, "it:3: Pose.translation: not 3 numbers"},
		{in("Pose { rotation 0 0 0 1 }"), proto.ErrContent, "it:3: Pose.rotation: about no axis"},
		{in("Transform { scale 0 1 1 }"), proto.ErrContent, "it:3: Transform.scale: 0 in all"},
		{in("Transform { scale 1e5 1e5 1e5 children [\nTransform { scale 1e5 1e5 1e5 } ] }"), proto.ErrContent, "it:4: Transform.scale: 1e+10 in all"},
		{in("Shape { geometry Box { size 1 -1 1 } }"), proto.ErrContent, "it:3: Box: its size"},
		{in("Shape { geometry Sphere { radius 0 } }"), proto.ErrContent, "it:3: Sphere.radius: 0 is not above 0"},
		{in("Shape { geometry [ Sphere { } Box { } ] }"), proto.ErrContent, "it:3: Shape.geometry: 2 nodes"},
		{in("Shape { appearance PBRAppearance { baseColor 2 0 0 } geometry Sphere { } }"), proto.ErrContent, "it:3: PBRAppearance: color"},
		{in("Solid { physics Physics { density -1 } }"), proto.ErrContent, "it:3: Physics: neither mass nor density"},
		{in("Solid { physics Physics { mass 1\ninertiaMatrix [ -1 1 1 0 0 0 ] } }"), proto.ErrContent, "it:4: Physics.inertiaMatrix: a moment of -1"},
		{in("Solid { physics Physics { centerOfMass [ 1 2 ] } }"), proto.ErrContent, "it:3: Physics.centerOfMass: not numbers by 3"},
		{in("HingeJoint { jointParameters HingeJointParameters { axis 0 0 0 } endPoint Solid { } }"), proto.ErrContent, "it:3: HingeJointParameters.axis: no direction"},
		{in("HingeJoint { jointParameters HingeJointParameters { minStop 1 } endPoint Solid { } }"), proto.ErrContent, "it:3: HingeJointParameters: minStop 1 is above maxStop 0"},
		{in("HingeJoint { device [ RotationalMotor { } RotationalMotor { } ] endPoint Solid { } }"), proto.ErrContent, "it:3: RotationalMotor: a second one"},
		{in("HingeJoint { device RotationalMotor { maxVelocity -1 } endPoint Solid { } }"), proto.ErrContent, "it:3: RotationalMotor: from 0 to 0, -1 fast"},
		{in("HingeJoint { jointParameters HingeJointParameters { minStop -2 maxStop -1 }\ndevice RotationalMotor { minPosition 0 maxPosition 1 } endPoint Solid { } }"),
			proto.ErrContent, `it:3: joint "rotational motor": stops and motor leave it no position`},

		{in("DistanceSensor { lookupTable [ 0 1 0, 0 2 0 ] }"), proto.ErrContent, "it:3: DistanceSensor.lookupTable: 0 does not come after 0"},
		{in("DistanceSensor { lookupTable [ 0 1 ] }"), proto.ErrContent, "it:3: DistanceSensor.lookupTable: not numbers by 3"},
		{in("DistanceSensor { lookupTable [ -1 1 0, 0 2 0 ] }"), proto.ErrContent, "it:3: DistanceSensor.lookupTable: a distance of -1"},
		{in("DistanceSensor { lookupTable [ 0 1 -1, 1 2 0 ] }"), proto.ErrContent, "it:3: DistanceSensor.lookupTable: noise of -1"},
		{in("DistanceSensor {\ntype \"radar\" }"), proto.ErrContent, `it:4: DistanceSensor.type: "radar"`},
		{in("DistanceSensor { numberOfRays 0 }"), proto.ErrContent, "it:3: DistanceSensor.numberOfRays: 0 is no whole number from 1"},
		{in("DistanceSensor { numberOfRays 1.5 }"), proto.ErrContent, "it:3: DistanceSensor.numberOfRays: 1.5"},
		{in("DistanceSensor { aperture -1 }"), proto.ErrContent, "it:3: DistanceSensor.aperture: -1"},
		{in("Camera { width 100000 }"), proto.ErrContent, "it:3: Camera.width: 100000"},
		{in("Camera { fieldOfView 7 }"), proto.ErrContent, "it:3: Camera.fieldOfView: 7, less than a turn"},
		{in("Camera { noise -1 }"), proto.ErrContent, "it:3: Camera.noise: -1"},
		{in("LED { gradual 1 }"), proto.ErrContent, "it:3: LED.gradual: neither TRUE nor FALSE"},
		{in("LED { color [ 1 2 ] }"), proto.ErrContent, "it:3: LED.color: not numbers by 3"},
		{in("Lidar { minRange 3 }"), proto.ErrContent, "it:3: Lidar: range from 3 to 1"},
		{in("Lidar { fieldOfView 6.4 }"), proto.ErrContent, "it:3: Lidar.fieldOfView: 6.4, a turn at most"},
		{in("Emitter { channel 0.5 }"), proto.ErrContent, "it:3: Emitter.channel: 0.5"},
	} {
		r, err := proto.Parse("it", []byte(c.text))
		if r != nil || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q:\n%v\nwant %v: %s", c.text, err, c.kind, c.want)
		}
	}
}

// All faults of the content are listed, up to a bound.
func TestFaultsAreListedTogether(t *testing.T) {
	_, err := proto.Parse("it", []byte(in(strings.Repeat("LED { gradual 1 }\n", proto.MaxErrors+5))))
	if err == nil || !strings.Contains(err.Error(), "it:3: LED") || !strings.Contains(err.Error(), "it:22: LED") ||
		strings.Contains(err.Error(), "it:23: LED") || !strings.HasSuffix(err.Error(), "it: 5 more") {
		t.Errorf("%v", err)
	}
}

// What the file's readers let through and robots does not is an error too, with the file's name.
func TestTheRobotIsChecked(t *testing.T) {
	_, err := proto.Parse("it", []byte(in(`HingeJoint { jointParameters HingeJointParameters { minStop -1 maxStop 1 }
		endPoint Solid { physics Physics { mass 1e15 density -1 } boundingObject Sphere { radius 1e15 } } }`)))
	if err != nil {
		t.Errorf("it is large, and no more: %v", err)
	}
	_, err = proto.Parse("it", []byte(in(`Solid { physics Physics { density 1e15 } boundingObject Group { children [
		`+strings.Repeat("Box { size 1e15 1e15 1e15 } ", 3)+`] } }`)))
	if err != nil && !errors.Is(err, description.ErrValue) {
		t.Errorf("%v", err)
	}
}
