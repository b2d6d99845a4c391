// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// pushers starts a world whose robots all drive straight ahead at 0.1 m/s.
func pushers(t *testing.T, text string, opts Options) (*Simulation, *Clock) {
	t.Helper()
	w, err := ParseWorld([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	clock := NewClock()
	opts.Now, opts.MaxCatchUp, opts.Settled, opts.Trace = clock.Now, -1, true, true
	s, err := New(w, opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range RobotsOf[*Functional](s) {
		a.Do(func(c *Control) { c.SetWheels(5, 5) })
	}
	for _, r := range RobotsOf[*Firmware](s) {
		if !r.GroundTruth().Dead {
			command(t, r, 796, 796)
		}
	}
	return s, clock
}

// command commands the speeds of a robot's wheels, steps/s.
func command(t *testing.T, r *Firmware, left, right int16) {
	t.Helper()
	var cmd [20]byte
	binary.LittleEndian.PutUint16(cmd[0:], uint16(left))
	binary.LittleEndian.PutUint16(cmd[2:], uint16(right))
	for _, b := range cmd[:19] {
		cmd[19] ^= b
	}
	if err := r.Bus().Tx(0x1F, cmd[:], make([]byte, 47)); err != nil {
		t.Fatal(err)
	}
}

// TestRobotsPushAtBothLevels: a robot pushes a puck and a box ahead of it at its own speed, and they stay where the
// robot stops.
func TestRobotsPushAtBothLevels(t *testing.T) {
	for _, level := range []string{"firmware", "functional"} {
		s, clock := pushers(t, `
boxes: [{name: block, position: [0.1, 0], size: [0.06, 0.06], movable: true, mass: 0.05}]
cylinders: [{name: puck, position: [0.2, 0], radius: 0.03, movable: true}]
robots: [{name: r, level: `+level+`}]`, Options{})
		clock.Sleep(10 * time.Second)
		m := s.Robots()[0].GroundTruth()
		things := s.Things()
		near(t, level+": robot", m.Pose.X, 1, 0.02)
		near(t, level+": block", things[0].Shape.Center().X, m.Pose.X+physics.BodyRadius+0.03, 1e-3)
		near(t, level+": puck", things[1].Shape.Center().X, m.Pose.X+physics.BodyRadius+0.06+0.03, 1e-3)
		near(t, level+": speed", m.V, 0.1, 0.005)
		if !m.Collided {
			t.Errorf("%s: pushing is no contact", level)
		}
		for _, a := range RobotsOf[*Functional](s) {
			a.Do(func(c *Control) { c.SetWheels(0, 0) })
		}
		for _, r := range RobotsOf[*Firmware](s) {
			command(t, r, 0, 0)
		}
		clock.Sleep(time.Second)
		stopped := s.Things()
		clock.Sleep(time.Second)
		for i, thing := range s.Things() {
			if thing != stopped[i] {
				t.Errorf("%s: %s moves by itself from %v to %v", level, thing.Name, stopped[i].Shape, thing.Shape)
			}
		}
	}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %g, want %g ± %g", what, got, want, tolerance)
	}
}

// TestTwoRobotsMoveWhatOneCannot: a box whose friction is more than the traction of one robot, 0.76 N.
func TestTwoRobotsMoveWhatOneCannot(t *testing.T) {
	const box = "boxes: [{position: [0, 0], size: [0.1, 0.3], movable: true, mass: 0.4}]\nrobots:\n" // 1.2 N
	for _, level := range []string{"firmware", "functional"} {
		robot := func(name string, y float64) string {
			return fmt.Sprintf("- {name: %s, level: %s, position: [-0.1, %g]}\n", name, level, y)
		}
		s, clock := pushers(t, box+robot("a", 0), Options{})
		clock.Sleep(5 * time.Second)
		x := s.Things()[0].Shape.Center().X
		near(t, level+": what the robot's momentum does", x, 0, 5e-4)
		clock.Sleep(5 * time.Second)
		if later := s.Things()[0].Shape.Center().X; later != x {
			t.Errorf("%s: one robot has moved it by %g m", level, later-x)
		}
		if v := s.Robots()[0].GroundTruth().V; math.Abs(v) > 1e-3 {
			t.Errorf("%s: the robot that can't push drives at %g m/s", level, v)
		}
		s, clock = pushers(t, box+robot("a", 0.08)+robot("b", -0.08), Options{})
		clock.Sleep(5 * time.Second)
		near(t, level+": way with two robots", s.Things()[0].Shape.Center().X, 0.5-0.1+0.05+physics.BodyRadius, 0.02)
	}
}

// crowdOfLoads is the text of a world with movable things and robots of both levels among them.
func crowdOfLoads(robots int) string {
	var b bytes.Buffer
	b.WriteString("arena: {size: [1.2, 1.2]}\nwalls: [{from: [-0.2, 0.35], to: [0.2, 0.3]}]\nboxes:\n")
	for i := range 9 {
		fmt.Fprintf(&b, "- {position: [%g, %g], size: [0.06, 0.04], yaw: %g, movable: true, mass: 0.05}\n",
			0.2*float64(i%3)-0.3, 0.2*float64(i/3)-0.25, 0.4*float64(i))
	}
	b.WriteString("cylinders: [{position: [0.4, 0.4], radius: 0.02, movable: true, mass: 0.02}]\nrobots:\n")
	for i := range robots {
		level := "functional"
		if i%4 == 3 {
			level = "firmware"
		}
		fmt.Fprintf(&b, "- {name: r%d, level: %s, position: [%g, %g], yaw: %d}\n", i, level,
			0.2*float64(i%4)-0.2, 0.2*float64(i/4)-0.35, i)
	}
	return b.String()
}

// TestPushingIsTheSameForAnyWorkers: the trace, which things are part of, does not depend on the number of goroutines
// nor on how often a program reads the state.
func TestPushingIsTheSameForAnyWorkers(t *testing.T) {
	run := func(workers int, look time.Duration) (hash [32]byte, moved float64) {
		s, clock := pushers(t, crowdOfLoads(12), Options{Workers: workers})
		before := s.Things()
		for d := time.Duration(0); d < 8*time.Second; d += look {
			clock.Sleep(look)
			s.Elapsed()
		}
		for i, thing := range s.Things() {
			moved += thing.Shape.Center().Sub(before[i].Shape.Center()).Norm()
		}
		return s.TraceHash(), moved
	}
	want, moved := run(1, 4*time.Second)
	if moved < 0.3 {
		t.Fatalf("all things together have moved by %g m", moved)
	}
	for _, c := range []struct {
		workers int
		look    time.Duration
	}{{2, 4 * time.Second}, {2, 10 * time.Millisecond}, {1, 500 * time.Millisecond}} {
		if got, _ := run(c.workers, c.look); got != want {
			t.Errorf("%d workers, a look each %v: another run", c.workers, c.look)
		}
	}
}

// TestPushingContinuesFromASnapshot: a run restored while robots push is equal byte for byte.
func TestPushingContinuesFromASnapshot(t *testing.T) {
	s, clock := pushers(t, crowdOfLoads(12), Options{})
	clock.Sleep(1510 * time.Millisecond)
	var b bytes.Buffer
	if err := s.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	again := NewClock()
	r, err := Restore(&b, Options{Now: again.Now}, nil)
	if err != nil {
		t.Fatal(err)
	}
	clock.Sleep(3 * time.Second)
	again.Sleep(3 * time.Second)
	if s.TraceHash() != r.TraceHash() {
		t.Error("the restored world continues otherwise")
	}
}

// TestNothingOverlapsInAWorld: robots that drive at full speed this way and that among things that move, looked at at
// any time.
func TestNothingOverlapsInAWorld(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, err := ParseWorld([]byte(crowdOfLoads(rapid.IntRange(1, 16).Draw(t, "robots"))))
		if err != nil {
			t.Fatal(err)
		}
		for i := range w.Boxes {
			w.Boxes[i].Mass = rapid.Float64Range(0.001, 1).Draw(t, "mass")
			w.Boxes[i].Friction = rapid.Float64Range(0, 1).Draw(t, "friction")
		}
		clock := NewClock()
		s, err := New(w, Options{Now: clock.Now, MaxCatchUp: -1})
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range RobotsOf[*Functional](s) {
			if err := a.SetController(&restless{steps: 3 * i}, 100*time.Millisecond); err != nil {
				t.Fatal(err)
			}
		}
		for range 40 {
			clock.Sleep(time.Duration(rapid.IntRange(1, 100).Draw(t, "ms")) * time.Millisecond)
			s.Elapsed()
			s.world.Lock()
			what := s.overlapping()
			s.world.Unlock()
			if what != "" {
				t.Fatalf("after %v: %s", s.Elapsed(), what)
			}
		}
	})
}

