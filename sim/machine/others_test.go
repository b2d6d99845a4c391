// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
)

// Things and persons are obstacles of a machine, and it is one of theirs.
func TestThingsAndPersons(t *testing.T) {
	text := "arena: {size: [2, 2], height: 0.3}\nboxes: [{name: crate, position: [0.8, 0], size: [0.1, 0.1], height: 0.3}]\nrobots:\n" + robotAt("b", "turtlebot3_burger", 0, 0, 0)
	r := newRig(t, text)
	if err := r.sim.Move("crate", sim.Pose{X: -0.03}); !errors.Is(err, sim.ErrOccupied) {
		t.Errorf("a crate onto the robot: %v", err)
	}
	ahead := func() float64 { return r.read(0, "scan")[0] }
	near(t, "the crate", ahead(), 0.782, 0.01)
	if err := r.sim.Move("crate", sim.Pose{X: 0.5}); err != nil {
		t.Fatal(err)
	}
	near(t, "the crate, nearer", ahead(), 0.482, 0.01)
	person := sim.DefaultPerson()
	person.Name, person.Pose = "ada", sim.Pose{X: 0.1, Y: 0.05}
	if err := r.sim.Admit(person); !errors.Is(err, sim.ErrOccupied) {
		t.Errorf("a person in the robot: %v", err)
	}
	person.Pose = sim.Pose{X: -0.6}
	if err := r.sim.Admit(person); err != nil {
		t.Fatal(err)
	}
	near(t, "the person behind", r.read(0, "scan")[180], 0.418, 0.01)
	r.drive(0, -5, -5)
	r.pass(5 * time.Second)
	if x := r.pose(0).X; x < -0.38 || x > -0.3 {
		t.Errorf("stopped at %g by the person", x)
	}
}

// An e-puck2's camera shows a robot of another kind, and that robot's camera the e-puck2.
func TestCamerasSeeRobots(t *testing.T) {
	text := "robots:\n  - {name: e, position: [0, 0]}\n" + robotAt("k", "khepera4", 0.3, 0, 3.14159)
	r := newRig(t, text)
	var with, without, own, alone []byte
	with = sim.RobotsOf[*sim.Firmware](r.sim)[0].Picture(nil)
	picture := func() (p []byte) {
		r.do(0, func(m *machine.Machine) { p = bytes.Clone(m.Picture(deviceOf(t, m, "camera"), nil)) })
		return p
	}
	own = picture()
	if err := sim.RobotsOf[*sim.Articulated](r.sim)[0].Place(sim.Pose{X: -1}); err != nil {
		t.Fatal(err)
	}
	without, alone = sim.RobotsOf[*sim.Firmware](r.sim)[0].Picture(nil), picture()
	if bytes.Equal(with, without) || bytes.Equal(own, alone) {
		t.Error("robots are not in the pictures")
	}
}

// Robots move the same whether others are sorted as near or far: the sorting only affects the speed.
func TestFarFromOthers(t *testing.T) {
	text := "arena: {size: [60, 4]}\nrobots:\n"
	for i := range 12 {
		text += robotAt("r"+string(rune('a'+i)), "epuck2", 4*float64(i)-22, 0, 0)
	}
	r := newRig(t, text)
	for i := range 12 {
		r.drive(i, 4, 4.5)
	}
	r.pass(20 * time.Second)
	first := r.pose(0)
	for i := range 12 {
		p := r.pose(i)
		near(t, "x", p.X-4*float64(i), first.X, 1e-9)
		near(t, "y", p.Y, first.Y, 1e-9)
	}
}
