// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// rig is a world with described robots, advanced by the test.
type rig struct {
	t     testing.TB
	clock *sim.Clock
	sim   *sim.Simulation
	opts  sim.Options
	eyes  [8]int // of a field's e-puck2 robots, for benchmarks
}

// robotAt returns a robot of a world file.
func robotAt(name, model string, x, y, yaw float64) string {
	return fmt.Sprintf("  - {name: %s, model: %s, position: [%g, %g], yaw: %g}\n", name, model, x, y, yaw)
}

// newRig returns the world of a file's text.
func newRig(t testing.TB, text string, change ...func(*sim.Options)) *rig {
	t.Helper()
	r := &rig{t: t, clock: sim.NewClock()}
	r.opts = sim.Options{Seed: 3, Now: r.clock.Now, Trace: true, Settled: true, Quiet: true, MaxCatchUp: -1, Mechanisms: machine.Maker(library.Parse, library.Load)}
	for _, c := range change {
		c(&r.opts)
	}
	w, err := sim.ParseWorld([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if r.sim, err = sim.New(w, r.opts); err != nil {
		t.Fatal(err)
	}
	return r
}

// pass advances the world.
func (r *rig) pass(d time.Duration) {
	r.clock.Sleep(d)
	r.sim.Elapsed()
}

// do runs f with the devices of articulated robot i.
func (r *rig) do(i int, f func(m *machine.Machine)) {
	sim.RobotsOf[*sim.Articulated](r.sim)[i].Do(func(g sim.Mechanism) { f(g.(*machine.Machine)) })
}

// drive sets the speeds of the wheels, rad/s.
func (r *rig) drive(i int, left, right float64) {
	r.do(i, func(m *machine.Machine) {
		drive := m.Description().Drive
		for side, speed := range [2]float64{left, right} {
			for _, name := range [2][]string{drive.Left, drive.Right}[side] {
				m.SetVelocity(jointOf(m, name), speed)
			}
		}
	})
}

// pose returns the pose of articulated robot i.
func (r *rig) pose(i int) sim.Pose { return sim.RobotsOf[*sim.Articulated](r.sim)[i].Pose() }

// read returns the values of a device.
func (r *rig) read(i int, device string) (v []float64) {
	r.do(i, func(m *machine.Machine) { v = m.Measure(deviceOf(r.t, m, device), nil) })
	return v
}

func jointOf(m *machine.Machine, name string) int {
	for i := range m.Description().Joints {
		if m.Description().Joints[i].Name == name {
			return i
		}
	}
	return -1
}

func deviceOf(t testing.TB, m *machine.Machine, name string) int {
	t.Helper()
	for i := range m.Description().Devices {
		if m.Description().Devices[i].Name == name {
			return i
		}
	}
	t.Fatalf("no device %q", name)
	return -1
}

// cart returns a robot with a box of 0.2 × 0.1 m, devices and an arm.
func cart(devices string) string {
	return `<robot name="cart">
  <link name="base"><collision><origin xyz="0 0 0.05"/><geometry><box size="0.2 0.1 0.1"/></geometry></collision></link>
  <link name="l"/><link name="r"/><link name="mast"/><link name="hand"/>
  <joint name="left" type="continuous"><parent link="base"/><child link="l"/><origin xyz="0 0.05 0.02"/><axis xyz="0 1 0"/></joint>
  <joint name="right" type="continuous"><parent link="base"/><child link="r"/><origin xyz="0 -0.05 0.02"/><axis xyz="0 1 0"/></joint>
  <joint name="turn" type="revolute"><parent link="base"/><child link="mast"/><origin xyz="0 0 0.1"/><axis xyz="0 0 1"/><limit lower="-2" upper="2" velocity="1" effort="1"/></joint>
  <joint name="lift" type="prismatic"><parent link="mast"/><child link="hand"/><axis xyz="0 0 1"/><limit lower="0" upper="0.3" velocity="0.1" effort="1"/></joint>
  <gazebo reference="hand">` + devices + `</gazebo>
  <gazebo><plugin filename="gz-sim-diff-drive-system" name="gz::sim::systems::DiffDrive"><left_joint>left</left_joint><right_joint>right</right_joint><wheel_separation>0.1</wheel_separation><wheel_radius>0.02</wheel_radius><max_linear_velocity>0.5</max_linear_velocity></plugin></gazebo>
</robot>`
}

// arena returns a world file of an arena of 2 × 2 m with robots.
func arena(robots ...string) string {
	return "arena: {size: [2, 2], height: 0.3}\nrobots:\n" + strings.Join(robots, "")
}

func newWorldRobot(name, model string, x, y float64) world.Robot {
	return world.Robot{Name: name, Model: model, Position: world.Point{x, y}}
}
