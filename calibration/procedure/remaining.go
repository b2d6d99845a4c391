// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"fmt"
	"math"
	"time"
)

// remaining estimates the remaining time of a procedure of equal steps from the mean duration of the steps so far.
// The zero value starts at the first call of after.
type remaining struct {
	began time.Time
	first int // steps that were done in an earlier run of the program
}

// after returns the end of a progress line, such as ", about 3 min left"; it is empty before the first step is done.
func (r *remaining) after(done, all float64, now time.Time) string {
	if r.began.IsZero() {
		r.began, r.first = now, int(done)
	}
	steps := done - float64(r.first)
	if steps <= 0 || all <= done {
		return ""
	}
	return ", " + remainingText(time.Duration(float64(now.Sub(r.began))/steps*(all-done)))
}

// remainingText formats a remaining time: in seconds up to two minutes, else in minutes.
func remainingText(d time.Duration) string {
	if d < 2*time.Minute {
		return fmt.Sprintf("about %.0f s left", math.Ceil(d.Seconds()))
	}
	return fmt.Sprintf("about %.0f min left", math.Ceil(d.Minutes()))
}
