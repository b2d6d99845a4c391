// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package targetlevel

import (
	"context"
	"crypto/sha256"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// outcome is what a run has given: the hash of all poses and bytes on the buses, and the work of each computer.
func outcome(t *testing.T, robots int, length time.Duration, programs ...[]string) string {
	t.Helper()
	c := computers(t, robots, programs...)
	reports := advance(t, c, length)
	hash := c.World().TraceHash()
	if hash == ([sha256.Size]byte{}) {
		t.Fatal("there is no trace")
	}
	text := fmt.Sprintf("trace %.8x", hash)
	for _, r := range reports {
		text += fmt.Sprintf(", control %+v, share %v", r.Control, r.Share.Likely)
	}
	if err := c.End(context.Background()); err != nil {
		t.Fatal(err)
	}
	return text
}

// TestEqualRunsOfTheLevelTargetAreTheSame: also while other goroutines use all processors.
func TestEqualRunsOfTheLevelTargetAreTheSame(t *testing.T) {
	program, other := compiled(t, control), compiled(t, hog)
	runs := func() string { return outcome(t, 2, 600*time.Millisecond, []string{program, "15"}, []string{other}) }
	first := runs()
	for range 2 {
		if got := runs(); got != first {
			t.Errorf("%s\nthe first run: %s", got, first)
		}
	}
	defer loadProcessors()()
	if got := runs(); got != first {
		t.Errorf("under load: %s\nthe first run: %s", got, first)
	}
}

// loadProcessors lets two goroutines compute on each processor until end is called.
func loadProcessors() (end func()) {
	var over atomic.Bool
	var group task.Group
	for range 2 * runtime.GOMAXPROCS(0) {
		group.Go("load of the processors", func() {
			for x := uint32(1); !over.Load(); x = x*1664525 + 1013904223 {
			}
		})
	}
	return func() {
		over.Store(true)
		group.Wait()
	}
}
