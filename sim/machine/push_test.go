// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
)

// wheelSpeed returns the speed of a functional e-puck2's wheel for a command of 5 rad/s, rad/s, as rounded by the motor
// steps and the timer's period.
func wheelSpeed(t *testing.T) float64 {
	t.Helper()
	r := newRig(t, "robots: [{name: f, level: functional}]")
	f := sim.RobotsOf[*sim.Functional](r.sim)[0]
	f.Do(func(c *sim.Control) { c.SetWheels(5, 5) })
	r.pass(20 * time.Millisecond)
	return f.GroundTruth().LeftSpeed
}

// driveAll drives all robots straight, the articulated ones with the wheel speed of the functional ones.
func driveAll(t *testing.T, r *rig) {
	t.Helper()
	speed := wheelSpeed(t)
	for _, a := range sim.RobotsOf[*sim.Functional](r.sim) {
		a.Do(func(c *sim.Control) { c.SetWheels(5, 5) })
	}
	for i := range sim.RobotsOf[*sim.Articulated](r.sim) {
		r.drive(i, speed, speed)
	}
}

// TestDescribedEpuck2PushesAsFunctionalOne: equal boxes and pucks, pushed centrally and off-centre, agree within 0.1 mm
// and 0.001 rad at each tenth of a second, while the robots drive 0.4 m.
func TestDescribedEpuck2PushesAsFunctionalOne(t *testing.T) {
	for _, offset := range []float64{0, 0.015, -0.025} {
		lane := func(y float64, name string) (things, puck string) {
			return fmt.Sprintf("- {name: box_%s, position: [0.1, %g], size: [0.06, 0.08], movable: true, mass: 0.05}\n", name, y+offset),
				fmt.Sprintf("- {name: puck_%s, position: [0.22, %g], radius: 0.03, movable: true}\n", name, y+offset/2)
		}
		boxF, puckF := lane(-0.5, "f")
		boxD, puckD := lane(0.5, "d")
		r := newRig(t, "boxes:\n"+boxF+boxD+"cylinders:\n"+puckF+puckD+
			"robots:\n  - {name: f, level: functional, position: [0, -0.5]}\n"+robotAt("d", "epuck2", 0, 0.5, 0))
		driveAll(t, r)
		for step := range 40 {
			r.pass(100 * time.Millisecond)
			f, d := sim.RobotsOf[*sim.Functional](r.sim)[0].Pose(), r.pose(0)
			within(t, fmt.Sprintf("offset %g, step %d: robots", offset, step), f.X-d.X, f.Y+0.5-(d.Y-0.5), 0.0001)
			things := r.sim.Things()
			for i := 0; i < len(things); i += 2 {
				a, b := things[i].Shape, things[i+1].Shape
				within(t, fmt.Sprintf("offset %g, step %d: %s", offset, step, things[i].Name),
					a.Center().X-b.Center().X, a.Center().Y+0.5-(b.Center().Y-0.5), 0.0001)
				if turned := math.Abs(a.Yaw() - b.Yaw()); turned > 0.001 {
					t.Errorf("offset %g, step %d: %s is turned by %g rad more", offset, step, things[i].Name, turned)
				}
			}
		}
		if x := r.sim.Things()[1].Shape.Center().X; x < 0.3 && offset == 0 {
			t.Errorf("the box is at %g m only", x)
		}
	}
}

func within(t *testing.T, what string, dx, dy, limit float64) {
	t.Helper()
	if !(math.Hypot(dx, dy) <= limit) {
		t.Errorf("%s: %g mm apart, more than %g", what, 1000*math.Hypot(dx, dy), 1000*limit)
	}
}

// heavyBox is a box whose friction with the floor, 1.2 N, is more than the traction of one e-puck2, 0.76 N.
const heavyBox = "boxes: [{position: [0, 0], size: [0.1, 0.3], movable: true, mass: 0.4}]\nrobots:\n"

// TestHeavyDescribedRobotPushesWhatEpuck2Cannot: a TurtleBot3 of 1 kg moves the box at its own speed.
func TestHeavyDescribedRobotPushesWhatEpuck2Cannot(t *testing.T) {
	for model, want := range map[string]bool{"epuck2": false, "turtlebot3_burger": true} {
		r := newRig(t, heavyBox+robotAt("r", model, -0.3, 0, 0))
		var radius, speed float64
		r.do(0, func(m *machine.Machine) { radius = m.Description().Drive.Radius })
		r.drive(0, 0.1/radius, 0.1/radius)
		r.pass(6 * time.Second)
		before := r.sim.Things()[0].Shape.Center().X
		r.pass(2 * time.Second)
		moved := r.sim.Things()[0].Shape.Center().X - before
		r.do(0, func(m *machine.Machine) { speed, _ = m.Twist() })
		if want && (math.Abs(moved-0.2) > 0.005 || math.Abs(speed-0.1) > 0.003) {
			t.Errorf("%s moves the box by %g m in 2 s, and drives at %g m/s", model, moved, speed)
		}
		if !want && (moved != 0 || math.Abs(speed) > 0.001) {
			t.Errorf("%s moves the box by %g m, and drives at %g m/s", model, moved, speed)
		}
	}
}

