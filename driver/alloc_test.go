// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"runtime/debug"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// stillClock is the simulation's own clock as the driver's: time passes only through transfers and advance.
type stillClock struct{ *sim.Clock }

func (stillClock) NewTimer(time.Duration) ros2.Timer { return ros2.SystemClock().NewTimer(0) }

// steppedRig is a driver whose cycles the caller makes, on simulated time.
func steppedRig(t testing.TB, o rigOptions) (r *rig, cycle func()) {
	clock := stillClock{sim.NewClock()}
	o.clock, o.noStart = clock, true
	o.sim.Now, o.sim.Sleep = clock.Now, clock.Sleep
	r = newRig(t, o)
	return r, func() {
		if err := r.driver.Step(); err != nil {
			t.Fatal(err)
		}
		clock.Sleep(50 * time.Millisecond)
	}
}

// The same with every part of the robot and all of their topics; the board's bus is served in the same step.
func TestNoAllocationPerCycleWithEveryPart(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	r, cycle := steppedRig(t, rigOptions{world: "arena", parts: true, board: true, args: "-p cmd_vel_timeout:=0.0 -p imu_rate:=100.0"})
	subscribeAll(r)
	r.command(0.02, 1)
	for range 200 {
		cycle()
	}
	if n := testing.AllocsPerRun(400, cycle); n != 0 {
		t.Errorf("%v allocations per cycle", n)
	}
	s := r.driver.Status()
	if s.V == 0 || s.Subscribed() != len(s.Topics) {
		t.Errorf("the test is inconclusive: %v m/s, %d of %d topics", s.V, s.Subscribed(), len(s.Topics))
	}
	built := messagesBuilt(s)
	for _, topic := range []string{"imu", "tof", "gs0", "gs2", "mag", "battery_state", "/diagnostics"} {
		if built[topic] < 10 {
			t.Errorf("%d messages on %s", built[topic], topic)
		}
	}
}
