// SPDX-License-Identifier: Apache-2.0

package robots_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots"
)

// Each shape needs what makes its kind, and that alone.
func TestShapesHaveASize(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		shape robots.Shape
		can   bool
	}{
		{robots.Shape{Kind: robots.Box, Size: r3.Vec{X: 1, Y: 1, Z: 1}}, true},
		{robots.Shape{Kind: robots.Box, Size: r3.Vec{X: 1, Y: 0, Z: 1}}, false},
		{robots.Shape{Kind: robots.Box, Size: r3.Vec{X: 1, Y: nan, Z: 1}}, false},
		{robots.Shape{Kind: robots.Box, Size: r3.Vec{X: 1, Y: inf, Z: 1}}, false},
		{robots.Shape{Kind: robots.Cylinder, Radius: 1, Length: 1}, true},
		{robots.Shape{Kind: robots.Cylinder, Radius: 1}, false},
		{robots.Shape{Kind: robots.Cylinder, Length: 1}, false},
		{robots.Shape{Kind: robots.Capsule, Radius: 1}, true},
		{robots.Shape{Kind: robots.Capsule, Radius: 1, Length: -1}, false},
		{robots.Shape{Kind: robots.Capsule, Length: 1}, false},
		{robots.Shape{Kind: robots.Sphere, Radius: .001}, true},
		{robots.Shape{Kind: robots.Sphere, Radius: -1}, false},
		{robots.Shape{Kind: robots.Mesh, URI: "package://a/b.stl"}, true},
		{robots.Shape{Kind: robots.Mesh}, false},
		{robots.Shape{Kind: "torus", Radius: 1}, false},
		{robots.Shape{Kind: robots.Sphere, Radius: 1, Pose: robots.Pose{Position: r3.Vec{Z: nan}}}, false},
	} {
		for _, visual := range []bool{true, false} {
			r := &robots.Robot{Name: "r", Links: []robots.Link{{Name: "a"}}}
			if visual {
				r.Links[0].Visuals = []robots.Shape{c.shape}
			} else {
				r.Links[0].Collisions = []robots.Shape{c.shape}
			}
			if err := r.Check(); (err == nil) != c.can {
				t.Errorf("%+v: %v", c.shape, err)
			}
		}
	}
}

// At a bound all is well, and beyond it not.
func TestBounds(t *testing.T) {
	table := func(n int) robots.Table {
		rows := make(robots.Table, n)
		for i := range rows {
			rows[i] = robots.Row{Quantity: float64(i), Value: 1}
		}
		return rows
	}
	star := func(n int) *robots.Robot {
		r := &robots.Robot{Name: "star", Links: []robots.Link{{Name: "hub"}}}
		for i := 1; i < n; i++ {
			name := fmt.Sprint("l", i)
			r.Links = append(r.Links, robots.Link{Name: name})
			r.Joints = append(r.Joints, fixed("j"+name, "hub", name))
		}
		return r
	}
	with := func(d robots.Device) *robots.Robot {
		d.Link = "hub"
		r := star(1)
		r.Devices = []robots.Device{d}
		return r
	}
	picture := func(w, h int) *robots.Robot {
		return with(robots.Device{Image: &robots.Image{Width: w, Height: h, FieldOfView: 1}})
	}
	fan := func(n int, low, high float64) *robots.Robot {
		return with(robots.Device{Fan: &robots.Fan{Samples: n, MinAngle: low, MaxAngle: high}})
	}
	layers := func(n, layers int) *robots.Robot {
		return with(robots.Device{Fan: &robots.Fan{Samples: n, MaxAngle: 1, Layers: layers}})
	}
	for name, c := range map[string]struct{ at, beyond *robots.Robot }{
		"layers": {layers(robots.MaxRays/16, 16), layers(robots.MaxRays/16, 17)},
		"layer":  {layers(1, robots.MaxRays), layers(1, robots.MaxRays+1)},
		"links":  {star(robots.MaxParts), star(robots.MaxParts + 1)},
		"rows":   {with(robots.Device{Table: table(robots.MaxRows)}), with(robots.Device{Table: table(robots.MaxRows + 1)})},
		"rays":   {fan(robots.MaxRays, -1, 1), fan(robots.MaxRays+1, -1, 1)},
		"turn":   {fan(4, -math.Pi, math.Pi), fan(4, -math.Pi, math.Pi+1e-3)},
		"angles": {fan(4, 1, 1), fan(4, 1, .9)},
		"width":  {picture(robots.MaxPixels, 1), picture(robots.MaxPixels+1, 1)},
		"height": {picture(1, robots.MaxPixels), picture(1, robots.MaxPixels+1)},
		"range": {
			with(robots.Device{Range: &robots.Range{Min: 0, Max: 1e-3}}),
			with(robots.Device{Range: &robots.Range{Min: 0, Max: math.NaN()}}),
		},
		"energy": {
			with(robots.Device{Energy: &robots.Energy{Now: 0, Most: 3}}),
			with(robots.Device{Energy: &robots.Energy{Now: -1, Most: 3}}),
		},
		"most energy": {
			with(robots.Device{Energy: &robots.Energy{Now: 1, Most: -1}}), // Webots: no end
			with(robots.Device{Energy: &robots.Energy{Now: 1, Most: math.NaN()}}),
		},
		"rate": {with(robots.Device{Rate: 0}), with(robots.Device{Rate: math.Inf(1)})},
	} {
		if err := c.at.Check(); err != nil {
			t.Errorf("%s: at the bound: %.200s", name, err.Error())
		}
		if err := c.beyond.Check(); err == nil {
			t.Errorf("%s: beyond the bound no error", name)
		}
	}
}

