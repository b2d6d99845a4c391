// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// randomWorld returns the text of a world with walls, boxes and cylinders in an arena that a wall divides in two, and
// its fixed walls and things.
func randomWorld(r *rand.Rand) (text string, side float64, fixed []geom.Shape) {
	var b strings.Builder
	side = 1 + 4*r.Float64()
	place := func() geom.Vec { return geom.Vec{X: (r.Float64() - 0.5) * side, Y: (r.Float64() - 0.5) * side} }
	fmt.Fprintf(&b, "arena: {size: [%g, %g]}\n", side, side)
	b.WriteString("walls:\n")
	wall := func(from, to geom.Vec, thickness float64) {
		fmt.Fprintf(&b, "  - {from: [%g, %g], to: [%g, %g], thickness: %g, height: 0.3}\n", from.X, from.Y, to.X, to.Y, thickness)
		fixed = append(fixed, geom.NewWall(from, to, thickness, 0.3))
	}
	wall(geom.Vec{Y: -side / 2}, geom.Vec{Y: side / 2}, 0.001+0.01*r.Float64())
	for range r.IntN(3) {
		at := place()
		wall(at, at.Add(geom.Direction(6*r.Float64()).Scale(0.1+0.4*r.Float64())), 0.001+0.02*r.Float64())
	}
	b.WriteString("boxes:\n")
	for i := range 1 + r.IntN(4) {
		at, size, yaw := place(), geom.Vec{X: 0.01 + 0.2*r.Float64(), Y: 0.01 + 0.2*r.Float64()}, 6*r.Float64()
		fmt.Fprintf(&b, "  - {name: box%d, position: [%g, %g], size: [%g, %g], yaw: %g, height: 0.3}\n", i, at.X, at.Y, size.X, size.Y, yaw)
		fixed = append(fixed, geom.NewBox(at, size, yaw, 0.3))
	}
	b.WriteString("cylinders:\n")
	for i := range 1 + r.IntN(4) {
		at, radius := place(), 0.005+0.1*r.Float64()
		fmt.Fprintf(&b, "  - {name: can%d, position: [%g, %g], radius: %g, height: 0.3}\n", i, at.X, at.Y, radius)
		fixed = append(fixed, geom.NewDisc(at, radius, 0.3))
	}
	return b.String(), side, fixed
}

// randomRobot returns a robot of any kind, at any position in a square, with wheels of any size; of the firmware level
// only if lowest is 0.
func randomRobot(t *testing.T, r *rand.Rand, name string, side float64, lowest int) world.Robot {
	t.Helper()
	drawn, err := sim.ParseWorld([]byte("robots: [{name: r}]"))
	if err != nil {
		t.Fatal(err)
	}
	w := drawn.Robots[0]
	w.Name, w.Position, w.Yaw = name, world.Point{(r.Float64() - 0.5) * side, (r.Float64() - 0.5) * side}, 6*r.Float64()
	switch k := lowest + r.IntN(10-lowest); {
	case k == 0:
		w.Level = world.LevelFirmware
	case k < 6:
		w.Level = world.LevelFunctional
	default:
		names := library.Names()
		w = world.Robot{Name: name, Position: w.Position, Yaw: w.Yaw, Model: names[r.IntN(len(names))]}
	}
	if w.Model == "" && r.IntN(2) == 0 {
		w.Variation.WheelRadii = world.Radii{0.01 + 0.04*r.Float64(), 0.01 + 0.04*r.Float64()}
	}
	if r.IntN(3) == 0 {
		w.Variation.Slip, w.Variation.SlipLength = 0.05*r.Float64(), 0.1
	}
	return w
}

// driveAtRandom commands the wheels of a robot of any kind.
func driveAtRandom(t *testing.T, r *rand.Rand, robot sim.Robot) {
	t.Helper()
	left, right := 2*r.Float64()-1, 2*r.Float64()-1
	if r.IntN(2) == 0 { // at full speed, straight or turning in place
		left, right = 1, math.Copysign(1, right)
	}
	switch robot := robot.(type) {
	case *sim.Firmware:
		var c [20]byte
		for i, v := range [2]float64{left, right} {
			speed := int16(v * vmcu.SpeedLimit)
			c[2*i], c[2*i+1] = byte(speed), byte(speed>>8)
		}
		for _, v := range c[:19] {
			c[19] ^= v
		}
		if err := robot.Bus().Tx(vmcu.Address, c[:], make([]byte, 47)); err != nil {
			t.Fatal(err)
		}
	case *sim.Functional:
		robot.Do(func(c *sim.Control) { c.SetWheels(7*left, 7*right) })
	case *sim.Articulated:
		robot.Do(func(g sim.Mechanism) {
			m := g.(*machine.Machine)
			for side, row := range m.Wheels() {
				for _, i := range row {
					m.SetVelocity(i, [2]float64{left, right}[side]*60)
				}
			}
		})
	}
}

