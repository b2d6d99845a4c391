// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"errors"
	"testing"
)

// tests are a package's tests, which end with a status.
type tests int

func (t tests) Run() int { return int(t) }

// TestSlowGoroutinesAreNoLeaks: goroutines that end after goleak has given up are waited for.
func TestSlowGoroutinesAreNoLeaks(t *testing.T) {
	asked := 0
	code := patient{tests(0), func() error {
		if asked++; asked < 5 {
			return errors.New("a goroutine is running")
		}
		return nil
	}}.Run()
	if code != 0 || asked != 5 {
		t.Errorf("status %d after %d searches, want 0 after 5", code, asked)
	}
}

// TestFailedTestsAreNotWaitedFor: the status of failed tests is passed on at once.
func TestFailedTestsAreNotWaitedFor(t *testing.T) {
	code := patient{tests(3), func() error { t.Error("searched for leaks"); return nil }}.Run()
	if code != 3 {
		t.Errorf("status %d, want 3", code)
	}
}

// TestVerifyNoLeaksThen: the function is called with the status of tests that leave no goroutine.
func TestVerifyNoLeaksThen(t *testing.T) {
	got := -1
	VerifyNoLeaksThen(tests(3), func(code int) { got = code })
	if got != 3 {
		t.Errorf("status %d, want 3", got)
	}
}
