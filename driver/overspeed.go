// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/handover"
)

// leastScale is the factor from which on a command counts as driven as it is: less than a motor step per second is
// missing.
const leastScale = 0.999

// overspeed notices commands that are scaled down because the robot can't drive as fast. Commands in a row that are
// scaled are one episode, which ends with a command that is not, or without one for handover.LogPause. It is safe for
// concurrent use.
type overspeed struct {
	mu    sync.Mutex
	until time.Time // the episode under way ends then; zero without one
	lines handover.Limiter
}

// begins reports whether a command that is scaled by a factor begins an episode that is to be logged.
func (o *overspeed) begins(now time.Time, scale float64) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if scale >= leastScale {
		o.until = time.Time{}
		return false
	}
	first := !now.Before(o.until) || o.until.Sub(now) > handover.LogPause // or the clock was set back
	if o.until = now.Add(handover.LogPause); !first {
		return false
	}
	if !o.lines.Allow(now) {
		o.until = time.Time{} // the next one may be logged
		return false
	}
	return true
}

// thousandths rounds a number for the log.
func thousandths(v float64) float64 { return math.Round(v*1000) / 1000 }
