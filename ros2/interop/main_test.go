// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// scratch is a directory for all tests, removed at the end.
var scratch string

// isolation is why this process has no separate network namespace, nil if it has one.
var isolation error

func TestMain(m *testing.M) {
	if played, err := playRole(); played {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if !insideNamespace() {
		code, err := runInNamespace()
		if err == nil {
			os.Exit(code)
		}
		isolation = err
	} else if err := setUpLoopback(); err != nil {
		isolation = err
	}
	if isolation != nil {
		fmt.Fprintln(os.Stderr, "interop: no private network:", isolation)
	}
	flag.Parse()
	err := flag.Set("test.parallel", "8") // parallel tests wait for other processes and their timers
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if scratch, err = os.MkdirTemp("", "epuck-interop"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	suite.VerifyNoLeaksThen(m, func(code int) {
		_ = os.RemoveAll(scratch)
		os.Exit(code)
	})
}

// unavailable fails a test whose requirements are missing on this machine.
func unavailable(t testing.TB, format string, args ...any) {
	t.Helper()
	t.Fatalf(format+" (scripts/setup.sh installs what is missing)", args...)
}

// needNamespace ends the test unless it runs in a private network.
func needNamespace(t testing.TB) {
	t.Helper()
	if isolation != nil {
		unavailable(t, "no private network namespace: %v", isolation)
	}
}
