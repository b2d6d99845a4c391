// SPDX-License-Identifier: Apache-2.0

//go:build injectpanic

package task

import (
	"fmt"
	"os"
	"time"
)

// Environment of a program that is built to show that a panic stops the wheels, whichever goroutine panics.
const (
	// envNames is the file to which the name of every goroutine is appended, behind "+" when it begins and "-" when it
	// ends.
	envNames = "EPUCK_TASK_NAMES"
	// envPanic is the name of the goroutine that panics once the file named by envTrigger exists.
	envPanic   = "EPUCK_TASK_PANIC"
	envTrigger = "EPUCK_TASK_TRIGGER"
)

// begin runs the work of a goroutine, or has it panic when the test says so.
func begin(name string, f func()) {
	writeLine("+" + name)
	defer writeLine("-" + name)
	if name != os.Getenv(envPanic) {
		f()
		return
	}
	ended := make(chan struct{})
	go func() { // the work continues meanwhile, so that the program is as it is when the panic comes
		defer close(ended)
		f()
	}()
	for {
		if _, err := os.Stat(os.Getenv(envTrigger)); err == nil {
			panic("injected")
		}
		select {
		case <-ended:
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func writeLine(line string) {
	if file, err := os.OpenFile(os.Getenv(envNames), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		fmt.Fprintln(file, line)
		_ = file.Close()
	}
}