// overlapping returns a description of what overlaps by more than rounding.
func (s *Simulation) overlapping() string {
	x := s.world.Physics
	for i := range int32(x.Shapes()) {
		for j := range i {
			if !x.Movable(i) && !x.Movable(j) {
				continue
			}
			a, b := x.Ref(i), x.Ref(j)
			if b.Kind() == geom.Enclosure {
				a, b = b, a
			}
			if v, hit := a.Apart(b); hit && v.Norm() > touch {
				return fmt.Sprintf("shapes %d and %d", j, i)
			}
		}
		for _, u := range s.world.Units() {
			disc := geom.NewDisc(u.Position(), physics.BodyRadius, physics.BodyHeight)
			if v, hit := x.Ref(i).Apart(&disc); hit && v.Norm() > 1e-8 {
				return fmt.Sprintf("shape %d and robot %s by %g m", i, u.Name(), v.Norm())
			}
		}
	}
	return ""
}

// TestMovableThingsCanBePut: Move puts a movable thing somewhere, where it rests and is pushed from, but not into
// another thing, nor that into it.
func TestMovableThingsCanBePut(t *testing.T) {
	s, clock := pushers(t, `
boxes: [{name: load, position: [0.5, 0.5], size: [0.1, 0.1], movable: true, mass: 0.05}, {name: post, position: [1, 1], size: [0.1, 0.1]}]
robots: [{name: r, level: functional}]`, Options{})
	if err := s.Move("load", Pose{X: 1.05, Y: 1}); err == nil {
		t.Error("a load in a post")
	}
	if err := s.Move("post", Pose{X: 0.55, Y: 0.5}); err == nil {
		t.Error("a post in a load")
	}
	if err := s.Move("load", Pose{X: 0.2, Theta: 0.1}); err != nil {
		t.Fatal(err)
	}
	clock.Sleep(5 * time.Second)
	if at := s.Things()[0].Shape.Center(); at.X < 0.4 {
		t.Errorf("it is at %v", at)
	}
}