// TestDescribedAndFunctionalEpuck2PushTogether: two robots move a box that one can't.
func TestDescribedAndFunctionalEpuck2PushTogether(t *testing.T) {
	r := newRig(t, heavyBox+"  - {name: f, level: functional, position: [-0.1, 0.08]}\n"+robotAt("d", "epuck2", -0.1, -0.08, 0))
	driveAll(t, r)
	r.pass(5 * time.Second)
	if x := r.sim.Things()[0].Shape.Center().X; x < 0.4 {
		t.Errorf("the box is at %g m", x)
	}
}

// herd returns the text of a world of movable things, described robots of several shapes, and e-pucks.
func herd() string {
	var b bytes.Buffer
	b.WriteString("arena: {size: [1.6, 1.6]}\nwalls: [{from: [-0.2, 0.45], to: [0.2, 0.4]}]\nboxes:\n")
	for i := range 9 {
		fmt.Fprintf(&b, "- {position: [%g, %g], size: [0.06, 0.04], yaw: %g, movable: true, mass: 0.05}\n",
			0.3*float64(i%3)-0.3, 0.3*float64(i/3)-0.3, 0.4*float64(i))
	}
	b.WriteString("cylinders: [{position: [0.5, 0.5], radius: 0.02, movable: true, mass: 0.02}]\nrobots:\n")
	for i := range 4 {
		fmt.Fprintf(&b, "  - {name: r%d, level: functional, position: [%g, -0.65], yaw: 1}\n", i, 0.3*float64(i)-0.5)
	}
	for i, model := range []string{"cart", "turtlebot3_burger", "thymio2", "epuck2"} {
		b.WriteString(robotAt(model, model, 0.35*float64(i)-0.5, 0.65, -2+float64(i)))
	}
	return b.String()
}

// wander changes the speeds of all robots, depending on n; each third time they drive backwards, out of what they face.
func wander(r *rig, n int) {
	sign := 1.0
	if n%3 == 2 {
		sign = -1
	}
	for i, a := range sim.RobotsOf[*sim.Functional](r.sim) {
		a.Do(func(c *sim.Control) { c.SetWheels(sign*float64((n+i)%9), sign*float64((n*3+i)%11)) })
	}
	for i := range sim.RobotsOf[*sim.Articulated](r.sim) {
		r.drive(i, sign*float64((n*5+i)%13), sign*float64((n*7+3*i)%11))
	}
}

// TestDescribedRobotsNeverOverlapWhatTheyPush: robots and things do not overlap, and half of the things are moved.
func TestDescribedRobotsNeverOverlapWhatTheyPush(t *testing.T) {
	r := newRig(t, herd(), withCart(""))
	before := r.sim.Things()
	for n := range 120 {
		wander(r, n)
		for range 10 {
			r.pass(50 * time.Millisecond)
			checkApart(t, r)
		}
		if t.Failed() {
			return
		}
	}
	moved := 0
	for i, thing := range r.sim.Things() {
		if thing.Shape != before[i].Shape {
			moved++
		}
	}
	if moved < 5 {
		t.Errorf("only %d things are moved", moved)
	}
}

func checkApart(t *testing.T, r *rig) {
	t.Helper()
	things := r.sim.Things()
	for i := range sim.RobotsOf[*sim.Articulated](r.sim) {
		r.do(i, func(m *machine.Machine) {
			for _, solid := range m.Outline(nil) {
				for k := range things {
					if v, hit := things[k].Shape.Apart(&solid); hit && v.Norm() > 1e-6 {
						t.Errorf("robot %d is %g m in %s", i, v.Norm(), things[k].Name)
					}
				}
			}
		})
	}
}

// TestPushingOfDescribedRobotsIsTheSameForAnyWorkersAndAfterRestore: the traces, which include the things, are equal.
func TestPushingOfDescribedRobotsIsTheSameForAnyWorkersAndAfterRestore(t *testing.T) {
	run := func(workers, checkpoint int) string {
		r := newRig(t, herd(), withCart(""), func(o *sim.Options) { o.Workers = workers })
		for n := range 12 {
			wander(r, n)
			r.pass(500 * time.Millisecond)
			if n == checkpoint {
				var file bytes.Buffer
				if err := r.sim.Snapshot(&file); err != nil {
					t.Fatal(err)
				}
				again := sim.NewClock()
				s, err := sim.Restore(&file, sim.Options{Now: again.Now, Mechanisms: r.opts.Mechanisms, Workers: workers}, nil)
				if err != nil {
					t.Fatal(err)
				}
				r.sim, r.clock = s, again
			}
		}
		hash := r.sim.TraceHash()
		return fmt.Sprint(hash)
	}
	want := run(1, -1)
	for _, c := range [][2]int{{4, -1}, {1, 5}, {3, 7}} {
		if got := run(c[0], c[1]); got != want {
			t.Errorf("%d workers, checkpoint %d: %s, not %s", c[0], c[1], got, want)
		}
	}
}
