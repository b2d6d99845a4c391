// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"bytes"
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/fixtures"
)

// A command that does not return after it was asked to end, because a service handler hangs for instance, is ended
// after three seconds: with a status and a line that say so, also where the terminal takes no line.
func TestHangingEndIsForced(t *testing.T) {
	for _, reader := range []string{"reads", "is stopped"} {
		t.Run("the terminal "+reader, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				terminal := &fixtures.SlowReader{Free: make(chan struct{})}
				if reader == "reads" {
					close(terminal.Free)
				}
				var ended time.Time
				status := -1
				p := &Program{Streams: Streams{Out: &bytes.Buffer{}, Err: terminal, Exit: func(n int) { ended, status = time.Now(), n }}}
				ctx, cancel := context.WithCancel(context.Background())
				p.Detach(ctx, nil)
				time.Sleep(time.Hour) // as long as it is to run it may
				synctest.Wait()
				if status >= 0 {
					t.Fatal("ended before it was asked to")
				}
				asked := time.Now()
				cancel()
				time.Sleep(time.Minute)
				synctest.Wait()
				if took := ended.Sub(asked); status != ExitFailed || took < endTime || took > endTime+time.Second {
					t.Errorf("exit status %d after %v", status, took)
				}
				if reader == "reads" && !strings.Contains(terminal.Read(), "the shutdown hangs") {
					t.Errorf("it said %q", terminal.Read())
				}
				if reader != "reads" {
					close(terminal.Free)
				}
			})
		})
	}
}

// TestEndWithProgressIsNotForced: an end may take as long as its progress changes within three seconds; three seconds
// after the last change the program is ended.
func TestEndWithProgressIsNotForced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ended time.Time
		var status atomic.Int64
		status.Store(-1)
		p := &Program{Streams: Streams{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}, Exit: func(n int) {
			ended = time.Now()
			status.Store(int64(n))
		}}}
		ctx, cancel := context.WithCancel(context.Background())
		var closed atomic.Uint64
		p.Detach(ctx, closed.Load)
		cancel()
		for range 10 {
			time.Sleep(endTime - endTime/endChecks)
			closed.Add(1)
		}
		synctest.Wait()
		if status.Load() >= 0 {
			t.Fatalf("exit status %d although the end makes progress", status.Load())
		}
		last := time.Now()
		time.Sleep(time.Minute)
		synctest.Wait()
		if took := ended.Sub(last); status.Load() != ExitFailed || took < endTime || took > endTime+time.Second {
			t.Errorf("exit status %d %v after the last progress", status.Load(), took)
		}
	})
}
