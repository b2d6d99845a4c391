// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// TestClockIsSetWhileDriving: a wall clock that is set by an hour is logged once with the size, and after 10 s again
// with the changes meanwhile; the robot keeps driving and no message is missing. The virtual machine's tests do it
// with a real clock.
func TestClockIsSetWhileDriving(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{noStart: true})
		var ahead atomic.Int64
		r.driver.wall.Wall = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		r.run()
		odom := listenTo[nav_msgs.Odometry](r, "odom")
		r.drive(0.1, 0, 2*time.Second)
		if n := r.log.count("clock was set"); n != 0 {
			t.Errorf("%d lines before", n)
		}
		before := len(odom())
		ahead.Store(int64(time.Hour))
		r.drive(0.1, 0, 5*time.Second)
		if n := r.log.count("by=1h0m0s"); n != 1 {
			t.Errorf("%d lines\n%s", n, r.log)
		}
		ahead.Store(0)
		r.drive(0.1, 0, time.Second)
		ahead.Store(-int64(time.Hour))
		r.drive(0.1, 0, 9*time.Second)
		if n := r.log.count("by=-2h0m0s"); n != 1 || r.log.count("clock was set") != 2 {
			t.Errorf("%d lines\n%s", n, r.log)
		}
		if n := len(odom()) - before; n < 299 || n > 301 {
			t.Errorf("%d messages of odom in 15 s", n)
		}
		if x := last(r, odom).Pose.Pose.Position.X; math.Abs(x-1.7) > 0.02 {
			t.Errorf("drove %v m of 1.7", x)
		}
		r.halt()
		if log := r.log.String(); strings.Contains(log, "does not answer") || r.driver.Status().Overruns != 0 {
			t.Errorf("%s", log)
		}
	})
}

// The time of a simulation is not compared with the computer's: what happens in a run does not depend on that.
func TestDriverOnASimulatedClockIgnoresTheComputersClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for clock, want := range map[ros2.Clock]bool{ros2.SystemClock(): true, jumpingClock{ros2.SystemClock(), new(atomic.Int64)}: false} {
			r := newRig(t, rigOptions{noStart: true, clock: clock})
			if got := r.driver.wall != nil; got != want {
				t.Errorf("with a %T the driver watches the computer's clock: %v", clock, got)
			}
			r.run()
			r.halt()
		}
	})
}

// jumpingClock is a clock without a monotonic reading, which is set: what a driver sees where the system has none.
type jumpingClock struct {
	ros2.Clock
	ahead *atomic.Int64
}

func (c jumpingClock) Now() time.Time {
	return time.Now().Round(0).Add(time.Duration(c.ahead.Load()))
}

// TestEveryClockIsSetWhileDriving: when the driver's own clock jumps, the wheels still stop after the commands,
// missed cycles are not repeated, stamps have the new time, and the pose does not jump.
func TestEveryClockIsSetWhileDriving(t *testing.T) {
	for _, jump := range []time.Duration{time.Hour, -time.Hour} {
		t.Run(jump.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var ahead atomic.Int64
				r := newRig(t, rigOptions{clock: jumpingClock{ros2.SystemClock(), &ahead}})
				odom := listenTo[nav_msgs.Odometry](r, "odom")
				r.drive(0.1, 0, 2*time.Second)
				time.Sleep(30 * time.Millisecond) // between two cycles, while the loop waits
				ahead.Store(int64(jump))
				before, cycles := len(odom()), r.driver.Status().Bus.Exchanges
				r.drive(0.1, 0, 3*time.Second)
				r.halt()
				r.wantAtRest()
				if n := r.driver.Status().Bus.Exchanges - cycles; n < 60 || n > 400 {
					t.Errorf("%d exchanges in 3 s and a stop", n)
				}
				m := last(r, odom)
				if off := m.Header.Stamp.Time().Sub(time.Now().Add(jump)).Abs(); off > time.Second {
					t.Errorf("the stamp is %v off", off)
				}
				if n := len(odom()) - before; n < 50 {
					t.Errorf("%d messages of odom in 3 s", n)
				}
				r.wantPose(0.02, 10*stepRadians)
			})
		})
	}
}
