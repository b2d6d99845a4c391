// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
	"github.com/epuck-ros2/epuck-driver/swarm/fleet"
)

// outcome is what a run of several robots has given.
type outcome struct {
	hash       string
	odom, scan []int // messages of each robot
	late       time.Duration
}

// runFleet runs robots of a level with their nodes for a simulated time at a real-time factor. A busy machine takes up
// to 50 ms for a step, at random.
func runFleet(t *testing.T, level string, robots int, factor float64, length time.Duration, busy bool) (got outcome) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		w, err := sim.LoadWorld("empty")
		must(err)
		must(sim.Distribute(w, robots, sim.Uniform, 1))
		for i := range w.Robots {
			w.Robots[i].Level = level
		}
		clock, err := fleet.NewClock(fleet.ClockConfig{Epoch: time.Unix(0, 0), Factor: factor})
		must(err)
		s, err := sim.New(w, sim.Options{Seed: 1, Now: clock.Now, Wait: clock.Wait, MaxCatchUp: -1, Trace: true})
		must(err)
		network := ros2test.NewNetwork()
		transport, outside := network.NewTransport(), network.NewTransport()
		f, err := fleet.New(fleet.Config{
			Simulation: s, Transport: transport, Clock: clock, Trace: true,
			Hardware: func(r *sim.Robot, _ *ros2.Node) (driver.Config, func() error, error) {
				return driver.Config{Bus: r.Bus(), BoardBus: r.BoardBus(), Files: r.BatteryFS()}, func() error { return nil }, nil
			},
		})
		must(err)
		n, err := ros2.NewNode(ros2.NodeConfig{Name: "listener", Transport: outside})
		must(err)
		got.odom, got.scan = make([]int, robots), make([]int, robots)
		for i := range robots {
			_, err := ros2.NewSubscription(n, fmt.Sprintf("/epuck%d/odom", i+1), ros2.DefaultQoS(), func(*nav_msgs.Odometry, ros2.MessageInfo) { got.odom[i]++ })
			must(err)
			_, err = ros2.NewSubscription(n, fmt.Sprintf("/epuck%d/scan", i+1), ros2.SensorDataQoS(), func(*sensor_msgs.LaserScan, ros2.MessageInfo) { got.scan[i]++ })
			must(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var group task.Group
		group.Go("simulation", func() {
			load := rand.New(rand.NewPCG(1, 2))
			if err := clock.Run(ctx, func() error {
				age := s.Elapsed()
				err := f.Step()
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
		must(f.Close())
		must(n.Close())
		must(outside.Close())
		must(transport.Close())
	})
	return got
}

// At every level and real-time factor, also on a busy machine, N simulated seconds give exactly 20 N messages of
// odometry and of the scan for each robot, and the same bytes on the buses and in all messages as a run in real time.
func TestEveryFactorGivesTheRunOfRealTime(t *testing.T) {
	robots, length := 8, 20*time.Second
	if testing.Short() {
		robots, length = 3, 5*time.Second
	}
	for _, level := range []string{world.LevelFirmware, world.LevelFunctional} {
		first := runFleet(t, level, robots, 1, length, false)
		for i := range robots {
			if want := 20 * int(length.Seconds()); first.odom[i] != want || first.scan[i] != want {
				t.Errorf("%s: robot %d: %d messages on odom and %d on scan, want %d", level, i+1, first.odom[i], first.scan[i], want)
			}
		}
		for _, factor := range []float64{0.5, 5, 20, 100, math.Inf(1)} {
			for _, busy := range []bool{false, true} {
				got := runFleet(t, level, robots, factor, length, busy)
				if fmt.Sprint(got.odom, got.scan) != fmt.Sprint(first.odom, first.scan) || got.hash != first.hash {
					t.Errorf("%s at factor %g (busy: %v): %d odom, %d scan, trace %.8s; in real time %d, %d, %.8s",
						level, factor, busy, got.odom, got.scan, got.hash, first.odom, first.scan, first.hash)
				}
				if busy && factor >= 5 && !math.IsInf(factor, 1) && got.late == 0 {
					t.Errorf("%s at factor %g: a busy machine is not late", level, factor)
				}
			}
		}
	}
}
