// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Below 100 motor steps/s, too, the wheels of both levels turn by the same angle, to what the firmware's timing
// makes: a motor takes over a speed at the end of a half step of the speed before, so that a change from a to b
// steps/s may be late by 0.5/a s, which is (b−a)/(2a) steps of way. The functional level takes it over within
// its cycle of 10 ms.
func TestLevelsAgreeAtLowSpeeds(t *testing.T) {
	var ways [2][]float64 // of the left wheel, steps
	var commanded []float64
	for k, level := range []string{world.LevelFirmware, world.LevelFunctional} {
		w, err := sim.ParseWorld([]byte("robots: [{name: r}]"))
		if err != nil {
			t.Fatal(err)
		}
		w.Robots[0].Level = level
		g := newRigOf(t, w, sim.Options{Seed: 1, Settled: true, Quiet: true}, fleet.Config{})
		move := say[geometry_msgs.Twist](g, "/r/cmd_vel")
		g.run(bringUp)
		dice := rand.New(rand.NewPCG(3, 29))
		commanded = commanded[:0]
		for range 40 {
			speed := float64(5 + dice.IntN(95))
			commanded = append(commanded, speed)
			move(&geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: speed * mcu.RadPerStep * robot.WheelRadius}})
			g.run(commandPeriod)
			ways[k] = append(ways[k], g.sim.Robots()[0].GroundTruth().LeftWheel/mcu.RadPerStep)
		}
	}
	limit, before, worst := 1.5, 0.0, 0.0 // half steps of both counters, and a cycle of the first command
	for k, speed := range commanded {
		late := 0.01
		if before > 0 {
			late += 0.5 / before
		}
		limit += late * math.Abs(speed-before)
		off := math.Abs(ways[0][k] - ways[1][k])
		if worst = max(worst, off/limit); off > limit {
			t.Fatalf("after change %d, to %g steps/s, the wheels are %.2f steps apart, at most %.2f", k, speed, off, limit)
		}
		before = speed
	}
	if way := ways[0][len(ways[0])-1]; way < 500 {
		t.Errorf("the wheel turned by %.0f steps", way)
	}
	last := len(commanded) - 1
	t.Logf("at the end %.2f of %.0f steps apart, the greatest share of the bound %.2f",
		ways[0][last]-ways[1][last], ways[0][last], worst)
}
