// SPDX-License-Identifier: Apache-2.0

package onboard

import (
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
	"github.com/epuck-ros2/epuck-driver/target"
	"github.com/epuck-ros2/epuck-driver/target/machine"
)

// BenchmarkLadder is the table of levels: simulated seconds a second for one to eight robots, computed by one or two
// processors. With EPUCK_TARGET_DRIVER the robots of the level target run that program, the driver for ARMv6; otherwise
// a program that makes control cycles and computes for a fifth of the time.
func BenchmarkLadder(b *testing.B) {
	for _, level := range world.Levels() {
		for _, robots := range []int{1, 2, 4, 8} {
			for _, workers := range []int{1, 2} {
				b.Run(fmt.Sprintf("%s/robots=%d/cores=%d", level, robots, workers), func(b *testing.B) {
					w := ladderWorld(b, level, robots)
					if level == world.LevelTarget {
						climb(b, time.Second, withComputers(b, w, workers))
						return
					}
					climb(b, 10*time.Second, withoutComputers(b, w, workers))
				})
			}
		}
	}
}

func ladderWorld(b *testing.B, level string, robots int) *sim.World {
	w, err := sim.LoadWorld("empty")
	if err != nil {
		b.Fatal(err)
	}
	if err := sim.Distribute(w, robots, sim.Grid, 1); err != nil {
		b.Fatal(err)
	}
	for i := range w.Robots {
		w.Robots[i].Level = level
	}
	return w
}

// climb measures what a function takes that lets so much simulated time pass.
func climb(b *testing.B, d time.Duration, pass func(d time.Duration)) {
	b.ResetTimer()
	for b.Loop() {
		pass(d)
	}
	b.ReportMetric(float64(b.N)*d.Seconds()/b.Elapsed().Seconds(), "s/s")
}

// withoutComputers drives all robots, those of the firmware level by exchanges on their buses.
func withoutComputers(b *testing.B, w *sim.World, workers int) func(time.Duration) {
	clock := sim.NewClock()
	s, err := sim.New(w, sim.Options{Seed: 1, Now: clock.Now, Workers: workers, Settled: true})
	if err != nil {
		b.Fatal(err)
	}
	for _, a := range s.Agents() {
		a.Do(func(c *sim.Control) { c.SetWheels(2, 2.1) })
	}
	command, reply := make([]byte, 20), make([]byte, 47)
	command[0], command[2], command[19] = 200, 210, 200^210
	return func(d time.Duration) {
		for ; d > 0; d -= controlPeriod {
			clock.Sleep(controlPeriod)
			for _, r := range s.Robots() {
				if err := r.Bus().Tx(0x1f, command, reply); err != nil {
					b.Fatal(err)
				}
			}
			s.Elapsed()
		}
	}
}

func withComputers(b *testing.B, w *sim.World, workers int) func(time.Duration) {
	p, err := target.Literature()
	if err != nil {
		b.Fatal(err)
	}
	args := []string{os.Getenv("EPUCK_TARGET_DRIVER"), "run", "--wait", "--ros-args", "-p", "i2c_bus:=12"}
	if args[0] == "" {
		args = []string{compiled(b, control), "10"}
	}
	c, err := New(b.Context(), Config{World: w, Seed: 1, Parameters: p, Workers: workers, Programs: func(robot string) []machine.Program {
		own := args
		if len(args) > 2 {
			own = append(args[:len(args):len(args)], "-r", "__ns:=/"+robot)
		}
		return []machine.Program{{Args: own, Out: io.Discard, Err: io.Discard}}
	}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = c.Close() })
	return func(d time.Duration) {
		if err := c.Advance(b.Context(), c.Age()+d); err != nil {
			b.Fatal(err)
		}
	}
}
