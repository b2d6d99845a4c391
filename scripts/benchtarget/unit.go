// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// errUnit is returned when the service's unit lacks a required key.
var errUnit = errors.New("benchtarget: the unit has no such key")

// unit is the settings of the service's unit that influence the measurement.
type unit struct {
	slack time.Duration // of timers
	env   []string      // of Go's runtime
}

// readUnit reads a unit.
func readUnit(path string) (u unit, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return u, err
	}
	const slack, env = "TimerSlackNSec=", "Environment="
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if value, ok := strings.CutPrefix(line, slack); ok {
			if u.slack, err = time.ParseDuration(value); err != nil {
				return u, fmt.Errorf("%s in %s: %w", slack, path, err)
			}
		}
		if value, ok := strings.CutPrefix(line, env); ok && strings.HasPrefix(value, "GO") {
			u.env = append(u.env, value)
		}
	}
	if u.slack == 0 {
		return u, fmt.Errorf("%w: %s in %s", errUnit, slack, path)
	}
	return u, nil
}

// serviceUnit reads the driver's unit.
func serviceUnit(ctx context.Context) (unit, error) {
	top, err := folder(ctx)
	if err != nil {
		return unit{}, err
	}
	return readUnit(filepath.Join(top, "deploy", "systemd", "epuck-driver.service"))
}

// asService calls start, which starts a program, on a thread that has the timer slack of the service: a program
// inherits it from the thread that starts it.
func (t tools) asService(start func() error) (err error) {
	if t.service.slack == 0 {
		return start()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := setSlack(t.service.slack); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, setSlack(0)) }() // the default
	return start()
}

// setSlack sets the timer slack of this thread (prctl(2)).
func setSlack(d time.Duration) error {
	const prSetTimerslack = 29
	if _, _, err := syscall.RawSyscall(syscall.SYS_PRCTL, prSetTimerslack, uintptr(d.Nanoseconds()), 0); err != 0 {
		return os.NewSyscallError("prctl", err)
	}
	return nil
}
