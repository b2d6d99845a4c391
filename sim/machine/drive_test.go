// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: %g, not %g", what, got, want)
	}
}

// All robots of the library drive forward by their wheels' speeds, and not faster than their maximum.
func TestLibraryDrives(t *testing.T) {
	for _, name := range library.Names() {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "robots:\n"+robotAt("x", name, 0, 0, 0))
			desc, err := library.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			slow := 0.05 / desc.Drive.Radius
			r.drive(0, slow, slow)
			r.pass(2 * time.Second)
			near(t, "ahead", r.pose(0).X, 0.1, 0.003)
			near(t, "aside", r.pose(0).Y, 0, 1e-9)
			r.drive(0, -slow, slow)
			r.pass(time.Second)
			near(t, "turned", r.pose(0).Theta, 0.1/desc.Drive.Separation, 0.05)
			r.drive(0, 1e9, 1e9)
			r.pass(4 * time.Second)
			r.do(0, func(m *machine.Machine) {
				if v, _ := m.Twist(); desc.Drive.Speed > 0 && v > desc.Drive.Speed*1.0001 || v <= slow*desc.Drive.Radius {
					t.Errorf("%g m/s, its description says %g", v, desc.Drive.Speed)
				}
			})
			r.drive(0, math.NaN(), 0)
			r.pass(10 * time.Second)
			before := r.pose(0)
			if r.pass(time.Hour); r.pose(0) != before { // computed at once, as nothing moves
				t.Error("it continues driving")
			}
		})
	}
}

// A box touches a wall with its front, and with a corner when it is rotated.
func TestBoxMeetsWalls(t *testing.T) {
	for _, yaw := range []float64{0, math.Pi / 2, 0.7, -2.5} {
		r := newRig(t, arena(robotAt("cart", "cart", 0, 0, yaw)), withCart(""))
		r.drive(0, 20, 20)
		r.pass(20 * time.Second)
		p := r.pose(0)
		for _, c := range [4][2]float64{{0.1, 0.05}, {0.1, -0.05}, {-0.1, 0.05}, {-0.1, -0.05}} {
			at := p.Transform(vec(c[0], c[1]))
			if math.Abs(at.X) > 1.0005 || math.Abs(at.Y) > 1.0005 {
				t.Errorf("yaw %g: a corner is at %v", yaw, at)
			}
		}
		if yaw == 0 {
			near(t, "the front's wall", p.X, 0.9, 1e-3)
		}
		r.do(0, func(m *machine.Machine) {
			if !m.Contact() {
				t.Error("it has touched nothing")
			}
		})
	}
}

// Robots of all kinds stop each other at the distance of their own shapes.
func TestRobotsMeet(t *testing.T) {
	epuck := "  - {name: e, level: functional, position: [0.5, 0]}\n"
	r := newRig(t, arena(robotAt("cart", "cart", 0, 0, 0), epuck, robotAt("k", "khepera4", -0.5, 0, 0)), withCart(""))
	r.drive(0, 10, 10)
	r.pass(10 * time.Second)
	near(t, "cart before the e-puck", r.pose(0).X, 0.5-physics.BodyRadius-0.1, 1e-3)
	r.drive(0, 0, 0)
	r.drive(1, 10, 10)
	r.pass(10 * time.Second)
	gap := r.pose(0).X - 0.1 - r.pose(1).X // its nose; the Khepera's radius
	if gap < 0.06 || gap > 0.08 {
		t.Errorf("the Khepera stops %g m behind the cart", gap)
	}
	e := sim.RobotsOf[*sim.Functional](r.sim)[0]
	e.Do(func(c *sim.Control) {
		if p := c.Proximity(); p[3]+p[4] < 100 {
			t.Errorf("the e-puck sees %v of the cart behind it", p)
		}
		c.SetWheels(-5, -5)
	})
	r.pass(3 * time.Second)
	near(t, "the e-puck against the cart", e.GroundTruth().Pose.X, 0.5, 2e-3)
	if err := sim.RobotsOf[*sim.Articulated](r.sim)[1].Place(e.GroundTruth().Pose); !errors.Is(err, sim.ErrOccupied) {
		t.Errorf("onto the e-puck: %v", err)
	}
}

// A joint moves to its commanded position at its speed and within its limits.
func TestJoints(t *testing.T) {
	r := newRig(t, arena(robotAt("cart", "cart", 0, 0, 0)), withCart(""))
	set := func(name string, f func(m *machine.Machine, joint int)) {
		r.do(0, func(m *machine.Machine) { f(m, jointOf(m, name)) })
	}
	at := func(name string) (s machine.JointState) {
		set(name, func(m *machine.Machine, j int) { s = m.Joint(j) })
		return s
	}
	set("turn", func(m *machine.Machine, j int) { m.SetPosition(j, 1, 0) })
	set("lift", func(m *machine.Machine, j int) { m.SetPosition(j, 9, 0.05) })
	r.pass(500 * time.Millisecond)
	near(t, "half way", at("turn").Position, 0.5, 1e-9)
	near(t, "its speed", at("turn").Velocity, 1, 1e-9)
	r.pass(2 * time.Second)
	near(t, "there", at("turn").Position, 1, 0)
	near(t, "slowly", at("lift").Position, 0.125, 1e-9)
	set("turn", func(m *machine.Machine, j int) { m.SetVelocity(j, -math.MaxFloat64) })
	r.pass(10 * time.Second)
	if s := at("turn"); s.Position != -2 || s.Velocity != 0 {
		t.Errorf("at its limit: %+v", s)
	}
	near(t, "at the end", at("lift").Position, 0.3, 0)
	for _, j := range []int{-1, 99} {
		r.do(0, func(m *machine.Machine) {
			m.SetVelocity(j, 1)
			m.SetPosition(j, 1, 1)
			if m.Joint(j) != (machine.JointState{}) || m.Measure(j, nil) != nil || m.Picture(j, nil) != nil {
				t.Error("a device that does not exist")
			}
			m.SetLED(j, [3]float64{1})
		})
	}
}
