// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Measured programs have the timer slack that systemd sets for the service on the robot.
func TestProgramsHaveTheSlackOfTheUnit(t *testing.T) {
	u, err := serviceUnit(t.Context())
	if err != nil || u.slack < 100*time.Microsecond {
		t.Fatalf("%+v: %v", u, err)
	}
	if env := (tools{service: u}).environment(); !slices.Contains(env, "GOGC=50") || slices.ContainsFunc(u.env, func(v string) bool { return strings.HasPrefix(v, "ROS") }) {
		t.Errorf("%q of %q", u.env, env)
	}
	for _, c := range []struct {
		slack time.Duration
		want  string
	}{{u.slack, "1000000"}, {0, "50000"}} {
		var out []byte
		err := tools{service: unit{slack: c.slack}}.asService(func() (err error) {
			out, err = exec.CommandContext(t.Context(), "cat", "/proc/self/timerslack_ns").Output()
			return err
		})
		if got := strings.TrimSpace(string(out)); err != nil || got != c.want {
			t.Errorf("slack %v: the program has %s ns, want %s: %v", c.slack, got, c.want, err)
		}
	}
}

func TestUnitWithoutSlack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.service")
	if err := os.WriteFile(path, []byte("[Service]\nNice=-5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readUnit(path); !errors.Is(err, errUnit) {
		t.Error(err)
	}
	if err := os.WriteFile(path, []byte("TimerSlackNSec=soon\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readUnit(path); err == nil {
		t.Error("a malformed time is accepted")
	}
	if _, err := readUnit(path + ".none"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
