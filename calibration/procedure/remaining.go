// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"fmt"
	"math"
	"time"
)

// remaining estimates how long a procedure of equal steps still takes: as long a step as the steps so far took on
// average. The zero value begins with its first step.
type remaining struct {
	began time.Time
	first int // steps that were done before, in an earlier run of the program
}

// after returns what a progress line about a procedure with so many of all its steps done ends with:
// ", about 3 min left"; it is empty before the first step.
func (r *remaining) after(done, all float64, now time.Time) string {
	if r.began.IsZero() {
		r.began, r.first = now, int(done)
	}
	steps := done - float64(r.first)
	if steps <= 0 || all <= done {
		return ""
	}
	return ", " + leftText(time.Duration(float64(now.Sub(r.began))/steps*(all-done)))
}

// leftText says how long something still takes: seconds up to two minutes, else minutes.
func leftText(d time.Duration) string {
	if d < 2*time.Minute {
		return fmt.Sprintf("about %.0f s left", math.Ceil(d.Seconds()))
	}
	return fmt.Sprintf("about %.0f min left", math.Ceil(d.Minutes()))
}
