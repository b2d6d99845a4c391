// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package machine

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const endless = `int main(void) { for (;;) __asm__ volatile("nop"); }`

// TestRunsEndlessly is no test: it is the program that TestKilled kills.
func TestRunsEndlessly(t *testing.T) {
	program := os.Getenv("EPUCK_TEST_ENDLESS")
	if program == "" {
		t.Skip("for TestKilled")
	}
	r, m := rack(t, config(t))
	start(t, m, program)
	fmt.Println("pid", m.programs[0].pid())
	for {
		if err := r.Advance(t.Context(), r.reached+time.Second); err != nil {
			t.Fatal(err)
		}
	}
}

// TestKilled: a simulation that is killed leaves no emulated program behind.
func TestKilled(t *testing.T) {
	program := compiled(t, endless)
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestRunsEndlessly$", "-test.v")
	cmd.Env = append(os.Environ(), "EPUCK_TEST_ENDLESS="+program)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := 0
	for lines := bufio.NewScanner(out); pid == 0 && lines.Scan(); {
		if _, number, ok := strings.Cut(lines.Text(), "pid "); ok {
			if pid, err = strconv.Atoi(number); err != nil {
				t.Fatal(err)
			}
		}
	}
	child, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		t.Fatalf("program %d: %v", pid, err)
	}
	defer func() { _ = unix.Close(child) }()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	fds := []unix.PollFd{{Fd: int32(child), Events: unix.POLLIN}}
	if n, err := unix.Poll(fds, 60000); err != nil || n != 1 {
		t.Errorf("program %d lives on: %d, %v", pid, n, err)
	}
}

// TestPrograms that don't begin, end at once, are too many, or are ended by their context.
func TestPrograms(t *testing.T) {
	program := compiled(t, `int main(void) { return 4; }`)
	cfg := config(t)
	r, m := rack(t, cfg)
	if err := m.Start(Program{}); !errors.Is(err, ErrStart) {
		t.Errorf("no name: %v", err)
	}
	if err := m.Start(Program{Args: []string{"/nothing/there"}}); !errors.Is(err, ErrStart) {
		t.Errorf("no file: %v", err)
	}
	start(t, m, program)
	if s := m.Status(); len(s) != 1 || s[0].Ended || !m.Running() || s[0].For != 0 {
		t.Errorf("before its time: %+v", s)
	}
	finish(t, r, time.Second)
	if s := m.Status()[0]; !s.Ended || s.Exit != 4 || s.Name != "program" || m.now() == 0 {
		t.Errorf("%+v", s)
	}
	if err := m.Signal(15); err != nil {
		t.Errorf("a signal for nothing: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Advance(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	m.started = maxPrograms
	if err := m.Start(Program{Args: []string{program}}); !errors.Is(err, errFull) {
		t.Errorf("%v", err)
	}
}

// TestAborts: a program that a signal ends is an ended one.
func TestAborts(t *testing.T) {
	program := compiled(t, `#include <stdlib.h>
int main(void) { abort(); }`)
	r, m := rack(t, config(t))
	start(t, m, program)
	finish(t, r, time.Second)
	if s := m.Status()[0]; !s.Ended || s.Exit != -1 {
		t.Errorf("%+v", s)
	}
}
