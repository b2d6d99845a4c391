// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package studies

import (
	"testing"
	"time"
)

func TestRangesText(t *testing.T) {
	for want, list := range map[string][]int{
		"": nil, "3": {3}, "0-1": {0, 1}, "1, 3-5, 9": {1, 3, 4, 5, 9}, "1, 3, 5 and 3 more": {1, 3, 5, 7, 8, 10},
	} {
		if got := rangesText(list, 3); got != want {
			t.Errorf("%v: %q, want %q", list, got, want)
		}
	}
}

func TestBarText(t *testing.T) {
	for want, got := range map[string]string{
		"[                              ] 0 of 10 runs":            barText(0, 10, 0, time.Minute),
		"[###############               ] 5 of 10 runs, 1m0s left": barText(5, 10, 0, time.Minute),
		"[##################            ] 6 of 10 runs, 4m0s left": barText(6, 10, 5, time.Minute),
		"[##############################] 10 of 10 runs":           barText(10, 10, 5, time.Minute),
		"[##############################] 0 of 0 runs":             barText(0, 0, 0, 0),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
