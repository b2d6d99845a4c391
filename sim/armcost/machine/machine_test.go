// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package machine

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// needs skips a test on the emulated robot, and fails it where tools are missing.
func needs(t testing.TB, tools ...string) {
	t.Helper()
	if runtime.GOARCH == "arm" {
		t.Skip("the emulator is for PCs, not for the emulated robot")
	}
	for _, tool := range append(tools, "gcc", "qemu-arm", "taskset") {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%v: scripts/setup.sh installs it (packages gcc, qemu-user, util-linux, gcc-arm-linux-gnueabi)", err)
		}
	}
}

// compiled makes an ARMv6 program of C.
func compiled(t testing.TB, text string) string {
	t.Helper()
	needs(t, "arm-linux-gnueabi-gcc")
	dir := t.TempDir()
	source, program := filepath.Join(dir, "program.c"), filepath.Join(dir, "program")
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "arm-linux-gnueabi-gcc", "-static", "-O1", "-marm", "-march=armv6", "-pthread",
		"-o", program, source).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// goProgram makes one of Go.
func goProgram(t testing.TB, text string) string {
	t.Helper()
	needs(t)
	dir := t.TempDir()
	source, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", program, source)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm", "GOARM=6", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// config is a machine's with the shipped parameters.
func config(t testing.TB) Config {
	t.Helper()
	p, err := armcost.Literature()
	if err != nil {
		t.Fatal(err)
	}
	plugin, err := armcost.BuildPlugin(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return Config{Plugin: plugin, Parameters: p, Files: t.TempDir()}
}

// rack is one with a machine, closed at the end.
func rack(t testing.TB, cfg Config) (*Rack, *Machine) {
	t.Helper()
	r := NewRack(time.Unix(1_000_000_000, 0), 1)
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	m, err := r.Add(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r, m
}

// start starts a program and returns what it writes.
func start(t testing.TB, m *Machine, args ...string) *bytes.Buffer {
	t.Helper()
	var out bytes.Buffer
	if err := m.Start(Program{Args: args, Out: &out, Err: &out}); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	return &out
}

// finish advances the time until all programs have ended.
func finish(t testing.TB, r *Rack, limit time.Duration) {
	t.Helper()
	for r.machines[0].Running() && r.reached < limit {
		if err := r.Advance(t.Context(), r.reached+10*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	if r.machines[0].Running() {
		t.Fatalf("it runs after %v: %+v", limit, r.machines[0].Status())
	}
	r.machines[0].Status() // waits for the last of what they wrote
}

const sleepProgram = `
#include <stdio.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  struct timespec a, b;
  clock_gettime(CLOCK_REALTIME, &a);
  sleep(100);
  clock_gettime(CLOCK_REALTIME, &b);
  printf("%ld %.3f\n", (long)a.tv_sec, (b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) * 1e-9);
  return 3;
}`

// TestSleep: a hundred simulated seconds pass, and much less of ours.
func TestSleep(t *testing.T) {
	program := compiled(t, sleepProgram)
	r, m := rack(t, config(t))
	out := start(t, m, program)
	begun := time.Now()
	finish(t, r, 101*time.Second)
	s := m.Status()[0]
	if got := strings.TrimSpace(out.String()); got != "1000000000 100.000" {
		t.Errorf("%q", got)
	}
	if s.Exit != 3 || s.For < 100*time.Second || s.For > 100*time.Second+10*time.Millisecond {
		t.Errorf("%+v", s)
	}
	t.Logf("100 simulated seconds in %v", time.Since(begun))
}
