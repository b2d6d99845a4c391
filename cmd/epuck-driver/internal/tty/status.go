// SPDX-License-Identifier: Apache-2.0

package tty

import (
	"context"
	"fmt"
	"math"
	"time"
)

// StatusPeriod is the period of the status line: short enough to look live, long enough to read.
const StatusPeriod = 200 * time.Millisecond

// NearestText formats the distance of the nearest obstacle, m; +Inf is none.
func NearestText(m float64) string {
	if math.IsInf(m, 1) {
		return "–"
	}
	return fmt.Sprintf("%.0f mm", m*1000)
}

// ShowText updates the status line periodically until ctx ends.
func ShowText(ctx context.Context, t *Terminal, text func() string) {
	tick := time.NewTicker(StatusPeriod)
	defer tick.Stop()
	for {
		t.SetStatus(text())
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
