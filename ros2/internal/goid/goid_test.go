// SPDX-License-Identifier: Apache-2.0

package goid

import (
	"strings"
	"sync"
	"testing"
)

func TestEachGoroutineHasItsNumber(t *testing.T) {
	var mu sync.Mutex
	seen := map[uint64]bool{Current(): true}
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			first, second := Current(), Current()
			mu.Lock()
			defer mu.Unlock()
			if first == 0 || first != second || seen[first] {
				t.Errorf("numbers %d and %d, known %v", first, second, seen[first])
			}
			seen[first] = true
		})
	}
	wg.Wait()
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		report string
		want   uint64
	}{
		{"goroutine 17 [running]:\nmain", 17},
		{"goroutine 18446744073709551615 [", 1<<64 - 1},
		{"goroutine 18446744073709551616 [", 0},
		{"goroutine 17", 0},
		{"goroutine x [", 0},
		{"", 0},
		{strings.Repeat("9", 64), 0},
	} {
		if got := parse([]byte(c.report)); got != c.want {
			t.Errorf("%q: %d, want %d", c.report, got, c.want)
		}
	}
}

func BenchmarkCurrent(b *testing.B) {
	for b.Loop() {
		Current()
	}
}
