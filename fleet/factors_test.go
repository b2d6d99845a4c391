// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
)

// outcome is what a run of several robots has given.
type outcome struct {
	hash       string
	odom, scan []int // messages of each robot
	late       time.Duration
}

// String says it in a line.
func (o outcome) String() string {
	return fmt.Sprintf("odom %v, scan %v, trace %.8s", o.odom, o.scan, o.hash)
}

// same reports whether two runs have given the same messages and the same bytes.
func (o outcome) same(other outcome) bool {
	return slices.Equal(o.odom, other.odom) && slices.Equal(o.scan, other.scan) && o.hash == other.hash
}

// kinds are the robots of a run: robot i is like number i modulo their number.
type kinds []string

// What the world file says of the kinds.
const (
	firmware   = "level: firmware"
	functional = "level: functional"
	described  = "model: turtlebot3_burger"
)

// exact reports whether N seconds have given exactly 20 N messages of odometry and of the scan for each robot; of the
// described one 5 N of the scan, whose lidar turns five times a second.
func (k kinds) exact(o outcome, length time.Duration) bool {
	seconds := int(length / time.Second)
	for i := range o.odom {
		scans := 20
		if k[i%len(k)] == described {
			scans = 5
		}
		if o.odom[i] != 20*seconds || o.scan[i] != scans*seconds {
			return false
		}
	}
	return true
}

// rows returns a world of n robots in rows of ten.
func (k kinds) rows(n int) (*sim.World, error) {
	text := "robots:\n"
	for i := range n {
		text += fmt.Sprintf("  - {name: r%d, %s, position: [%g, %g]}\n", i, k[i%len(k)], 0.3*float64(i%10), 0.3*float64(i/10))
	}
	return sim.ParseWorld([]byte(text))
}

// driveAll sends all robots a command, each another one at each time.
func driveAll(commands []*ros2.Publisher[geometry_msgs.Twist], age time.Duration) error {
	for i, p := range commands {
		turn := float64((i*7+int(age/commandInterval)*3)%11-5) / 5
		if err := p.Publish(&geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 0.08}, Angular: geometry_msgs.Vector3{Z: turn}}); err != nil {
			return err
		}
	}
	return nil
}

// commandInterval is that of driveAll.
const commandInterval = 200 * time.Millisecond

// runFleet drives robots with their nodes for a simulated time at a real-time factor. A busy machine takes up to 50 ms
// for a step, at random.
func runFleet(t *testing.T, k kinds, robots int, factor float64, length time.Duration, busy bool) (got outcome) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		w, err := k.rows(robots)
		must(err)
		clock, err := simclock.New(simclock.Config{Epoch: time.Unix(0, 0), Factor: factor})
		must(err)
		s, err := sim.New(w, sim.Options{
			Seed: 1, Now: clock.Now, Wait: clock.Wait, MaxCatchUp: -1, Trace: true, Mechanisms: machine.Maker(library.Parse, library.Load),
		})
		must(err)
		network := ros2test.NewNetwork()
		transport, outside := network.NewTransport(), network.NewTransport()
		f, err := fleet.New(fleet.Config{
			Simulation: s, Transport: transport, Clock: clock, Trace: true,
			Hardware: func(r *sim.Firmware, _ *ros2.Node) (driver.Config, func() error, error) {
				return driver.Config{Hardware: &chips.Robot{Bus: r.Bus(), BoardBus: r.BoardBus(), Files: r.BatteryFS()}}, func() error { return nil }, nil
			},
		})
		must(err)
		n, err := ros2.NewNode(ros2.NodeConfig{Name: "listener", Transport: outside, Clock: clock})
		must(err)
		drove := make([]bool, robots)
		got.odom, got.scan = make([]int, robots), make([]int, robots)
		var commands []*ros2.Publisher[geometry_msgs.Twist]
		for i := range robots {
			odom, scan := fmt.Sprintf("/r%d/odom", i), fmt.Sprintf("/r%d/scan", i)
			_, err := ros2.NewSubscription(n, odom, ros2.DefaultQoS(), func(m *nav_msgs.Odometry, _ ros2.MessageInfo) {
				got.odom[i]++
				drove[i] = drove[i] || m.Pose.Pose.Position.X != 0
			})
			must(err)
			_, err = ros2.NewSubscription(n, scan, ros2.SensorDataQoS(), func(*sensor_msgs.LaserScan, ros2.MessageInfo) { got.scan[i]++ })
			must(err)
			p, err := ros2.NewPublisher[geometry_msgs.Twist](n, fmt.Sprintf("/r%d/cmd_vel", i), ros2.DefaultQoS())
			must(err)
			commands = append(commands, p)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var group task.Group
		group.Go("simulation", func() {
			load := rand.New(rand.NewPCG(1, 2))
			if err := clock.Run(ctx, func() error {
				age := s.Elapsed()
				err := f.Step()
				if age%commandInterval == 0 {
					err = errors.Join(err, driveAll(commands, age))
				}
				if busy {
					time.Sleep(time.Duration(load.IntN(int(50 * time.Millisecond))))
				}
				if age >= length {
					cancel()
				}
				return err
			}); err != nil {
				t.Error(err)
			}
		})
		group.Wait()
		synctest.Wait()
		got.hash, got.late = fmt.Sprintf("%x", s.TraceHash()), clock.Late()
		if i := slices.Index(drove, false); i >= 0 {
			t.Errorf("robot %d has not driven", i)
		}
		must(f.Close())
		must(n.Close())
		must(outside.Close())
		must(transport.Close())
	})
	return got
}

// At every level, also of several levels in one world, at every real-time factor, and on a busy machine, N simulated
// seconds give exactly 20 N messages of odometry and of the scan for each robot, and the same bytes on the buses and in
// all messages as a run in real time.
func TestEveryFactorGivesTheRunOfRealTime(t *testing.T) {
	compareFactors(t, "mixed", kinds{firmware, functional, described}, 3, time.Second, 0.5, 20, math.Inf(1))
}

// compareFactors compares runs of a fleet at factors, on an idle and on a busy machine, with the one in real time.
func compareFactors(t *testing.T, name string, k kinds, robots int, length time.Duration, factors ...float64) {
	t.Helper()
	first := runFleet(t, k, robots, 1, length, false)
	if !k.exact(first, length) {
		t.Errorf("%s: %v, want 20 a second", name, first)
	}
	for _, factor := range factors {
		for _, busy := range []bool{false, true} {
			got := runFleet(t, k, robots, factor, length, busy)
			if !got.same(first) {
				t.Errorf("%s at factor %g (busy: %v): %v; in real time %v", name, factor, busy, got, first)
			}
			if busy && factor >= 5 && !math.IsInf(factor, 1) && got.late == 0 {
				t.Errorf("%s at factor %g: a busy machine is not late", name, factor)
			}
		}
	}
}
