// SPDX-License-Identifier: Apache-2.0

package webots_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// numbered is a name with each of n numbers behind it.
func numbered(name string, n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprint(name, i))
	}
	return all
}

// Every device of the library's robots has the name that Webots' PROTO has for it; what that has not, its own.
func TestNamesOfTheLibrary(t *testing.T) {
	wheels := []string{"left wheel motor", "left wheel sensor", "right wheel motor", "right wheel sensor"}
	ring := func(what string, places ...string) (all []string) {
		for _, p := range places {
			all = append(all, p+" "+what)
		}
		return all
	}
	radio := []string{"receiver", "emitter"}
	imu := []string{"accelerometer", "gyro", "imu"}
	for model, want := range map[string][]string{
		"epuck2": slices.Concat(wheels, numbered("ps", 8), numbered("ls", 8), []string{"tof"}, numbered("gs", 3), imu, []string{"camera"},
			numbered("led", 8), radio),
		"epuck": slices.Concat(wheels, numbered("ps", 8), []string{"camera"}, radio),
		"khepera4": slices.Concat(wheels,
			ring("infrared sensor", "rear left", "left", "front left", "front", "front right", "right", "rear right", "rear"),
			ring("infrared sensor", "ground left", "ground front left", "ground front right", "ground right"),
			ring("ultrasonic sensor", "left", "front left", "front", "front right", "right"),
			ring("led", "front left", "front right", "rear"), []string{"camera"}, imu, radio),
		"turtlebot3_burger": slices.Concat(wheels, imu, []string{"compass", "LDS-01"}),
		"thymio2": slices.Concat([]string{"motor.left", "motor.left.position", "motor.right", "motor.right.position"},
			numbered("prox.horizontal.", 7), numbered("prox.ground.", 2)),
	} {
		p := serve(t, "name: x\nrobots: [{name: r, model: "+model+", position: [0, 0]}]", nil).control("r")
		got := make([]string, len(p.names)+1)
		for name, tag := range p.names {
			got[tag] = name
		}
		if !slices.Equal(got[1:], want) {
			t.Errorf("%s has %s\nwant %s", model, strings.Join(got[1:], ", "), strings.Join(want, ", "))
		}
	}
}

// A user's file has its own names, those of joints as Webots' converter of URDF makes them; what is there twice has a
// number, and joints that follow others have no motors.
func TestNamesOfAFile(t *testing.T) {
	const file = `<robot name="mine">
<link name="base"><collision><geometry><box size=".1 .1 .1"/></geometry></collision></link>
<link name="arm"/><link name="hand"/><link name="other"/><link name="rail"/>
<joint name="elbow" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/><limit lower="-1" upper="2" velocity="1" effort="1"/></joint>
<joint name="wrist" type="continuous"><parent link="arm"/><child link="hand"/><axis xyz="0 0 1"/></joint>
<joint name="follower" type="continuous"><parent link="arm"/><child link="other"/><axis xyz="0 0 1"/><mimic joint="wrist"/></joint>
<joint name="slide" type="prismatic"><parent link="base"/><child link="rail"/><axis xyz="1 0 0"/><limit lower="0" upper=".2" velocity=".1" effort="1"/></joint>
<gazebo reference="base"><sensor name="imu" type="imu"/><sensor name="elbow" type="contact"/></gazebo>
<gazebo reference="hand"><sensor name="second" type="imu"/><sensor name="gyro" type="contact"/></gazebo>
</robot>`
	world := "name: x\nrobots: [{name: r, model: mine, position: [0, 0]}]"
	p := serveFile(t, world, file, nil).control("r")
	want := []string{
		"elbow", "elbow_sensor", "wrist", "wrist_sensor", "slide", "slide_sensor", "accelerometer", "gyro", "imu", "elbow 2",
		"second accelerometer", "second gyro", "second", "gyro 2",
	}
	if p.model != "mine" || len(p.names) != len(want) {
		t.Errorf("%q: %v", p.model, p.names)
	}
	for i, name := range want {
		if got := p.names[name]; int(got) != i+1 {
			t.Errorf("%q is device %d, want %d", name, got, i+1)
		}
	}
	for motor, limits := range map[string][3]float64{"elbow": {-1, 2, 1}, "wrist": {0, 0, 10}, "slide": {0, 0.2, 0.1}} {
		r := &reader{t, p.configs[motor]}
		r.int32()
		for i, want := range limits {
			near(t, fmt.Sprintf("%s, limit %d", motor, i), r.float(), want, 0)
		}
	}
}