// All that can't be is said at once.
func TestAllFaultsAtOnce(t *testing.T) {
	r := arm()
	r.Joints[0].Axis = r3.Vec{}
	r.Joints[1].Origin.Position.Y = math.Inf(-1)
	r.Links[2].Inertial = &robots.Inertial{Mass: math.NaN()}
	r.Devices = []robots.Device{{Name: "d", Kind: robots.IMU, Link: "x", Rate: -2, Line: 7}}
	r.Drive = &robots.Drive{Left: []string{"turn"}, Right: []string{"gone"}, Line: 9}
	err := r.Check()
	for _, want := range []string{
		`joint "turn": its axis {0 0 0}`, `joint "slide": its origin is not finite`, `link "b": mass NaN kg`,
		`line 7: imu "d": there is no link "x"`, `line 7: imu "d": -2 times a second`,
		`line 9: differential drive: wheels of radius 0 m, 0 m apart`, `line 9: differential drive: no joint "gone" that turns`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %q", err, want)
		}
	}
}

func TestRoot(t *testing.T) {
	if root, err := arm().Root(); root != "base" || err != nil {
		t.Error(root, err)
	}
	if _, err := (&robots.Robot{Name: "none"}).Root(); err == nil {
		t.Error("no link, and a root")
	}
	if r := arm(); r.Link("b") != &r.Links[2] || r.Link("z") != nil || r.Mass() != 0 {
		t.Error("Link, Mass")
	}
}

func TestFocal(t *testing.T) {
	for _, c := range []struct {
		width int
		angle float64
		want  float64
	}{
		{640, 2 * math.Atan(.5), 640}, {640, math.Pi / 2, 320}, {752, 1.098, 614.6501},
	} {
		i := robots.Image{Width: c.width, Height: 1, FieldOfView: c.angle}
		if f := i.Focal(); math.Abs(f-c.want) > 1e-3 {
			t.Errorf("%d pixels, %g rad: %g, want %g", c.width, c.angle, f, c.want)
		}
	}
}

// Joints that follow each other come to one that leads; a circle is reported once, however many depend on it.
func TestJointsThatFollowEachOther(t *testing.T) {
	for name, c := range map[string]struct {
		follows []int // whom the joint of each number follows; itself leads
		faults  int
	}{
		"a chain":             {[]int{-1, 0, 1, 2}, 0},
		"several of one":      {[]int{-1, 0, 0, 0}, 0},
		"itself":              {[]int{-1, 1}, 1},
		"two":                 {[]int{-1, 2, 1}, 1},
		"three, and a tail":   {[]int{2, 0, 1, 0, 3}, 1},
		"two circles":         {[]int{1, 0, 3, 2}, 2},
		"a tail, then circle": {[]int{1, 2, 3, 2}, 1},
	} {
		r := &robots.Robot{Name: "r", Links: []robots.Link{{Name: "l0"}}}
		for i, to := range c.follows {
			r.Links = append(r.Links, robots.Link{Name: fmt.Sprint("l", i+1)})
			j := fixed(fmt.Sprint("j", i), fmt.Sprint("l", i), fmt.Sprint("l", i+1))
			j.Kind, j.Axis = robots.Continuous, r3.Vec{X: 1}
			if to >= 0 {
				j.Mimic = &robots.Mimic{Joint: fmt.Sprint("j", to), Multiplier: 1}
			}
			r.Joints = append(r.Joints, j)
		}
		err := r.Check()
		if got := strings.Count(fmt.Sprint(err), "follows itself"); got != c.faults || (err == nil) != (c.faults == 0) {
			t.Errorf("%s: %d faults, want %d: %v", name, got, c.faults, err)
		}
	}
}
