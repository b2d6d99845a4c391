// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// settled is the run time after which the next failure of the driver counts as the first.
const settled = time.Minute

// backoff delays the starts of a service that fails repeatedly: no delay after the first failure, since the robot
// stands still meanwhile, then 1 s, 2 s, … 30 s. systemd can do this from version 254 on; the Raspberry Pi OS of this
// robot is older. The count is a file in the service's runtime directory, which systemd keeps while it restarts the
// service and removes when the service is stopped.
type backoff struct {
	path string // of the count; empty: not a service
	log  *slog.Logger
}

// newBackoff gets the runtime directory from the environment.
func newBackoff(log *slog.Logger) backoff {
	dir, _, _ := strings.Cut(os.Getenv("RUNTIME_DIRECTORY"), ":")
	if dir == "" {
		return backoff{log: log}
	}
	return backoff{path: filepath.Join(dir, "starts"), log: log}
}

// start counts a start, and waits for the delay that the previous failures require. The error is the context's.
func (b backoff) start(ctx context.Context, report func(text string, pause time.Duration)) error {
	if b.path == "" {
		return nil
	}
	failures := b.read()
	b.write(failures + 1)
	if failures < 2 {
		return nil
	}
	pause := min(firstPause<<min(failures-2, 10), lastPause)
	report(fmt.Sprintf("failed %d times in a row: starts in %v", failures, pause), pause)
	b.log.Warn("the service fails again and again", "failures", failures, "pause", pause)
	select {
	case <-time.After(pause):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// forget resets the count. It is called when the driver has run for a while, or has ended without an error.
func (b backoff) forget() {
	if b.path != "" {
		_ = os.Remove(b.path) // a file that can't be removed is overwritten
	}
}

// read returns the number of failed starts in sequence, 0 if the file is invalid.
func (b backoff) read() int {
	text, err := os.ReadFile(b.path)
	if err != nil {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// write stores the number. A full disk must not prevent the start.
func (b backoff) write(n int) {
	if err := os.WriteFile(b.path, []byte(strconv.Itoa(n)+"\n"), 0o640); err != nil {
		b.log.Warn("the starts can't be counted", "error", err)
	}
}
