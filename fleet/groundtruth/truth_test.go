// SPDX-License-Identifier: Apache-2.0

package groundtruth_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/groundtruth"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// watched is a world of functional robots on a clock, with a view and a subscriber to each true pose.
type watched struct {
	clock  *simclock.Clock
	sim    *sim.Simulation
	stamps [][]time.Duration // of each robot, since the epoch
	poses  [][]sim.Pose
}

// watch makes a world of robots and calls f within its time, which runs until f returns. The machine takes cost for
// each step.
func watch(t *testing.T, robots int, factor float64, cost time.Duration, f func(w *watched)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		text := "robots:\n"
		for i := range robots {
			text += fmt.Sprintf("  - {name: r%d, level: functional, position: [%g, 0]}\n", i, 0.3*float64(i))
		}
		world, err := sim.ParseWorld([]byte(text))
		must(err)
		w := &watched{stamps: make([][]time.Duration, robots), poses: make([][]sim.Pose, robots)}
		w.clock, err = simclock.New(simclock.Config{Epoch: time.Unix(0, 0), Factor: factor})
		must(err)
		w.sim, err = sim.New(world, sim.Options{Now: w.clock.Now, Wait: w.clock.Wait, MaxCatchUp: -1})
		must(err)
		members := map[string]groundtruth.Robot{}
		for _, r := range w.sim.Robots() {
			members["/"+r.Name()] = r
		}
		network := ros2test.NewNetwork()
		node, err := ros2.NewNode(ros2.NodeConfig{Name: "simulation", Transport: network.NewTransport()})
		must(err)
		view, err := groundtruth.New(groundtruth.Config{
			Node: node, Clock: w.clock, Paused: func() bool { return w.clock.Factor() == 0 }, World: world, Simulation: w.sim, Robots: members,
		})
		must(err)
		user, err := ros2.NewNode(ros2.NodeConfig{Name: "user", Transport: network.NewTransport()})
		must(err)
		for i := range robots {
			_, err := ros2.NewSubscription(user, fmt.Sprintf("/r%d/ground_truth", i), ros2.DefaultQoS().WithDepth(1000), func(m *nav_msgs.Odometry, _ ros2.MessageInfo) {
				at := time.Duration(m.Header.Stamp.Sec)*time.Second + time.Duration(m.Header.Stamp.Nanosec)
				w.stamps[i] = append(w.stamps[i], at)
				w.poses[i] = append(w.poses[i], sim.Pose{X: m.Pose.Pose.Position.X, Y: m.Pose.Pose.Position.Y})
			})
			must(err)
		}
		synctest.Wait() // all are matched
		ctx, cancel := context.WithCancel(t.Context())
		var group task.Group
		group.Go("simulation", func() {
			if err := w.clock.Run(ctx, func() error {
				w.sim.Elapsed()
				time.Sleep(cost)
				return nil
			}); err != nil {
				t.Error(err)
			}
		})
		f(w)
		cancel()
		group.Wait()
		synctest.Wait()
		must(errors.Join(view.Close(), user.Close(), node.Close()))
	})
}

// N simulated seconds give exactly 20 N true poses of each robot, at the multiples of 50 ms, at every real-time factor
// and on a machine that takes twice the time that there is.
func TestTruePosesHaveTheirRateInSimulatedTime(t *testing.T) {
	const seconds, robots = 10, 3
	for _, factor := range []float64{1, 20, math.Inf(1)} {
		for _, cost := range []time.Duration{time.Millisecond, 20 * time.Millisecond} {
			watch(t, robots, factor, cost, func(w *watched) {
				w.clock.Sleep(seconds * time.Second)
				for w.clock.Now().Sub(time.Unix(0, 0)) < seconds*time.Second+50*time.Millisecond {
					w.clock.Sleep(50 * time.Millisecond)
				}
				synctest.Wait()
				for i, stamps := range w.stamps {
					n := 0
					for n < len(stamps) && stamps[n] == time.Duration(n+1)*50*time.Millisecond {
						n++
					}
					if n != len(stamps) || n < 20*seconds {
						t.Errorf("factor %g, %v a step: robot %d has %d poses, %d of them at their time, want %d", factor, cost, i, len(stamps), n, 20*seconds)
					}
				}
			})
		}
	}
}

// While the clock is paused a new subscriber gets the robot's pose, and so do all when a robot has been moved, once.
func TestTruePosesOfAPausedWorldFollowItsChanges(t *testing.T) {
	watch(t, 2, 0, 0, func(w *watched) {
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(w.poses[0]) != 1 || len(w.poses[1]) != 1 {
			t.Errorf("%d and %d poses of a world at rest, want 1 each", len(w.poses[0]), len(w.poses[1]))
		}
		if err := w.sim.Robots()[1].Place(sim.Pose{X: 0.7, Y: 0.2}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(w.poses[0]) != 1 || len(w.poses[1]) != 2 || w.poses[1][1] != (sim.Pose{X: 0.7, Y: 0.2}) {
			t.Errorf("poses %v after a robot was moved", w.poses)
		}
	})
}
