// SPDX-License-Identifier: Apache-2.0

// Package memorylimit runs tests in processes whose memory the kernel bounds.
package memorylimit

import (
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"testing"
)

// variable is set in the process that runs the test.
const variable = "EPUCK_MEMORY_LIMIT"

// Run runs f in another process of the test's program that may have limit bytes of data beyond what it has at its start
// (RLIMIT_DATA, setrlimit(2)); where it needs more, it ends and the test fails. With the race detector, which keeps
// several bytes for each, it may have ten times as much. t is a test, no subtest.
func Run(t *testing.T, limit uint64, f func(t *testing.T)) {
	t.Helper()
	if os.Getenv(variable) != "" {
		restrict(t, limit)
		f(t)
		return
	}
	if !bounded {
		t.Skip("only Linux bounds a process's data")
	}
	if runtime.GOARCH == "arm" {
		t.Skip("an emulated program can't start itself: it runs on a PC")
	}
	args := []string{"-test.v", "-test.count=1", "-test.run=^" + regexp.QuoteMeta(t.Name()) + "$"}
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...) //nolint:gosec // it is this program
	cmd.Env = append(os.Environ(), variable+"=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.3000s", err, out)
	}
	if !regexp.MustCompile(`(?m)^--- PASS: ` + regexp.QuoteMeta(t.Name()) + ` `).Match(out) {
		t.Fatalf("the test has not run with its limit:\n%s", out)
	}
}
