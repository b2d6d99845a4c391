// SPDX-License-Identifier: Apache-2.0

package description_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// stack is four links on each other, 1 m each, the third of them a wheel's; a device and a ball on the top of each.
func stack() *description.Robot {
	up := description.Pose{Position: r3.Vec{Z: 1}}
	r := &description.Robot{Name: "stack"}
	for _, name := range []string{"a", "b", "c", "d"} {
		r.Links = append(r.Links, description.Link{
			Name: name, Inertial: &description.Inertial{Mass: 1, Moments: [6]float64{1, 0, 0, 1, 0, 1}},
			Visuals:    []description.Shape{{Kind: description.Sphere, Radius: 1, Pose: up}},
			Collisions: []description.Shape{{Kind: description.Sphere, Radius: 2, Pose: up}},
		})
		r.Devices = append(r.Devices, description.Device{Name: "on " + name, Kind: description.LED, Link: name, Pose: up})
	}
	r.Joints = []description.Joint{fixed("ab", "a", "b"), fixed("bc", "b", "c"), fixed("cd", "c", "d")}
	for i := range r.Joints {
		r.Joints[i].Origin = up
	}
	r.Joints[1].Kind, r.Joints[1].Axis = description.Continuous, r3.Vec{Z: 1}
	return r
}

func TestSquashKeepsWhatIsWanted(t *testing.T) {
	s := stack().Squash(func(link string) bool { return link == "b" })
	if len(s.Links) != 3 || s.Links[1].Name != "b" || len(s.Joints) != 2 || s.Joints[0].Kind != description.Fixed {
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
		near := cmp.Comparer(func(a, b description.Pose) bool { return a.Near(b, 1e-12, 1e-7) })
		if diff := cmp.Diff(once, once.Squash(none), cmpopts.EquateEmpty(), near); diff != "" {
			t.Fatal("again: ", diff)
		}
	})
}

// clone copies all that Squash might touch.
func clone(r *description.Robot) *description.Robot {
	c := *r
	c.Joints = append([]description.Joint(nil), r.Joints...)
	c.Devices = append([]description.Device(nil), r.Devices...)
	c.Links = nil
	for _, l := range r.Links {
		if l.Inertial != nil {
			m := *l.Inertial
			l.Inertial = &m
		}
		l.Visuals = append([]description.Shape(nil), l.Visuals...)
		l.Collisions = append([]description.Shape(nil), l.Collisions...)
		c.Links = append(c.Links, l)
	}
	return &c
}

// A turned box that hangs on something weightless has the moments of the textbook.
func TestTurnedBox(t *testing.T) {
	const m, x, y, z = 12., 1., 2., 3.
	box := &description.Inertial{Mass: m, Moments: [6]float64{m * (y*y + z*z) / 12, 0, 0, m * (x*x + z*z) / 12, 0, m * (x*x + y*y) / 12}}
	r := &description.Robot{Name: "box", Links: []description.Link{{Name: "a", Inertial: &description.Inertial{}}, {Name: "b", Inertial: box}}}
	j := fixed("j", "a", "b")
	j.Origin = description.FromRPY(r3.Vec{}, 0, 0, math.Pi/4)
	r.Joints = []description.Joint{j}
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
	r := &description.Robot{Name: "chain", Links: []description.Link{{Name: "0"}, {Name: "1"}, {Name: "2"}, {Name: "3"}}}
	for i, m := range []*description.Mimic{nil, {Joint: "j0", Multiplier: 2, Offset: 1}, {Joint: "j1", Multiplier: -3, Offset: .5}} {
		name := string(rune('0' + i))
		r.Joints = append(r.Joints, description.Joint{
			Name: "j" + name, Kind: description.Prismatic, Parent: name, Child: string(rune('1' + i)), Axis: r3.Vec{X: 1}, Mimic: m,
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
