// SPDX-License-Identifier: Apache-2.0

package clockwatch_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/clockwatch"
)

// TestJumpsAreLogged: each with its size, those that follow within 10 s together; a clock that is slewed is none.
func TestJumpsAreLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var text bytes.Buffer
		w := clockwatch.New(slog.New(slog.NewTextHandler(&text, nil)), "the clock was set")
		ahead := time.Duration(0)
		w.Wall = func() time.Time { return time.Now().Add(ahead) }
		check := func(by time.Duration, line string) {
			t.Helper()
			text.Reset()
			ahead += by
			w.Check()
			time.Sleep(50 * time.Millisecond)
			if got := text.String(); line == "" && got != "" || !strings.Contains(got, line) || strings.Count(got, "\n") > 1 {
				t.Errorf("by %v: %q, want %q", by, got, line)
			}
		}
		check(0, "")
		for range 1000 {
			check(clockwatch.LeastJump/10, "")
		}
		check(time.Hour, "by=1h0m0s")
		check(0, "")
		check(-2*time.Hour, "")
		check(time.Minute, "")
		time.Sleep(10 * time.Second)
		check(0, "by=-1h59m0s")
		time.Sleep(time.Minute)
		check(-clockwatch.LeastJump, "by=-200ms")
		if n := testing.AllocsPerRun(100, func() { w.Check() }); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}
