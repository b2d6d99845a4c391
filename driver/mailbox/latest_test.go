// SPDX-License-Identifier: Apache-2.0

package mailbox_test

import (
	"sync"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/mailbox"
)

func TestLimiter(t *testing.T) {
	var l mailbox.Limiter
	epoch := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	const pause = mailbox.LogPause
	for _, c := range []struct {
		at   time.Duration
		want bool
	}{{0, true}, {0, false}, {pause - 1, false}, {pause, true}, {pause + 1, false}, {-time.Hour, true}, {-time.Hour + 1, false}} {
		if got := l.Allow(epoch.Add(c.at)); got != c.want {
			t.Errorf("at %v: %v, want %v", c.at, got, c.want)
		}
	}
}

// TestLatest: reads return the newest value, also while another goroutine writes.
func TestLatest(t *testing.T) {
	var l mailbox.Latest[[2]int]
	if got := l.Get(); got != [2]int{} {
		t.Errorf("before the first: %v", got)
	}
	var group sync.WaitGroup
	group.Go(func() {
		for i := range 1000 {
			l.Put([2]int{i, i})
		}
	})
	group.Go(func() {
		last := 0
		for range 1000 {
			if got := l.Get(); got[0] != got[1] || got[0] < last {
				t.Errorf("%v after %d", got, last)
			} else {
				last = got[0]
			}
		}
	})
	group.Wait()
	if got := l.Get(); got != [2]int{999, 999} {
		t.Errorf("%v is not the last", got)
	}
}
