// SPDX-License-Identifier: Apache-2.0

package robots_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/robots"
)

// stack is four links on each other, 1 m each, the third of them a wheel's; a device and a ball on the top of each.
func stack() *robots.Robot {
	up := robots.Pose{Position: r3.Vec{Z: 1}}
	r := &robots.Robot{Name: "stack"}
	for _, name := range []string{"a", "b", "c", "d"} {
		r.Links = append(r.Links, robots.Link{
			Name: name, Inertial: &robots.Inertial{Mass: 1, Moments: [6]float64{1, 0, 0, 1, 0, 1}},
			Visuals:    []robots.Shape{{Kind: robots.Sphere, Radius: 1, Pose: up}},
			Collisions: []robots.Shape{{Kind: robots.Sphere, Radius: 2, Pose: up}},
		})
		r.Devices = append(r.Devices, robots.Device{Name: "on " + name, Kind: robots.LED, Link: name, Pose: up})
	}
	r.Joints = []robots.Joint{fixed("ab", "a", "b"), fixed("bc", "b", "c"), fixed("cd", "c", "d")}
	for i := range r.Joints {
		r.Joints[i].Origin = up
	}
	r.Joints[1].Kind, r.Joints[1].Axis = robots.Continuous, r3.Vec{Z: 1}
	return r
}

func TestSquashKeepsWhatIsWanted(t *testing.T) {
	s := stack().Squash(func(link string) bool { return link == "b" })
	if len(s.Links) != 3 || s.Links[1].Name != "b" || len(s.Joints) != 2 || s.Joints[0].Kind != robots.Fixed {
		t.Errorf("%+v", s)
	}
	if d := s.Devices[1]; d.Link != "b" || d.Pose.Position.Z != 1 {
		t.Errorf("the device of what is kept %+v", d)
	}
}

// The robot that is squashed stays as it was, and squashing again changes nothing.
func TestSquashTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := randomRobot(t)
		copied := clone(r)
		none := func(string) bool { return false }
		once := r.Squash(none)
		if diff := cmp.Diff(copied, r); diff != "" {
			t.Fatal("the original has changed: ", diff)
		}
		near := cmp.Comparer(func(a, b robots.Pose) bool { return a.Near(b, 1e-12, 1e-7) })
		if diff := cmp.Diff(once, once.Squash(none), cmpopts.EquateEmpty(), near); diff != "" {
			t.Fatal("again: ", diff)
		}
	})
}

// clone copies all that Squash might touch.
func clone(r *robots.Robot) *robots.Robot {
	c := *r
	c.Joints = append([]robots.Joint(nil), r.Joints...)
	c.Devices = append([]robots.Device(nil), r.Devices...)
	c.Links = nil
	for _, l := range r.Links {
		if l.Inertial != nil {
			m := *l.Inertial
			l.Inertial = &m
		}
		l.Visuals = append([]robots.Shape(nil), l.Visuals...)
		l.Collisions = append([]robots.Shape(nil), l.Collisions...)
		c.Links = append(c.Links, l)
	}
	return &c
}

// A turned box that hangs on something weightless has the moments of the textbook.
func TestTurnedBox(t *testing.T) {
	const m, x, y, z = 12., 1., 2., 3.
	box := &robots.Inertial{Mass: m, Moments: [6]float64{m * (y*y + z*z) / 12, 0, 0, m * (x*x + z*z) / 12, 0, m * (x*x + y*y) / 12}}
	r := &robots.Robot{Name: "box", Links: []robots.Link{{Name: "a", Inertial: &robots.Inertial{}}, {Name: "b", Inertial: box}}}
	j := fixed("j", "a", "b")
	j.Origin = robots.FromRPY(r3.Vec{}, 0, 0, math.Pi/4)
	r.Joints = []robots.Joint{j}
	got := r.Squash(func(string) bool { return false }).Links[0].Inertial
	xx, yy := box.Moments[0], box.Moments[3]
	want := [6]float64{(xx + yy) / 2, (xx - yy) / 2, 0, (xx + yy) / 2, 0, box.Moments[5]}
	for i := range want {
		if math.Abs(got.Moments[i]-want[i]) > 1e-12 {
			t.Fatalf("%v, want %v", got.Moments, want)
		}
	}
}

// A joint that follows one that follows another has the position of both rules in turn.
func TestChainOfMimics(t *testing.T) {
	r := &robots.Robot{Name: "chain", Links: []robots.Link{{Name: "0"}, {Name: "1"}, {Name: "2"}, {Name: "3"}}}
	for i, m := range []*robots.Mimic{nil, {Joint: "j0", Multiplier: 2, Offset: 1}, {Joint: "j1", Multiplier: -3, Offset: .5}} {
		name := string(rune('0' + i))
		r.Joints = append(r.Joints, robots.Joint{
			Name: "j" + name, Kind: robots.Prismatic, Parent: name, Child: string(rune('1' + i)), Axis: r3.Vec{X: 1}, Mimic: m,
		})
	}
	poses, err := r.Transforms(map[string]float64{"j0": .1})
	if err != nil {
		t.Fatal(err)
	}
	at := .1
	for i, step := range []float64{.1, 2*.1 + 1, -3*(2*.1+1) + .5} {
		if i > 0 {
			at += step
		}
		if x := poses[string(rune('1'+i))].Position.X; math.Abs(x-at) > 1e-12 {
			t.Errorf("link %d at %g, want %g", i+1, x, at)
		}
	}
}
