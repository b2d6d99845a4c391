// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

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
