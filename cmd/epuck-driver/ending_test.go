// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A command that does not return after it was told to end, because a service handler hangs for instance, is ended after
// three seconds: with a status and a line that say so, also where the terminal takes no line.
func TestHangingEndIsForced(t *testing.T) {
	for _, reader := range []string{"reads", "is stopped"} {
		t.Run("the terminal "+reader, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				terminal := &slowReader{free: make(chan struct{})}
				if reader == "reads" {
					close(terminal.free)
				}
				var ended time.Time
				status := -1
				p := &program{streams: streams{out: &bytes.Buffer{}, err: terminal, exit: func(n int) { ended, status = time.Now(), n }}}
				ctx, cancel := context.WithCancel(context.Background())
				p.detach(ctx)
				time.Sleep(time.Hour) // as long as it is to run it may
				synctest.Wait()
				if status >= 0 {
					t.Fatal("ended before it was told to")
				}
				told := time.Now()
				cancel()
				time.Sleep(time.Minute)
				synctest.Wait()
				if took := ended.Sub(told); status != exitFailed || took < endTime || took > endTime+time.Second {
					t.Errorf("exit status %d after %v", status, took)
				}
				if reader == "reads" && !strings.Contains(terminal.read(), "something hangs") {
					t.Errorf("it said %q", terminal.read())
				}
				if reader != "reads" {
					close(terminal.free)
				}
			})
		})
	}
}

// read gives what was read.
func (s *slowReader) read() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.got.String()
}