// TestMovableThingsAreSeen: what has been pushed is seen where it is now: the infrared sensor of another robot.
func TestMovableThingsAreSeen(t *testing.T) {
	s, clock := pushers(t, `
boxes: [{position: [0.1, 0], size: [0.06, 0.06], movable: true, mass: 0.05}]
robots: [{name: pusher, level: functional}, {name: watcher, level: functional, position: [0.36, 0], yaw: 3.14159}]`, Options{Quiet: true})
	watcher := RobotsOf[*Functional](s)[1]
	watcher.Do(func(c *Control) { c.SetWheels(0, 0) })
	look := func() (v float64) {
		watcher.Do(func(c *Control) { v = c.Proximity()[0] })
		return v
	}
	before := look()
	clock.Sleep(1600 * time.Millisecond)
	if after := look(); before != 0 || after < 5 {
		t.Errorf("the watcher sees %g and then %g", before, after)
	}
}

// TestPutAndTake: things are added to the running world where there is space, are pushed, are part of snapshots and
// leave; persons and things of the world file keep their places meanwhile.
func TestPutAndTake(t *testing.T) {
	s, clock := pushers(t, `
boxes: [{name: wall, position: [-0.3, 0], size: [0.1, 0.1]}]
cylinders: [{name: first, position: [0, 0.5], radius: 0.03, movable: true}]
robots: [{name: r, level: functional}]`, Options{})
	if err := s.Admit(Person{Name: "p", Pose: Pose{X: -2}}); err != nil {
		t.Fatal(err)
	}
	load := world.Load{Movable: true, Mass: 0.02, Friction: 0.3}
	puck := func(name string, x float64) Thing {
		return Thing{Name: name, Shape: geom.NewDisc(geom.Vec{X: x}, 0.02, 0.04)}
	}
	for i, name := range []string{"a", "b"} {
		if err := s.Put(puck(name, 0.1+0.1*float64(i)), load); err != nil {
			t.Fatal(err)
		}
	}
	for what, bad := range map[string]Thing{
		"onto a robot": puck("c", 0.02), "onto a thing": puck("c", -0.3), "onto a person": puck("c", -2), "a name that is taken": puck("a", 1),
		"no name": puck("", 1), "no radius": {Name: "c", Shape: geom.NewDisc(geom.Vec{X: 1}, 0, 0.1)},
		"an enclosure": {Name: "c", Shape: geom.NewEnclosure(geom.Vec{X: 1}, geom.Vec{X: 1, Y: 1}, 0.1)},
	} {
		if s.Put(bad, load) == nil {
			t.Errorf("put %s", what)
		}
	}
	clock.Sleep(2 * time.Second)
	var checkpoint bytes.Buffer
	if err := s.Snapshot(&checkpoint); err != nil {
		t.Fatal(err)
	}
	again := NewClock()
	r, err := Restore(&checkpoint, Options{Now: again.Now}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []*Simulation{s, r} {
		clock.Sleep(time.Second)
		again.Sleep(time.Second)
		if err := one.Take("a"); err != nil {
			t.Fatal(err)
		}
		if err := one.Take("first"); err == nil {
			t.Error("a thing of the world file has left")
		}
		clock.Sleep(time.Second)
		again.Sleep(time.Second)
		things := one.Things()
		if len(things) != 3 || things[2].Name != "b" || !things[2].Added || !things[1].Movable || things[0].Movable {
			t.Fatalf("%+v", things)
		}
		near(t, "puck", things[2].Shape.Center().X, RobotsOf[*Functional](one)[0].GroundTruth().Pose.X+physics.BodyRadius+0.02, 2e-3)
		if p := one.Persons()[0]; p.Pose.X != -2 {
			t.Errorf("%+v", p)
		}
		if err := one.Move("b", Pose{X: 5}); err != nil {
			t.Error(err)
		}
	}
}
