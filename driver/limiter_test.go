// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"testing"
	"time"
)

func TestLimiter(t *testing.T) {
	var l limiter
	for _, c := range []struct {
		at   time.Duration
		want bool
	}{{0, true}, {0, false}, {logPause - 1, false}, {logPause, true}, {logPause + 1, false}, {-time.Hour, true}, {-time.Hour + 1, false}} {
		if got := l.allow(epoch.Add(c.at)); got != c.want {
			t.Errorf("at %v: %v, want %v", c.at, got, c.want)
		}
	}
}
