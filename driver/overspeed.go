// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/mailbox"
)

// leastScale is the scale from which a command counts as unchanged: the difference is less than a motor step per
// second.
const leastScale = 0.999

// overspeed detects commands that are scaled down because they exceed the robot's speed. Consecutive scaled commands
// form one episode, which ends with a command that is not scaled, or without commands for mailbox.LogPause. It is
// safe for concurrent use.
type overspeed struct {
	mu    sync.Mutex
	until time.Time // end of the current episode; zero without one
	lines mailbox.Limiter
}

// begins reports whether a command that is scaled by a factor begins an episode that is to be logged.
func (o *overspeed) begins(now time.Time, scale float64) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if scale >= leastScale {
		o.until = time.Time{}
		return false
	}
	first := !now.Before(o.until) || o.until.Sub(now) > mailbox.LogPause // second condition: the clock was set back
	if o.until = now.Add(mailbox.LogPause); !first {
		return false
	}
	if !o.lines.Allow(now) {
		o.until = time.Time{} // the next episode may be logged
		return false
	}
	return true
}

// thousandths rounds a number for the log.
func thousandths(v float64) float64 { return math.Round(v*1000) / 1000 }
