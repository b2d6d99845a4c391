// SPDX-License-Identifier: Apache-2.0

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

// errUnit is returned when the service's unit does not say what is looked for.
var errUnit = errors.New("benchtarget: the unit has no such key")

// unitSlack reads TimerSlackNSec of a unit.
func unitSlack(path string) (time.Duration, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	const key = "TimerSlackNSec="
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), key); ok {
			return time.ParseDuration(value)
		}
	}
	return 0, fmt.Errorf("%w: %s in %s", errUnit, key, path)
}

// slackOfUnit is the slack that the unit gives the driver's timers.
func slackOfUnit(ctx context.Context) (time.Duration, error) {
	top, err := folder(ctx)
	if err != nil {
		return 0, err
	}
	return unitSlack(filepath.Join(top, "deploy", "systemd", "epuck-driver.service"))
}

// asService calls start, which starts a program, on a thread that has the timer slack of the service: a program
// inherits it from the thread that starts it.
func (t tools) asService(start func() error) (err error) {
	if t.slack == 0 {
		return start()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := setSlack(t.slack); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, setSlack(0)) }() // the usual one
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
