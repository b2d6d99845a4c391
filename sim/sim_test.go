// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"periph.io/x/conn/v3/physic"

	"github.com/epuck-ros2/epuck-driver/internal/system"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// step is the distance of one motor step, m.
const step = 2 * math.Pi * 0.02 / 1000

func TestStraightAhead(t *testing.T) {
	g := newRig(t, "plane", sim.Options{})
	g.drive(500, 500, 2*time.Second)
	g.exchange(0, 0)
	truth := g.robot.GroundTruth()
	near(t, "x", truth.Pose.X, 1000*step, 10*step) // the motors start within 10 ms
	near(t, "y", truth.Pose.Y, 0, 1e-12)
	near(t, "counter", float64(g.word(41)), truth.Pose.X/step, 1.5)
	near(t, "wheel angle", truth.LeftWheel, truth.Pose.X/0.02, 1e-9)
	if truth.Collided || truth.Collisions != 0 {
		t.Errorf("collided %v, %d times, on an open floor", truth.Collided, truth.Collisions)
	}
}

// When the motors stop between two physics steps the body still makes the last
// half steps.
func TestBodyGoesAsFarAsTheCounters(t *testing.T) {
	g := newRig(t, "plane", sim.Options{})
	for i := range 50 {
		g.drive(1100, 1100, 20*time.Millisecond+time.Duration(i)*137*time.Microsecond)
		g.drive(0, 0, 100*time.Millisecond)
		g.exchange(0, 0)
		near(t, "way in steps", g.robot.Pose().X/step, float64(g.word(41)), 0.51)
	}
}

// Speeds as the timers make them, and the twist they give.
func TestTwist(t *testing.T) {
	for _, c := range []struct{ left, right, realLeft, realRight float64 }{
		{500, 500, 500, 500}, {300, 300, 301.2048, 301.2048}, {1100, 1100, 1111.1111, 1111.1111},
		{-500, 500, -500, 500}, {250, 500, 250, 500}, {0, 0, 0, 0},
	} {
		g := newRig(t, "plane", sim.Options{})
		g.drive(int(c.left), int(c.right), 100*time.Millisecond)
		truth := g.robot.GroundTruth()
		near(t, "v", truth.V, (c.realLeft+c.realRight)/2*step, 1e-7)
		near(t, "omega", truth.Omega, (c.realRight-c.realLeft)*step/0.05685, 1e-6)
		near(t, "left wheel", truth.LeftSpeed, c.realLeft*step/0.02, 1e-5)
	}
}

func TestOwnWheelDistance(t *testing.T) {
	g := newRig(t, "robots: [{name: r, wheel_distance: 0.053}]", sim.Options{})
	g.drive(-500, 500, 110*time.Millisecond)
	near(t, "omega", g.robot.GroundTruth().Omega, 1000*step/0.053, 1e-6)
}

// Both forms of an exchange work: write, stop, read, and all in one.
func TestWriteStopRead(t *testing.T) {
	g := newRig(t, "arena", sim.Options{})
	g.exchange(500, 500)
	whole := newRig(t, "arena", sim.Options{})
	if err := whole.robot.Bus().Tx(0x1F, g.cmd[:], nil); err != nil {
		t.Fatal(err)
	}
	if err := whole.robot.Bus().Tx(0x1F, nil, whole.reply[:]); err != nil {
		t.Fatal(err)
	}
	if g.reply != whole.reply {
		t.Errorf("in one\n% x, apart\n% x", g.reply, whole.reply)
	}
}

