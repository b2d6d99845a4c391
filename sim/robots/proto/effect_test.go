// SPDX-License-Identifier: Apache-2.0

package proto_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// written is a robot as JSON, without lines: two robots that differ in a field differ in it.
func written(t *testing.T, r *description.Robot) string {
	t.Helper()
	out := *r
	out.Ignored = nil
	text, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Each field that has a meaning changes the robot, and at its default changes nothing. None of both is listed.
func TestEveryFieldHasItsMeaning(t *testing.T) {
	const hinge = `HingeJoint { jointParameters HingeJointParameters { @ } endPoint Solid { translation 1 2 3 } }`
	const slider = `SliderJoint { jointParameters JointParameters { @ } endPoint Solid { translation 1 2 3 } }`
	const hinge2 = `Hinge2Joint { jointParameters2 JointParameters { @ } endPoint Solid { translation 1 2 3 } }`
	const turning = `HingeJoint { device [ RotationalMotor { @ } ] endPoint Solid { } }`
	const pushing = `SliderJoint { device [ LinearMotor { @ } ] endPoint Solid { } }`
	const sensing = `HingeJoint { device [ PositionSensor { @ } ] endPoint Solid { } }`
	const mass = `Solid { boundingObject Sphere { } physics Physics { @ } }`
	const shape = `Shape { geometry Sphere { } appearance PBRAppearance { baseColor 0 0 0 @ } }`
	const form = `Shape { geometry `
	for _, c := range []struct{ child, same, other string }{
		{`Pose { @ children [ GPS { } ] }`, "translation 0 0 0", "translation 0 0 1"},
		{`Pose { @ children [ GPS { } ] }`, "rotation 0 1 0 0", "rotation 0 1 0 1"},
		{`Transform { @ children [ Pose { translation 1 0 0 children GPS { } } ] }`, "scale 1 1 1", "scale 2 2 2"},
		{`Solid { @ }`, "translation 0 0 0", "translation 1 0 0"},
		{`Solid { @ }`, "rotation 1 0 0 0", "rotation 1 0 0 1"},
		{`Solid { @ }`, `name "solid"`, `name "other"`},
		{`Solid { @ }`, "children [ ]", "children [ GPS { } ]"},
		{`Solid { @ }`, "boundingObject NULL", "boundingObject Sphere { }"},
		{`Solid { @ }`, "physics NULL", "physics Physics { mass 1 density -1 centerOfMass [ 0 0 0 ] inertiaMatrix [ 1 1 1 0 0 0 ] }"},

		{hinge, "axis 1 0 0", "axis 0 0 1"},
		{hinge, "axis 2 0 0", "axis -1 0 0"},
		{hinge, "anchor 0 0 0", "anchor 0 0 1"},
		{hinge, "position 0", "position 1"},
		{hinge, "minStop 0 maxStop 0", "minStop -1 maxStop 1"},
		{hinge, "dampingConstant 0", "dampingConstant 1"},
		{hinge, "staticFriction 0", "staticFriction 1"},
		{slider, "axis 0 0 1", "axis 1 0 0"},
		{slider, "position 0", "position 1"},
		{slider, "minStop 0 maxStop 0", "minStop -1 maxStop 0"},
		{slider, "dampingConstant 0", "dampingConstant 1"},
		{hinge2, "axis 0 0 1", "axis 0 1 0"},
		{hinge2, "position 0", "position 1"},
		{hinge2, "minStop 0 maxStop 0", "minStop 0 maxStop 1"},
		{hinge2, "staticFriction 0", "staticFriction 1"},

		{turning, `name "rotational motor"`, `name "other"`},
		{turning, "maxVelocity 10", "maxVelocity 5"},
		{turning, "maxTorque 10", "maxTorque 5"},
		{turning, "minPosition 0 maxPosition 0", "minPosition -1 maxPosition 0"},
		{pushing, `name "linear motor"`, `name "other"`},
		{pushing, "maxVelocity 10", "maxVelocity 5"},
		{pushing, "maxForce 10", "maxForce 5"},
		{pushing, "minPosition 0 maxPosition 0", "minPosition 0 maxPosition 1"},
		{sensing, `name "position sensor"`, `name "other"`},
		{sensing, "resolution -1", "resolution 1"},
		{sensing, "noise 0", "noise 1"},

		{mass, "mass -1", "mass 1"},
		{mass, "density 1000", "density 1"},
		{mass, "centerOfMass [ ]", "centerOfMass [ 0 0 1 ]"},
		{mass, "inertiaMatrix [ ]", "inertiaMatrix [ 1 1 1 0 0 0 ]"},

		{form + "Box { @ } }", "size 2 2 2", "size 2 2 1"},
		{form + "Cylinder { @ } }", "height 2", "height 1"},
		{form + "Cylinder { @ } }", "radius 1", "radius 2"},
		{form + "Capsule { @ } }", "height 2", "height 1"},
		{form + "Capsule { @ } }", "radius 1", "radius 2"},
		{form + "Sphere { @ } }", "radius 1", "radius 2"},
		{form + `Mesh { url "a" } } Shape { @ }`, "geometry NULL", `geometry Mesh { url [ "b" ] }`},
		{`Shape { geometry Sphere { } @ }`, "appearance NULL", "appearance PBRAppearance { baseColor 1 1 1 }"},
		{`Shape { geometry Sphere { } @ }`, "appearance Appearance { }", "appearance Appearance { material Material { diffuseColor 1 1 1 transparency 1 } }"},
		{shape, "transparency 0", "transparency 1"},

		{`DistanceSensor { @ }`, `name "distance sensor"`, `name "other"`},
		{`DistanceSensor { @ }`, "translation 0 0 0", "translation 1 0 0"},
		{`DistanceSensor { @ }`, "rotation 1 0 0 0", "rotation 1 0 0 1"},
		{`DistanceSensor { @ }`, "lookupTable [ 0 0 0, 0.1 1000 0 ]", "lookupTable [ 0 0 0, 0.1 1000 0.5 ]"},
		{`DistanceSensor { @ }`, `type "generic"`, `type "sonar"`},
		{`DistanceSensor { @ }`, `type "generic"`, `type "infra-red"`},
		{`DistanceSensor { @ }`, "aperture 1.5707963267948966", "aperture 1"},
		{`DistanceSensor { @ }`, "numberOfRays 1", "numberOfRays 2"},
		{`DistanceSensor { @ }`, "resolution -1", "resolution 1"},
		{`LightSensor { @ }`, `name "light sensor"`, `name "other"`},
		{`LightSensor { @ }`, "lookupTable [ 0 0 0, 1 1000 0 ]", "lookupTable [ 0 0 0, 1 2000 0 ]"},
		{`LightSensor { @ }`, "resolution -1", "resolution 1"},
		{`LED { @ }`, `name "led"`, `name "other"`},
		{`LED { @ }`, "color [ 1 0 0 ]", "color [ 0 1 0 ]"},
		{`LED { @ }`, "gradual FALSE", "gradual TRUE"},
		{`LED { @ }`, "physics NULL", "physics Physics { mass 1 inertiaMatrix [ 1 1 1 0 0 0 ] }"},
		{`Camera { @ }`, `name "camera"`, `name "other"`},
		{`Camera { @ }`, "fieldOfView 0.785398", "fieldOfView 1"},
		{`Camera { @ }`, "width 64", "width 65"},
		{`Camera { @ }`, "height 64", "height 65"},
		{`Camera { @ }`, "near 0.01", "near 0.02"},
		{`Camera { @ }`, "far 0", "far 1"},
		{`Camera { @ }`, "noise 0", "noise 1"},
		{`Camera { @ }`, `projection "planar"`, "width 3"},
		{`RangeFinder { @ }`, `name "range-finder"`, `name "other"`},
		{`RangeFinder { @ }`, "fieldOfView 0.785398", "fieldOfView 1"},
		{`RangeFinder { @ }`, "width 64 height 64", "width 64 height 65"},
		{`RangeFinder { @ }`, "minRange 0.01", "minRange 0.02"},
		{`RangeFinder { @ }`, "maxRange 1", "maxRange 2"},
		{`RangeFinder { @ }`, "noise 0", "noise 1"},
		{`RangeFinder { @ }`, "resolution -1", "resolution 1"},
		{`Lidar { @ }`, `name "lidar"`, `name "other"`},
		{`Lidar { @ }`, "fieldOfView 1.5707963267948966", "fieldOfView 6.2832"},
		{`Lidar { @ }`, "verticalFieldOfView 0.2", "verticalFieldOfView 0.3"},
		{`Lidar { @ }`, "horizontalResolution 512", "horizontalResolution 511"},
		{`Lidar { @ }`, "numberOfLayers 4", "numberOfLayers 1"},
		{`Lidar { @ }`, "minRange 0.01", "minRange 0.02"},
		{`Lidar { @ }`, "maxRange 1", "maxRange 2"},
		{`Lidar { @ }`, "noise 0", "noise 1"},
		{`Lidar { @ }`, "resolution -1", "resolution 1"},
		{`Lidar { @ }`, `type "fixed"`, `type "rotating"`},
		{`Lidar { type "rotating" @ }`, "defaultFrequency 10", "defaultFrequency 5"},
		{`GPS { @ }`, `name "gps"`, `name "other"`},
		{`GPS { @ }`, `type "satellite"`, `type "laser"`},
		{`GPS { @ }`, "accuracy 0", "accuracy 1"},
		{`GPS { @ }`, "resolution -1", "resolution 1"},
		{`Compass { @ }`, `name "compass"`, `name "other"`},
		{`Compass { @ }`, "lookupTable [ ]", "lookupTable [ -1 -1 0, 1 1 0 ]"},
		{`Compass { @ }`, "resolution -1", "resolution 1"},
		{`Accelerometer { @ }`, `name "accelerometer"`, `name "other"`},
		{`Accelerometer { @ }`, "lookupTable [ ]", "lookupTable [ -1 -1 0, 1 1 0 ]"},
		{`Gyro { @ }`, `name "gyro"`, `name "other"`},
		{`Gyro { @ }`, "lookupTable [ ]", "lookupTable [ -1 -1 0, 1 1 0 ]"},
		{`InertialUnit { @ }`, `name "inertial unit"`, `name "other"`},
		{`InertialUnit { @ }`, "noise 0", "noise 1"},
		{`TouchSensor { @ }`, `name "touch sensor"`, `name "other"`},
		{`TouchSensor { @ }`, `type "bumper"`, `type "force-3d"`},
		{`TouchSensor { type "force" @ }`, "lookupTable [ 0 0 0, 5000 50000 0 ]", "lookupTable [ 0 0 0, 500 50000 0 ]"},
		{`Emitter { @ }`, `name "emitter"`, `name "other"`},
		{`Emitter { @ }`, `type "radio"`, `type "serial"`},
		{`Emitter { @ }`, "range -1", "range 1"},
		{`Emitter { @ }`, "maxRange -1", "maxRange 1"},
		{`Emitter { @ }`, "aperture -1", "aperture 1"},
		{`Emitter { @ }`, "channel 0", "channel 1"},
		{`Emitter { @ }`, "baudRate -1", "baudRate 1"},
		{`Emitter { @ }`, "byteSize 8", "byteSize 9"},
		{`Emitter { @ }`, "bufferSize -1", "bufferSize 1"},
		{`Receiver { @ }`, `name "receiver"`, `name "other"`},
		{`Receiver { @ }`, `type "radio"`, `type "infra-red"`},
		{`Receiver { @ }`, "aperture -1", "aperture 1"},
		{`Receiver { @ }`, "channel 0", "channel -1"},
		{`Receiver { @ }`, "baudRate -1 byteSize 8 bufferSize -1", "baudRate -1 byteSize 8 bufferSize 1"},
	} {
		with := func(fields string) *description.Robot {
			r := robot(t, strings.Replace(c.child, "@", fields, 1))
			for _, i := range r.Ignored {
				if strings.HasSuffix(i.Text, "no meaning here") {
					t.Errorf("%s with %s: %s", c.child, fields, i.Text)
				}
			}
			return r
		}
		without := written(t, with(""))
		if got := written(t, with(c.same)); got != without {
			t.Errorf("%s: %s is not the default:\n%s\n%s", c.child, c.same, got, without)
		}
		if written(t, with(c.other)) == without {
			t.Errorf("%s: %s changes nothing", c.child, c.other)
		}
	}
}
