// SPDX-License-Identifier: Apache-2.0

package tty

import (
	"context"
	"fmt"
	"math"
	"time"
)

// StatusPeriod is how often the status line is renewed: quick enough to look alive, slow enough to read.
const StatusPeriod = 200 * time.Millisecond

// NearestText is the distance of the nearest thing, m, +Inf for none.
func NearestText(m float64) string {
	if math.IsInf(m, 1) {
		return "–"
	}
	return fmt.Sprintf("%.0f mm", m*1000)
}

// ShowText keeps the status line current until ctx ends.
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