// Fact: the firmware waits 100 ms for a message; a slow clock makes it give up.
func TestSlowClock(t *testing.T) {
	g := newRig(t, "plane", sim.Options{})
	if err := g.robot.Bus().SetSpeed(2 * physic.KiloHertz); err != nil {
		t.Fatal(err)
	}
	if err := g.tryExchange(500, 500); err != nil { // 21 bytes take 94.5 ms, the 48 do not fit
		t.Fatal(err)
	}
	if g.reply[20] == 0xFF || g.reply[21] != 0xFF || g.reply[46] != 0xFF {
		t.Errorf("the read continues after 100 ms: % x", g.reply)
	}
	if err := g.robot.Bus().SetSpeed(1500 * physic.Hertz); err != nil {
		t.Fatal(err)
	}
	if err := g.tryExchange(0, 0); !errors.Is(err, system.EREMOTEIO) {
		t.Errorf("a write of 126 ms: %v, want EREMOTEIO", err)
	}
	if v := g.robot.GroundTruth().V; v < 0.06 {
		t.Errorf("speed %v: the cut command acted", v)
	}
}

// Against a wall the counters advance, the robot does not, and the front sensors
// see the wall.
func TestBumpIntoTheWall(t *testing.T) {
	g := newRig(t, "empty", sim.Options{Quiet: true})
	g.drive(1000, 1000, 20*time.Second)
	g.exchange(1000, 1000)
	truth := g.robot.GroundTruth()
	near(t, "x", truth.Pose.X, 1-0.037, 1e-9)
	near(t, "v", truth.V, 0, 1e-9)
	near(t, "counter", float64(g.word(41)), 20000, 20)
	if !truth.Collided || truth.Collisions != 1 {
		t.Errorf("collided %v, %d times", truth.Collided, truth.Collisions)
	}
	for i, want := range []bool{true, true, false, false, false, false, true, true} {
		if got := g.word(2*i) > 150; got != want {
			t.Errorf("ps%d reads %d at the wall ahead", i, g.word(2*i))
		}
	}
}

func TestLoadWorld(t *testing.T) {
	for _, name := range append(sim.ExampleWorlds(), "", "world/examples/maze.yaml") {
		w, err := sim.LoadWorld(name)
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if _, err := sim.New(w, sim.Options{}); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := sim.LoadWorld("moon"); !errors.Is(err, world.ErrUnknown) || !strings.Contains(err.Error(), "a dot or a slash") {
		t.Errorf("unknown name: %v", err)
	}
	if _, err := sim.LoadWorld(filepath.Join(t.TempDir(), "no.yaml")); err == nil {
		t.Error("a missing file loads")
	}
}

func TestNewRefuses(t *testing.T) {
	if _, err := sim.New(nil, sim.Options{}); !errors.Is(err, world.ErrWorld) {
		t.Errorf("no world: %v", err)
	}
	if _, err := sim.New(&sim.World{}, sim.Options{}); !errors.Is(err, world.ErrWorld) {
		t.Errorf("an empty world: %v", err)
	}
	for _, text := range []string{
		"arena: {size: [1, 1]}\nrobots: [{name: r, position: [0.48, 0]}]",
		"cylinders: [{radius: 0.1}]\nrobots: [{name: r}]",
		"robots: [{name: a}, {name: b, position: [0.05, 0]}]",
	} {
		w, err := sim.ParseWorld([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sim.New(w, sim.Options{}); !errors.Is(err, sim.ErrOccupied) {
			t.Errorf("%q: %v, want ErrOccupied", text, err)
		}
	}
}

func TestRobotByName(t *testing.T) {
	g := newRig(t, "swarm", sim.Options{})
	for i, r := range sim.RobotsOf[*sim.Firmware](g.sim) {
		got, err := sim.RobotOf[*sim.Firmware](g.sim, r.Name())
		if err != nil || got != r {
			t.Errorf("robot %d, %q: %v, %v", i, r.Name(), got, err)
		}
		if s := r.Bus().String(); s != "sim:"+r.Name() {
			t.Errorf("bus of %q is called %q", r.Name(), s)
		}
	}
	if _, err := sim.RobotOf[*sim.Firmware](g.sim, "epuck9"); !errors.Is(err, sim.ErrNoRobot) || !strings.Contains(err.Error(), "epuck1, epuck2, epuck3") {
		t.Errorf("unknown robot: %v", err)
	}
}
