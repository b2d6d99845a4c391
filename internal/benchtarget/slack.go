// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"
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

// asService calls start, which starts a program, on a thread that has the timer slack of the service: a program
// inherits it from the thread that starts it.
func (t tools) asService(start func() error) (err error) {
	if t.slack == 0 {
		return start()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_TIMERSLACK, uintptr(t.slack.Nanoseconds()), 0, 0, 0); err != nil {
		return os.NewSyscallError("prctl", err)
	}
	defer func() { err = errors.Join(err, unix.Prctl(unix.PR_SET_TIMERSLACK, 0, 0, 0, 0)) }() // the usual one
	return start()
}
