// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
	"time"
)

// TestSignalsEndTheAcceptanceTest: the keys of a terminal, its end and a second signal neither suspend nor kill the
// program, whose robot's wheels may turn; it ends in order and writes the report of what it has measured.
func TestSignalsEndTheAcceptanceTest(t *testing.T) {
	for name, signals := range map[string][]syscall.Signal{
		"Ctrl-C twice": {syscall.SIGINT, syscall.SIGINT, syscall.SIGINT}, "Ctrl-Z": {syscall.SIGTSTP}, "Ctrl-Backslash": {syscall.SIGQUIT},
		"closed terminal": {syscall.SIGHUP, syscall.SIGTERM},
	} {
		t.Run(name, func(t *testing.T) {
			for try := 1; !interrupted(t, signals); try++ {
				if try == 5 {
					t.Fatal("it ran to its end each time")
				}
			}
		})
	}
}

// interrupted sends signals to a test that has begun, and reports whether they arrived before its end.
func interrupted(t *testing.T, signals []syscall.Signal) bool {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.zip")
	cmd := prepare(t).command("acceptance", "--simulated", "--output", file)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	suspended := time.AfterFunc(hopeless, func() { _ = cmd.Process.Kill() })
	defer suspended.Stop()
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range signals {
		if err := cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
	}
	rest, err := io.ReadAll(lines)
	if err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // whose status is looked at
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Exited() {
		t.Errorf("%v after\n%s%s", cmd.ProcessState, first, rest)
	}
	if list, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*")); err != nil || len(list) != 1 || list[0] != file {
		t.Errorf("files: %q, %v", list, err)
	}
	return t.Failed() || regexp.MustCompile(`(?m)^[0-9] checks passed`).Match(rest) // of the 12
}

// TestReportWithoutAFolder: a test whose report cannot be written does not begin, and a device keeps its name.
func TestReportWithoutAFolder(t *testing.T) {
	device := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(device, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{filepath.Join(t.TempDir(), "missing", "report.zip"), device, t.TempDir()} {
		cmd := prepare(t).command("acceptance", "--simulated", "--output", name)
		if out, err := cmd.Output(); err == nil || len(out) > 0 {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
	if info, err := os.Stat(device); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("%v, %v", info, err)
	}
}
