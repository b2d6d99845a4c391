// SPDX-License-Identifier: Apache-2.0

package description_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// Each shape needs what makes its kind, and that alone.
func TestShapesHaveASize(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		shape description.Shape
		can   bool
	}{
		{description.Shape{Kind: description.Box, Size: r3.Vec{X: 1, Y: 1, Z: 1}}, true},
		{description.Shape{Kind: description.Box, Size: r3.Vec{X: 1, Y: 0, Z: 1}}, false},
		{description.Shape{Kind: description.Box, Size: r3.Vec{X: 1, Y: nan, Z: 1}}, false},
		{description.Shape{Kind: description.Box, Size: r3.Vec{X: 1, Y: inf, Z: 1}}, false},
		{description.Shape{Kind: description.Cylinder, Radius: 1, Length: 1}, true},
		{description.Shape{Kind: description.Cylinder, Radius: 1}, false},
		{description.Shape{Kind: description.Cylinder, Length: 1}, false},
		{description.Shape{Kind: description.Capsule, Radius: 1}, true},
		{description.Shape{Kind: description.Capsule, Radius: 1, Length: -1}, false},
		{description.Shape{Kind: description.Capsule, Length: 1}, false},
		{description.Shape{Kind: description.Sphere, Radius: .001}, true},
		{description.Shape{Kind: description.Sphere, Radius: -1}, false},
		{description.Shape{Kind: description.Mesh, URI: "package://a/b.stl"}, true},
		{description.Shape{Kind: description.Mesh}, false},
		{description.Shape{Kind: "torus", Radius: 1}, false},
		{description.Shape{Kind: description.Sphere, Radius: 1, Pose: description.Pose{Position: r3.Vec{Z: nan}}}, false},
	} {
		for _, visual := range []bool{true, false} {
			r := &description.Robot{Name: "r", Links: []description.Link{{Name: "a"}}}
			if visual {
				r.Links[0].Visuals = []description.Shape{c.shape}
			} else {
				r.Links[0].Collisions = []description.Shape{c.shape}
			}
			if err := r.Check(); (err == nil) != c.can {
				t.Errorf("%+v: %v", c.shape, err)
			}
		}
	}
}

// At a bound all is well, and beyond it not.
func TestBounds(t *testing.T) {
	table := func(n int) description.Table {
		rows := make(description.Table, n)
		for i := range rows {
			rows[i] = description.Row{Quantity: float64(i), Value: 1}
		}
		return rows
	}
	star := func(n int) *description.Robot {
		r := &description.Robot{Name: "star", Links: []description.Link{{Name: "hub"}}}
		for i := 1; i < n; i++ {
			name := fmt.Sprint("l", i)
			r.Links = append(r.Links, description.Link{Name: name})
			r.Joints = append(r.Joints, fixed("j"+name, "hub", name))
		}
		return r
	}
	with := func(d description.Device) *description.Robot {
		d.Link = "hub"
		r := star(1)
		r.Devices = []description.Device{d}
		return r
	}
	picture := func(w, h int) *description.Robot {
		return with(description.Device{Image: &description.Image{Width: w, Height: h, FieldOfView: 1}})
	}
	fan := func(n int, low, high float64) *description.Robot {
		return with(description.Device{Fan: &description.Fan{Samples: n, MinAngle: low, MaxAngle: high}})
	}
	layers := func(n, layers int) *description.Robot {
		return with(description.Device{Fan: &description.Fan{Samples: n, MaxAngle: 1, Layers: layers}})
	}
	for name, c := range map[string]struct{ at, beyond *description.Robot }{
		"layers": {layers(description.MaxRays/16, 16), layers(description.MaxRays/16, 17)},
		"layer":  {layers(1, description.MaxRays), layers(1, description.MaxRays+1)},
		"links":  {star(description.MaxParts), star(description.MaxParts + 1)},
		"rows":   {with(description.Device{Table: table(description.MaxRows)}), with(description.Device{Table: table(description.MaxRows + 1)})},
		"rays":   {fan(description.MaxRays, -1, 1), fan(description.MaxRays+1, -1, 1)},
		"turn":   {fan(4, -math.Pi, math.Pi), fan(4, -math.Pi, math.Pi+1e-3)},
		"angles": {fan(4, 1, 1), fan(4, 1, .9)},
		"width":  {picture(description.MaxPixels, 1), picture(description.MaxPixels+1, 1)},
		"height": {picture(1, description.MaxPixels), picture(1, description.MaxPixels+1)},
		"range": {
			with(description.Device{Range: &description.Range{Min: 0, Max: 1e-3}}),
			with(description.Device{Range: &description.Range{Min: 0, Max: math.NaN()}}),
		},
		"energy": {
			with(description.Device{Energy: &description.Energy{Now: 0, Most: 3}}),
			with(description.Device{Energy: &description.Energy{Now: -1, Most: 3}}),
		},
		"most energy": {
			with(description.Device{Energy: &description.Energy{Now: 1, Most: -1}}), // Webots: no end
			with(description.Device{Energy: &description.Energy{Now: 1, Most: math.NaN()}}),
		},
		"rate": {with(description.Device{Rate: 0}), with(description.Device{Rate: math.Inf(1)})},
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
	r.Links[2].Inertial = &description.Inertial{Mass: math.NaN()}
	r.Devices = []description.Device{{Name: "d", Kind: description.IMU, Link: "x", Rate: -2, Line: 7}}
	r.Drive = &description.Drive{Left: []string{"turn"}, Right: []string{"gone"}, Line: 9}
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
	if _, err := (&description.Robot{Name: "none"}).Root(); err == nil {
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
		i := description.Image{Width: c.width, Height: 1, FieldOfView: c.angle}
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
		r := &description.Robot{Name: "r", Links: []description.Link{{Name: "l0"}}}
		for i, to := range c.follows {
			r.Links = append(r.Links, description.Link{Name: fmt.Sprint("l", i+1)})
			j := fixed(fmt.Sprint("j", i), fmt.Sprint("l", i), fmt.Sprint("l", i+1))
			j.Kind, j.Axis = description.Continuous, r3.Vec{X: 1}
			if to >= 0 {
				j.Mimic = &description.Mimic{Joint: fmt.Sprint("j", to), Multiplier: 1}
			}
			r.Joints = append(r.Joints, j)
		}
		err := r.Check()
		if got := strings.Count(fmt.Sprint(err), "follows itself"); got != c.faults || (err == nil) != (c.faults == 0) {
			t.Errorf("%s: %d faults, want %d: %v", name, got, c.faults, err)
		}
	}
}
