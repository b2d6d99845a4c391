// SPDX-License-Identifier: Apache-2.0

package firmware_test

import (
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/ground"
	"github.com/epuck-ros2/epuck-driver/i2c/vl53l0x"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
)

// tof initialises the robot's time-of-flight sensor as a driver does.
type tof struct {
	g   *rig
	dev *vl53l0x.Dev
}

func (g *rig) tof() *tof {
	g.t.Helper()
	dev, err := vl53l0x.New(g.robot.Bus(), vl53l0x.Addr, &vl53l0x.Opts{Profile: vl53l0x.LongRange})
	if err != nil {
		g.t.Fatal(err)
	}
	return &tof{g, dev}
}

// read polls until there is a fresh reading.
func (f *tof) read() vl53l0x.Reading {
	f.g.t.Helper()
	var r vl53l0x.Reading
	for range 200 {
		f.g.clock.Sleep(20 * time.Millisecond)
		fresh, err := f.dev.Poll(f.g.clock.Now())
		if err != nil {
			f.g.t.Fatal(err)
		}
		if fresh {
			if err := f.dev.Sense(&r); err != nil {
				f.g.t.Fatal(err)
			}
			return r
		}
	}
	f.g.t.Fatalf("no reading in four seconds; %v", f.dev.State())
	return r
}

// The distance to a wall is read within the sensor's noise.
func TestToFReadsTheWallAhead(t *testing.T) {
	g := newRig(t, "empty", sim.Options{Seed: 2}) // walls at ±1 m
	f := g.tof()
	for _, x := range []float64{0, 0.4, 0.7, 0.9, -0.8} {
		if err := g.robot.Place(sim.Pose{X: x}); err != nil {
			t.Fatal(err)
		}
		f.read() // begun before the move
		d := 1 - x - 0.034
		mean, sigma := vtof.Response(d)
		sum := 0.0
		const n = 20
		for range n {
			r := f.read()
			near(t, "one reading", r.Distance, mean, 5*sigma+0.008*d+0.001)
			sum += r.Distance
		}
		near(t, "mean reading", sum/n, mean, sigma+0.008*d+0.001)
	}
}

// A distance beyond the range is +Inf, also in the air.
func TestToFSeesNothing(t *testing.T) {
	g := newRig(t, "plane", sim.Options{})
	f := g.tof()
	if r := f.read(); !math.IsInf(r.Distance, 1) {
		t.Errorf("open floor: %+v", r)
	}
	g = newRig(t, "empty", sim.Options{})
	f = g.tof()
	near(t, "wall", f.read().Distance, 1.02, 0.06)
	g.robot.PickUp()
	f.read()
	if r := f.read(); !math.IsInf(r.Distance, 1) {
		t.Errorf("in the air: %+v", r)
	}
}

// Two robots detect each other.
func TestToFSeesAnotherRobot(t *testing.T) {
	g := newRig(t, "robots: [{name: a}, {name: b, position: [0.4, 0], yaw: 3.141592653589793}]", sim.Options{Quiet: true})
	other := *g
	other.robot = sim.RobotsOf[*sim.Firmware](g.sim)[1]
	want, _ := vtof.Response(0.4 - 0.037 - 0.034)
	near(t, "a sees b", g.tof().read().Distance, want, 0.02)
	near(t, "b sees a", other.tof().read().Distance, want, 0.02)
	other.robot.PickUp()
	f := g.tof()
	f.read()
	if r := f.read(); !math.IsInf(r.Distance, 1) {
		t.Errorf("b picked up: %+v", r)
	}
}

// floorRig is a robot whose ground board is read.
type floorRig struct {
	*rig
	dev *ground.Dev
}

func newFloorRig(t testing.TB, world string, opts sim.Options) floorRig {
	t.Helper()
	g := newRig(t, world, opts)
	dev, err := ground.New(g.robot.Bus(), 0x60, nil)
	if err != nil {
		t.Fatal(err)
	}
	return floorRig{g, dev}
}

// read reads the board 20 ms later.
func (f floorRig) read() (r ground.Reading) {
	f.t.Helper()
	f.clock.Sleep(20 * time.Millisecond)
	if fresh, err := f.dev.Poll(f.clock.Now()); !fresh || f.dev.Sense(&r) != nil {
		f.t.Fatal(fresh, err)
	}
	return r
}

const lineWorld = `
floor: {reflectance: 0.9, lines: [{points: [[-1, 0], [1, 0]], width: 0.01, reflectance: 0.05}]}
robots: [{name: r}]`

// A line under one sensor is detected by that sensor: left, centre, right.
func TestLineUnderEachSensor(t *testing.T) {
	f := newFloorRig(t, lineWorld, sim.Options{Quiet: true})
	for want, y := range []float64{-0.010, 0, 0.010} { // the left sensor is at +10 mm
		if err := f.robot.Place(sim.Pose{Y: y}); err != nil {
			t.Fatal(err)
		}
		r := f.read()
		for i, v := range r.Reflected {
			if dark := v < 500; dark != (i == want) {
				t.Errorf("line under sensor %d: reflected %v", want, r.Reflected)
			}
		}
	}
}

// The cliff sensors detect the floor next to the others, and nothing in the air.
func TestCliffSensors(t *testing.T) {
	f := newFloorRig(t, `
floor: {reflectance: 0.9, lines: [{points: [[-1, 0.022], [1, 0.022]], width: 0.01, reflectance: 0.05}]}
robots: [{name: r, ground: cliff}]`, sim.Options{Quiet: true})
	r := f.read()
	if left, right := r.CliffReflected[0], r.CliffReflected[1]; !r.Cliff || left > 400 || right < 800 || min(r.Reflected[0], r.Reflected[2]) < 800 {
		t.Errorf("line under the left cliff sensor: %+v", r)
	}
	f.robot.PickUp()
	if r := f.read(); max(r.CliffReflected[0], r.CliffReflected[1]) > 5 {
		t.Errorf("in the air: %+v", r)
	}
	if r := newFloorRig(t, "plane", sim.Options{}).read(); r.Cliff {
		t.Error("the standard board has cliff sensors")
	}
}

// A simple controller follows both courses all the way round.
func TestLineFollowing(t *testing.T) {
	for w, around := range map[string]float64{"line": 2.4, "track": 2.0} {
		f := newFloorRig(t, w, sim.Options{Seed: 3})
		start := f.robot.Pose()
		way, left := 0.0, false
		last := start
		for range 3000 {
			r := f.read()
			turn := (int(r.Reflected[2]) - int(r.Reflected[0])) / 2 // dark on the left: turn left
			f.exchange(350-turn, 350+turn)
			p := f.robot.Pose()
			way += math.Hypot(p.X-last.X, p.Y-last.Y)
			last = p
			home := math.Hypot(p.X-start.X, p.Y-start.Y) < 0.03
			left = left || way > 0.5
			if left && home {
				break
			}
		}
		if math.Abs(way-around) > 0.25 {
			t.Errorf("%s: back after %v m, want about %v", w, way, around)
		}
		if f.robot.GroundTruth().Collisions > 0 {
			t.Errorf("%s: collided", w)
		}
	}
}
