// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// OnCycle is called for each cycle, whether or not the robot answers, and not when the loop hangs.
func TestOnCycleFollowsEachCycle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var answered, missed int
		var last time.Time
		var longest time.Duration
		r := newRig(t, rigOptions{config: func(c *Config) {
			c.OnCycle = func(ok bool) {
				mu.Lock()
				defer mu.Unlock()
				if ok {
					answered++
				} else {
					missed++
				}
				if !last.IsZero() {
					longest = max(longest, time.Since(last))
				}
				last = time.Now()
			}
		}})
		time.Sleep(10*time.Second + time.Millisecond)
		synctest.Wait()
		mu.Lock()
		if answered < 199 || answered > 202 || missed != 0 {
			t.Errorf("%d and %d signs in 10 s at 20 Hz", answered, missed)
		}
		mu.Unlock()
		r.must(r.robot.Faults().Hold(vbus.Fault{Kind: vbus.NAK}))
		time.Sleep(20 * time.Second)
		synctest.Wait()
		mu.Lock()
		if missed < 20 || longest > 1200*time.Millisecond {
			t.Errorf("%d signs in 20 s without an answer, %v apart at most", missed, longest)
		}
		mu.Unlock()
		r.must(r.robot.Faults().Hold(vbus.Fault{}))
		r.must(r.end())
		synctest.Wait()
		was := answered // no more writes come
		time.Sleep(5 * time.Second)
		if answered != was {
			t.Error("signs of life after the end")
		}
	})
}