// solid is the space that a robot occupies.
type solid struct {
	name   string
	at     geom.Vec
	reach  float64 // radius of all shapes around at
	shapes []geom.Shape
}

// solidOf returns the space that a robot occupies now.
func solidOf(robot sim.Robot) solid {
	shapes, _ := robot.Outline()
	pose := robot.Pose()
	s := solid{name: fmt.Sprintf("%s (%s %s)", robot.Name(), robot.Level(), robot.Model()), at: pose.Position()}
	for i := range shapes {
		s.shapes = append(s.shapes, shapes[i].Carried(pose.Position(), geom.Direction(pose.Theta)))
		s.reach = max(s.reach, shapes[i].Center().Norm()+shapes[i].Reach())
	}
	return s
}

// depth returns the penetration depth of a shape into a robot, m.
func (s *solid) depth(o *geom.Shape) (d float64) {
	for i := range s.shapes {
		if move, in := o.Apart(&s.shapes[i]); in {
			d = max(d, move.Norm())
		}
	}
	return d
}

// overlap is the maximum penetration by rounding, m.
const overlap = 1e-6

// checkBodies fails if a robot overlaps another one or something that can't be pushed, or has changed the side of the
// wall in the middle.
func checkBodies(t *testing.T, robots []sim.Robot, fixed []geom.Shape, sides []bool) {
	t.Helper()
	solids := make([]solid, len(robots))
	for i, r := range robots {
		solids[i] = solidOf(r)
		if solids[i].at.X > 0 != sides[i] {
			t.Fatalf("%s is at %v, on the other side of the wall", solids[i].name, solids[i].at)
		}
	}
	for i := range solids {
		a := &solids[i]
		for k := range fixed {
			if d := a.depth(&fixed[k]); d > overlap {
				t.Fatalf("%s at %v is %g m in thing %d at %v", a.name, a.at, d, k, fixed[k].Center())
			}
		}
		for k := range solids[:i] {
			b := &solids[k]
			if b.at.Sub(a.at).Norm() > a.reach+b.reach {
				continue
			}
			for j := range b.shapes {
				if d := a.depth(&b.shapes[j]); d > overlap {
					t.Fatalf("%s at %v and %s at %v overlap by %g m", a.name, a.at, b.name, b.at, d)
				}
			}
		}
	}
}

// attack drives robots of all kinds at random in a random world and returns the hash of the trace. It checks the bodies
// if check is set.
func attack(t *testing.T, seed uint64, workers int, check bool) [32]byte {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	text, side, fixed := randomWorld(r)
	lowest := r.IntN(2) // 1: no robots of the firmware level, which would end each step with the cycle
	g := newRig(t, "robots: [{name: r}]", func(o *sim.Options) {
		o.Workers, o.Seed, o.Quiet, o.Sleep = workers, seed, false, func(time.Duration) {}
	})
	w, err := sim.ParseWorld([]byte(text + "robots: [{name: r}]"))
	if err != nil {
		t.Fatal(err)
	}
	for g.sim = nil; g.sim == nil; {
		w.Robots[0] = randomRobot(t, r, "first", side, lowest)
		if g.sim, err = sim.New(w, g.opts); err != nil && !errors.Is(err, sim.ErrOccupied) {
			t.Fatal(err)
		}
	}
	for i := range 2 + r.IntN(160) {
		if _, err := g.sim.Spawn(randomRobot(t, r, fmt.Sprint("r", i), side, lowest)); err != nil && !errors.Is(err, sim.ErrOccupied) {
			t.Fatal(err)
		}
	}
	robots := g.sim.Robots()
	sides := make([]bool, len(robots))
	for i, robot := range robots {
		sides[i] = robot.Pose().X > 0
	}
	for range 12 {
		for _, robot := range robots {
			if r.IntN(3) == 0 {
				driveAtRandom(t, r, robot)
			}
		}
		for range 5 {
			g.pass(time.Duration(1+r.IntN(25)) * sim.CycleTime)
			if check {
				checkBodies(t, robots, fixed, sides)
			}
		}
	}
	return g.sim.TraceHash()
}

// TestBodiesNeverOverlap: in random worlds with robots of all kinds no two bodies overlap, none passes through a wall,
// and the trace is the same on one and on two workers.
func TestBodiesNeverOverlap(t *testing.T) {
	worlds := 300
	if !suite.Long {
		worlds = 8
	}
	for seed := range uint64(worlds) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			if one, two := attack(t, seed, 1, true), attack(t, seed, 2, false); one != two {
				t.Errorf("%x on one worker, %x on two", one, two)
			}
		})
	}
}
