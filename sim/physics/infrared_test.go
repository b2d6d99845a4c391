// SPDX-License-Identifier: Apache-2.0

package physics_test

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// The table of the hardware facts, and the model's own end.
func TestResponse(t *testing.T) {
	for _, c := range []struct{ distance, value, relative float64 }{
		{-1, 4095, 0.002}, {0, 4095, 0.002}, {0.005, 2133.33, 0.003}, {0.01, 1465.73, 0.007},
		{0.015, 601.46, 0.0406}, {0.02, 383.84, 0.01472}, {0.03, 234.93, 0.0241}, {0.04, 158.03, 0.0287},
		{0.05, 120, 0.04225}, {0.06, 104.09, 0.03065}, {0.07, 67.19, 0.04897},
		{0.0025, (4095 + 2133.33) / 2, 0.0025}, {0.055, (120 + 104.09) / 2, (0.04225 + 0.03065) / 2},
		{0.08, 67.19 - 36.9, 0.04897}, {0.0883, 0, 0}, {1, 0, 0},
	} {
		value, sigma := physics.Response(c.distance)
		near(t, "value", value, c.value, 1e-9)
		near(t, "noise", sigma, c.value*c.relative, 1e-9)
	}
}

func TestResponseFallsWithDistance(t *testing.T) {
	last := math.Inf(1)
	for d := 0.0; d < 0.1; d += 0.0001 {
		v, _ := physics.Response(d)
		if v > last || v < 0 {
			t.Fatalf("response %v at %v m after %v", v, d, last)
		}
		last = v
	}
}

// measure returns what quiet sensors measure, their offset taken off the delta.
func measure(s *physics.Scene, pose geom.Pose, others ...geom.Vec) (ambient, delta [8]float64) {
	e := physics.NewEyes(noise.New(1), true)
	var a, d [8]uint16
	e.Measure(s, pose, &physics.Others{Discs: others}, false, 0, &a, &d)
	for i := range 8 {
		ambient[i], delta[i] = float64(a[i]), float64(d[i])-e.Offset(i)
	}
	return ambient, delta
}

// A flat wall straight ahead of each sensor, at distances of the table and
// between, is seen by that sensor as the table says.
func TestEachSensorSeesAWall(t *testing.T) {
	for i, sensor := range physics.Sensors() {
		for _, d := range []float64{0.012, 0.02, 0.03, 0.045, 0.06, 0.07} {
			axis := geom.Direction(sensor.Heading)
			wall := geom.NewBox(sensor.Position.Add(axis.Scale(d+0.5)), geom.Vec{X: 1, Y: 0.01}, sensor.Heading, 0.1)
			s := physics.NewScene([]geom.Shape{wall}, nil, 1)
			// The robot and the wall are moved and turned together.
			_, delta := measure(s, geom.Pose{})
			want, _ := physics.Response(d)
			near(t, "sensor at its distance", delta[i], want, 1+0.02*want)
			for k := range delta {
				if k != i && delta[k] > delta[i] {
					t.Errorf("a thing before sensor %d at %v m: sensor %d sees more", i, d, k)
				}
			}
		}
	}
}

// The same seen from a turned robot elsewhere.
func TestSensorsTurnWithTheRobot(t *testing.T) {
	for _, theta := range []float64{0, 1, -2, 3} {
		pose := geom.Pose{X: 3, Y: -2, Theta: theta}
		sensor := physics.Sensors()[5] // left
		at := pose.Transform(sensor.Position.Add(geom.Vec{Y: 0.03 + 0.02}))
		s := physics.NewScene([]geom.Shape{geom.NewDisc(at, 0.02, 0.1)}, nil, 1)
		_, delta := measure(s, pose)
		want, _ := physics.Response(0.03)
		near(t, "left sensor", delta[5], want, 4)
		near(t, "right sensor", delta[2], 0, 1)
	}
}

func TestNothingNearReadsTheOffset(t *testing.T) {
	_, delta := measure(arena(), geom.Pose{})
	for i, v := range delta {
		near(t, "delta without offset", v, 0, 0.5)
		if o := physics.NewEyes(noise.New(1), true).Offset(i); o < 20 || o > 70 {
			t.Errorf("offset %v of sensor %d, want tens of counts", o, i)
		}
	}
}

func TestOtherRobotIsSeen(t *testing.T) {
	_, delta := measure(open(), geom.Pose{}, geom.Vec{Y: 0.031 + 0.02 + physics.BodyRadius})
	want, _ := physics.Response(0.02)
	near(t, "left sensor", delta[5], want, 4)
}

func TestInTheAirNothingIsSeen(t *testing.T) {
	s := physics.NewScene([]geom.Shape{geom.NewBox(geom.Vec{X: 0.1}, geom.Vec{X: 0.1, Y: 1}, 0, 0.1)}, nil, 1)
	e := physics.NewEyes(noise.New(1), true)
	var a, d [8]uint16
	e.Measure(s, geom.Pose{}, &physics.Others{Discs: []geom.Vec{{X: 0, Y: 0.08}}}, true, 0, &a, &d)
	for i := range 8 {
		near(t, "delta in the air", float64(d[i]), e.Offset(i), 0.5)
	}
}

func TestLowThingsAreNotSeen(t *testing.T) {
	for height, seen := range map[float64]bool{0.02: false, 0.032: false, 0.034: true, 0.1: true} {
		s := physics.NewScene([]geom.Shape{geom.NewBox(geom.Vec{Y: 0.1}, geom.Vec{X: 1, Y: 0.1}, 0, height)}, nil, 1)
		if _, delta := measure(s, geom.Pose{}); (delta[5] > 10) != seen {
			t.Errorf("a thing %v m high: %v counts", height, delta[5])
		}
	}
}

// Noise has the deviation of the facts (with the converter's own 1.5 counts),
// differs between sensors and cycles, and is the same for the same cycle.
func TestNoise(t *testing.T) {
	const d = 0.04
	s := physics.NewScene([]geom.Shape{geom.NewBox(geom.Vec{Y: 0.031 + d + 0.5}, geom.Vec{X: 3, Y: 1}, 0, 0.1)}, nil, 1)
	e := physics.NewEyes(noise.New(5), false)
	want, sigma := physics.Response(d)
	var mean, square, ambient float64
	const n = 20000
	var a, v, again [8]uint16
	for i := range int64(n) {
		e.Measure(s, geom.Pose{}, nil, false, i, &a, &v)
		x := float64(v[5]) - e.Offset(5)
		mean += x / n
		square += x * x / n
		ambient += float64(a[0]) / n
	}
	near(t, "mean", mean, want, 1)
	near(t, "deviation", math.Sqrt(square-mean*mean), math.Hypot(sigma, 1.5), 0.15)
	near(t, "mean of dark ambient light cut at 4095", ambient, 4095-4095*0.01*0.399, 2)
	e.Measure(s, geom.Pose{}, nil, false, n-1, &a, &again)
	if again != v {
		t.Error("the same cycle measured twice differs")
	}
}

func TestMeasureDoesNotAllocate(t *testing.T) {
	s := arena()
	e := physics.NewEyes(noise.New(1), false)
	var a, d [8]uint16
	e.Measure(s, geom.Pose{}, nil, false, 0, &a, &d)
	others := &physics.Others{Discs: []geom.Vec{{X: 0.1}}}
	if n := testing.AllocsPerRun(100, func() { e.Measure(s, geom.Pose{}, others, false, 1, &a, &d) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
