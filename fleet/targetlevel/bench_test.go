// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package targetlevel

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/fleet/core"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
	"github.com/epuck-ros2/epuck-driver/sim/armcost/machine"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// rung is a row of the ladder: a level, and what work costs at it.
type rung struct {
	name, level string
	cost        world.Cost
}

func rungs() []rung {
	return []rung{
		{"functional,free", world.LevelFunctional, world.Cost{}},
		{"functional,constant", world.LevelFunctional, world.Cost{Callback: 0.002}},
		{"firmware,table", world.LevelFirmware, world.Cost{Table: true}},
		{"target,counted", world.LevelTarget, world.Cost{}},
	}
}

// BenchmarkLadder is the table of levels: simulated seconds a second for one to eight robots, computed by one or two
// processors. The robots of all levels but the last have their nodes on a network in memory, where another node hears
// each robot's odometry. With EPUCK_TARGET_DRIVER the robots of the level target run that program, the driver for
// ARMv6; otherwise a program that makes control cycles and computes for a fifth of the time. `make ladder` runs it.
func BenchmarkLadder(b *testing.B) {
	for _, r := range rungs() {
		for robots := 1; robots <= 8; robots++ {
			for _, workers := range []int{1, 2} {
				b.Run(fmt.Sprintf("%s/robots=%d/cores=%d", r.name, robots, workers), func(b *testing.B) {
					w := ladderWorld(b, r, robots)
					if r.level == world.LevelTarget {
						climb(b, time.Second, withComputers(b, w, workers))
						return
					}
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
					climb(b, time.Minute, withNodes(b, w, workers))
				})
			}
		}
	}
}

func ladderWorld(b *testing.B, r rung, robots int) *sim.World {
	w, err := sim.LoadWorld("empty")
	if err != nil {
		b.Fatal(err)
	}
	if err := sim.Distribute(w, robots, sim.Grid, 1); err != nil {
		b.Fatal(err)
	}
	for i := range w.Robots {
		w.Robots[i].Level, w.Robots[i].Cost = r.level, r.cost
	}
	return w
}

// BenchmarkDetailed is a world of eight robots of which none to all are of the firmware level, with their drivers, and
// the others functional, all as nodes on a network in memory: what each detailed robot costs.
func BenchmarkDetailed(b *testing.B) {
	for detailed := range 9 {
		b.Run(fmt.Sprintf("detailed=%d", detailed), func(b *testing.B) {
			w := ladderWorld(b, rung{level: world.LevelFunctional}, 8)
			for i := range w.Robots[:detailed] {
				w.Robots[i].Level = world.LevelFirmware
			}
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			climb(b, time.Minute, withNodes(b, w, 1))
		})
	}
}

// climb measures a function that advances a simulation by a given time: its wall-clock and processor time.
func climb(b *testing.B, d time.Duration, pass func(d time.Duration)) {
	before := processorTime(b)
	b.ResetTimer()
	for b.Loop() {
		pass(d)
	}
	simulated := float64(b.N) * d.Seconds()
	b.ReportMetric(simulated/b.Elapsed().Seconds(), "s/s")
	b.ReportMetric(simulated/(processorTime(b)-before).Seconds(), "s/processor-s")
}

// processorTime returns the time that this process has spent on processors.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// simulated is the world's clock for nodes; its timers have no use in lockstep.
type simulated struct {
	ros2.Clock
	world *sim.Clock
}

func (s simulated) Now() time.Time { return s.world.Now() }

// withNodes drives all robots by messages, as nodes in steps of 10 ms.
func withNodes(b *testing.B, w *sim.World, workers int) func(time.Duration) {
	clock := sim.NewClock()
	s, err := sim.New(w, sim.Options{Seed: 1, Now: clock.Now, Workers: workers, Settled: true})
	if err != nil {
		b.Fatal(err)
	}
	network := ros2test.NewNetwork()
	transport, outside := network.NewTransport(), network.NewTransport()
	cfg := fleet.Config{
		Simulation: s, Transport: transport, Clock: simulated{ros2.SystemClock(), clock},
		Hardware: func(r *sim.Firmware, _ *ros2.Node) (driver.Config, func() error, error) {
			return driver.Config{Hardware: &chips.Robot{Bus: r.Bus(), BoardBus: r.BoardBus(), Files: r.BatteryFS()}}, func() error { return nil }, nil
		},
	}
	if w.Robots[0].Cost != (world.Cost{}) {
		cfg.Core = ladderCores(b, clock)
	}
	f, err := fleet.New(cfg)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := errors.Join(f.Close(), outside.Close(), transport.Close()); err != nil {
			b.Error(err)
		}
	})
	drive := ladderUser(b, outside, w)
	return func(d time.Duration) {
		for ; d > 0; d -= 10 * time.Millisecond {
			if d%(100*time.Millisecond) == 0 {
				drive()
			}
			clock.Sleep(10 * time.Millisecond)
			s.Elapsed()
			if err := f.Step(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func ladderCores(b *testing.B, clock *sim.Clock) func(m sim.Robot) (*core.Core, error) {
	p, err := armcost.Literature()
	if err != nil {
		b.Fatal(err)
	}
	return func(m sim.Robot) (*core.Core, error) {
		prices, err := core.PricesOf(m.Cost(), p.Parameters["core"].Interval)
		if err != nil {
			return nil, err
		}
		return core.New(core.Config{Robot: m.Name(), Prices: prices, Parameters: p, Now: clock.Now})
	}
}

// ladderUser subscribes to the odometry of all robots, and returns a function that commands all of them to drive.
func ladderUser(b *testing.B, t ros2.Transport, w *sim.World) (drive func()) {
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "user", Transport: t})
	if err != nil {
		b.Fatal(err)
	}
	var all []*ros2.Publisher[geometry_msgs.Twist]
	for _, r := range w.Robots {
		p, err := ros2.NewPublisher[geometry_msgs.Twist](n, "/"+r.Name+"/cmd_vel", ros2.DefaultQoS())
		if err != nil {
			b.Fatal(err)
		}
		if _, err := ros2.NewSubscription(n, "/"+r.Name+"/odom", ros2.DefaultQoS(), func(*nav_msgs.Odometry, ros2.MessageInfo) {}); err != nil {
			b.Fatal(err)
		}
		all = append(all, p)
	}
	m := geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 0.05}, Angular: geometry_msgs.Vector3{Z: 0.1}}
	return func() {
		for _, p := range all {
			if err := p.Publish(&m); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func withComputers(b *testing.B, w *sim.World, workers int) func(time.Duration) {
	p, err := armcost.Literature()
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
