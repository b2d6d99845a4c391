// SPDX-License-Identifier: Apache-2.0

//go:build system

package armcost

import (
	"errors"
	"testing"
	"time"
)

// TestRun runs programs that end by themselves with a status, and one that only a signal ends.
func TestRun(t *testing.T) {
	needs(t, "gcc", "qemu-arm", "taskset", "arm-linux-gnueabi-gcc")
	const start = "\t.text\n\t.global _start\n_start:\n"
	for _, c := range []struct {
		name, text   string
		limit        time.Duration
		status       int
		instructions float64 // at least
	}{
		{"ends", "mov r7,#1\nmov r0,#0\nsvc #0\n", 0, 0, 3},
		{"fails", "mov r7,#1\nmov r0,#3\nsvc #0\n", 0, 3, 3},
		{"never ends", "1: add r5,r5,#1\nb 1b\n", 500 * time.Millisecond, -1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			p := Program{Args: []string{assembled(t, dir, start+c.text)}, For: c.limit}
			got, err := p.Run(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			if got.Status != c.status || len(got.Processes) != 1 || Sum(got.Processes[0].Threads).Events["instructions"] < c.instructions {
				t.Errorf("%+v", got)
			}
		})
	}
	if _, err := (Program{Args: []string{t.TempDir() + "/nothing"}}).Run(t.Context(), t.TempDir()); !errors.Is(err, errNoEnd) {
		t.Errorf("%v, want %v", err, errNoEnd)
	}
}
