// SPDX-License-Identifier: Apache-2.0

package physics_test

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// lit is an open floor with one light.
func lit(at geom.Vec, height, intensity float64, shapes ...geom.Shape) *physics.Scene {
	return physics.NewScene(shapes, []physics.Light{{Position: at, Height: height, Intensity: intensity}}, 1)
}

// Fact: dark is 4095, bright 0; 1 W/m² and 2 W/m² in Webots' model.
func TestAmbientRange(t *testing.T) {
	for _, c := range []struct{ irradiance, want float64 }{
		{0, 4095}, {1, 4095}, {1.5, 2047.5}, {1.25, 3071.25}, {2, 0}, {50, 0},
	} {
		ambient, _ := measure(physics.NewScene(nil, nil, c.irradiance), geom.Pose{})
		for i := range ambient {
			near(t, "ambient", ambient[i], c.want, 0.51)
		}
	}
}

// A light ahead of a sensor at its own height: I/d², by the cosine to the side.
func TestLightFollowsTheInverseSquare(t *testing.T) {
	left := physics.Sensors()[5]
	for _, d := range []float64{0.2, 0.5, 1} {
		ambient, _ := measure(lit(geom.Vec{Y: left.Position.Y + d}, physics.SensorHeight, 0.02), geom.Pose{})
		near(t, "left sensor", ambient[5], 4095*(1-0.02/(d*d)), 0.6)
		near(t, "right sensor", ambient[2], 4095, 0)
	}
	// 60° to the side of the sensor's axis.
	at := left.Position.Add(geom.Direction(math.Pi/2 + math.Pi/3).Scale(0.5))
	ambient, _ := measure(lit(at, physics.SensorHeight, 0.1), geom.Pose{})
	near(t, "left sensor from 60°", ambient[5], 4095*(1-0.1/0.25*0.5), 0.6)
	// 45° above.
	ambient, _ = measure(lit(left.Position.Add(geom.Vec{Y: 0.5}), physics.SensorHeight+0.5, 0.1), geom.Pose{})
	near(t, "left sensor from above", ambient[5], 4095*(1-0.1/0.5*math.Sqrt2/2), 0.6)
}

func TestLightRightAbove(t *testing.T) {
	left := physics.Sensors()[5]
	ambient, _ := measure(lit(left.Position, 0.5, 1), geom.Pose{})
	near(t, "left sensor", ambient[5], 4095, 0)
}

func TestShade(t *testing.T) {
	wall := func(height float64) geom.Shape {
		return geom.NewBox(geom.Vec{Y: 0.3}, geom.Vec{X: 1, Y: 0.01}, 0, height)
	}
	light := geom.Vec{Y: 0.6}
	for _, c := range []struct {
		what  string
		scene *physics.Scene
		other []geom.Vec
		shade bool
	}{
		{"free", lit(light, 0.3, 0.1), nil, false},
		{"high wall", lit(light, 0.3, 0.1, wall(0.2)), nil, true},
		{"low wall", lit(light, 0.3, 0.1, wall(0.1)), nil, false},
		{"wall behind the light", lit(geom.Vec{Y: 0.2}, 0.3, 0.02, wall(5)), nil, false},
		{"robot, low light", lit(light, 0.04, 0.1), []geom.Vec{{Y: 0.3}}, true},
		{"robot, high light", lit(light, 0.5, 0.1), []geom.Vec{{Y: 0.3}}, false},
	} {
		ambient, _ := measure(c.scene, geom.Pose{}, c.other...)
		if shaded := ambient[5] == 4095; shaded != c.shade {
			t.Errorf("%s: left sensor reads %v, shaded: want %v", c.what, ambient[5], c.shade)
		}
	}
}

// In bright light the drop with the LED on cannot exceed the reading itself.
func TestBrightLightBlindsProximity(t *testing.T) {
	wall := geom.NewBox(geom.Vec{Y: 0.036 + 0.5}, geom.Vec{X: 3, Y: 1}, 0, 0.1)
	e := physics.NewEyes(noise.New(1), true)
	var a, d [8]uint16
	e.Measure(physics.NewScene([]geom.Shape{wall}, nil, 1.9), geom.Pose{}, nil, false, 0, &a, &d)
	if d[5] != a[5] || a[5] > 410 {
		t.Errorf("reading %d with the LED off falls by %d", a[5], d[5])
	}
}

func TestSceneChanges(t *testing.T) {
	s := physics.NewScene([]geom.Shape{geom.NewDisc(geom.Vec{X: 9}, 0.05, 0.1)},
		[]physics.Light{{Position: geom.Vec{Y: 9}, Height: 0.033, Intensity: 0.02}}, 1)
	e := physics.NewEyes(noise.New(1), true)
	var a, d [8]uint16
	look := func() (float64, uint16) {
		e.Measure(s, geom.Pose{}, nil, false, 0, &a, &d)
		return float64(d[5]) - e.Offset(5), a[5]
	}
	if v, l := look(); v > 1 || l < 4090 {
		t.Errorf("far things: %v, %v", v, l)
	}
	// Moved near, the thing must be noticed although the robot stands still.
	s.SetShape(0, s.Shape(0).Moved(geom.Vec{Y: 0.031 + 0.03 + 0.05}, 0))
	if v, _ := look(); v < 200 {
		t.Errorf("a thing moved near reads %v", v)
	}
	s.SetShape(0, s.Shape(0).Moved(geom.Vec{Y: -5}, 0))
	l := s.Light(0)
	l.Position = geom.Vec{Y: 0.5}
	s.SetLight(0, l)
	if v, light := look(); v > 1 || light > 3900 {
		t.Errorf("thing away, light near: %v, %v", v, light)
	}
}

func TestFree(t *testing.T) {
	s := arena(geom.NewDisc(geom.Vec{X: 0.5}, 0.1, 0.1))
	for _, c := range []struct {
		at   geom.Vec
		free bool
	}{
		{geom.Vec{}, true},
		{geom.Vec{X: 0.5 - 0.137}, true},
		{geom.Vec{X: 0.5 - 0.13}, false},
		{geom.Vec{X: -0.97}, false},
		{geom.Vec{Y: 5}, false},
		{geom.Vec{X: -0.5, Y: 0.07}, false},
		{geom.Vec{X: -0.5, Y: 0.08}, true},
	} {
		if got := s.Free(c.at, &physics.Others{Discs: []geom.Vec{{X: -0.5}}}); got != c.free {
			t.Errorf("a robot at %v: free %v, want %v", c.at, got, c.free)
		}
	}
}
