// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/wheels"
)

// A caller that calls Serve at the times that it returns, and when it is woken, drives the robot as Run does: control
// cycles at their rate, a command within the gap of commands, requests, and the end of a motion by its timeout.
func TestServeAtItsTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var woken atomic.Bool
		cycles := 0
		r := newRig(t, rigOptions{noStart: true, args: "-p cmd_vel_timeout:=0.3", config: func(c *Config) {
			c.Woken = func() { woken.Store(true) }
			c.OnCycle = func(bool) { cycles++ }
		}})
		calls := 0
		var next time.Time
		serve := func(d time.Duration) {
			t.Helper()
			for end := time.Now().Add(d); time.Now().Before(end); {
				if woken.Swap(false) || !time.Now().Before(next) {
					calls++
					var err error
					next, err = r.driver.Serve()
					r.must(err)
				}
				time.Sleep(time.Millisecond)
			}
		}
		serve(2 * time.Second)
		if calls > cycles+2 || cycles < 39 || cycles > 41 {
			t.Errorf("%d cycles by %d calls in 2 s", cycles, calls)
		}
		for n := cycles; cycles == n; {
			serve(time.Millisecond)
		}
		r.driver.loop.Drive(wheels.Speeds{Left: 100, Right: 100})
		serve(wheels.MinCommandGap) // before the next control cycle
		if truth := r.robot.GroundTruth(); truth.LeftSpeed == 0 {
			t.Error("the wheels do not turn")
		}
		serve(400 * time.Millisecond)
		if truth := r.robot.GroundTruth(); truth.LeftSpeed != 0 {
			t.Error("the motion has not ended")
		}
		done := make(chan error, 1)
		go func() { done <- r.driver.ResetOdometry(context.Background()) }()
		synctest.Wait()
		serve(10 * time.Millisecond)
		select {
		case err := <-done:
			r.must(err)
		default:
			t.Error("the request waits")
		}
	})
}
