// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// driven makes an e-puck2 of a kind drive with wheel speeds of its own, steps/s; described is a description's.
func driven(t testing.TB, robot sim.Robot, left, right float64) {
	t.Helper()
	const perStep = 2 * math.Pi / 1000
	switch r := robot.(type) {
	case *sim.Functional:
		r.Do(func(c *sim.Control) { c.SetWheels(left*perStep, right*perStep) })
	case *sim.Articulated:
		m, ok := r.Mechanism().(*machine.Machine)
		if !ok {
			t.Fatal("no machine")
		}
		r.Do(func(sim.Mechanism) {
			for side, row := range m.Wheels() {
				for _, i := range row {
					m.SetVelocity(i, []float64{left, right}[side]*perStep)
				}
			}
		})
	case *sim.Firmware:
		command := [20]byte{0: byte(int(left)), 1: byte(int(left) >> 8), 2: byte(int(right)), 3: byte(int(right) >> 8)}
		for _, b := range command[:19] {
			command[19] ^= b
		}
		var reply [47]byte
		if err := r.Bus().Tx(0x1f, command[:], reply[:]); err != nil {
			t.Fatal(err)
		}
	}
}

// levels are the three bodies of an e-puck2, as a world file has them.
func levels() map[string]string {
	return map[string]string{
		world.LevelFirmware: "level: firmware", world.LevelFunctional: "level: functional", world.LevelDescribed: "model: epuck2",
	}
}

// TestCollisionsCountAlike: at every level a robot that drives against something and stays there has one collision, one
// that comes back another one, and one that rubs along a wall has one.
func TestCollisionsCountAlike(t *testing.T) {
	for level, kind := range levels() {
		for _, c := range []struct {
			name  string
			yaw   float64
			legs  [][3]float64 // left and right, steps/s, and s
			count uint64
		}{
			{"free", math.Pi, [][3]float64{{500, 500, 2}}, 0},
			{"head on", 0, [][3]float64{{500, 500, 3}}, 1},
			{"head on, slowly", 0, [][3]float64{{130, 130, 6}}, 1},
			{"along the wall", 1.2, [][3]float64{{500, 500, 6}}, 1},
			{"twice", 0, [][3]float64{{500, 500, 2}, {-500, -500, 1}, {500, 500, 2}}, 2},
			{"trembling", 0, [][3]float64{{500, 500, 2}, {-400, -400, 0.03}, {600, 600, 0.04}, {-400, -400, 0.03}, {600, 600, 1}}, 1},
		} {
			r := newRig(t, "arena: {size: [2, 2]}\nrobots:\n"+fmt.Sprintf("  - {name: r, %s, position: [0.92, -0.5], yaw: %g}\n", kind, c.yaw))
			robot := r.sim.Robots()[0]
			for _, leg := range c.legs {
				driven(t, robot, leg[0], leg[1])
				r.pass(time.Duration(leg[2] * float64(time.Second)))
			}
			if n := robot.GroundTruth().Collisions; n != c.count {
				t.Errorf("%s, %s: %d collisions, want %d", level, c.name, n, c.count)
			}
		}
	}
}

// TestWheelsOfAllBodies: the same commands turn the wheels of all three bodies alike, in the steps of the motors, and
// the ground truth has them.
func TestWheelsOfAllBodies(t *testing.T) {
	for _, command := range [][2]float64{{1000, 990}, {700, 693}, {-500, 498}} {
		type state struct{ theta, left, right, speed float64 }
		got := map[string]state{}
		for level, kind := range levels() {
			r := newRig(t, "robots:\n  - {name: r, "+kind+"}\n")
			robot := r.sim.Robots()[0]
			driven(t, robot, command[0], command[1])
			r.pass(5 * time.Second)
			truth := robot.GroundTruth()
			got[level] = state{truth.Pose.Theta, truth.LeftWheel, truth.RightWheel, truth.LeftSpeed}
		}
		want := got[world.LevelFunctional]
		if want.left == 0 || want.speed == 0 {
			t.Errorf("%v: the wheels do not turn: %+v", command, want)
		}
		for level, g := range got {
			near(t, level+": heading", math.Remainder(g.theta-want.theta, 2*math.Pi), 0, 0.05)
			near(t, level+": left wheel", g.left, want.left, 0.12)
			near(t, level+": right wheel", g.right, want.right, 0.12)
			near(t, level+": left speed", g.speed, want.speed, 0.02)
		}
	}
}
