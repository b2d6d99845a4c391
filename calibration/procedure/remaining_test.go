// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"testing"
	"time"
)

// The time that is left follows from the steps that this run of the program has done.
func TestRemainingTime(t *testing.T) {
	began := time.Unix(1000, 0)
	for _, c := range []struct {
		first, done, all float64
		took             time.Duration
		want             string
	}{
		{0, 0, 10, 0, ""},
		{0, 1, 10, 10 * time.Second, ", about 90 s left"},
		{0, 5, 10, 10 * time.Minute, ", about 10 min left"},
		{4, 6, 10, time.Minute, ", about 2 min left"},
		{4, 4, 10, time.Minute, ""},
		{0, 10, 10, time.Minute, ""},
		{0, 1.5, 3, 15 * time.Second, ", about 15 s left"},
	} {
		var r remaining
		if text := r.after(c.first, c.all, began); text != "" {
			t.Errorf("%+v: %q before the first step", c, text)
		}
		if got := r.after(c.done, c.all, began.Add(c.took)); got != c.want {
			t.Errorf("%+v: %q, want %q", c, got, c.want)
		}
	}
}
