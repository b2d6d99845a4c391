// SPDX-License-Identifier: Apache-2.0

//go:build linux

package thread_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/thread"
)

func TestValidateNamesTheField(t *testing.T) {
	for _, c := range []struct {
		cfg  thread.Config
		want string // "": valid
	}{
		{thread.Config{}, ""},
		{thread.Config{CPUs: []int{0, 1}, LockMemory: true}, ""},
		{thread.Config{Policy: thread.FIFO, Priority: 1}, ""},
		{thread.Config{Policy: thread.RoundRobin, Priority: 99}, ""},
		{thread.Config{Policy: thread.Deadline, Runtime: 1, Deadline: 1, Period: 1}, ""},
		{thread.Config{Policy: thread.FIFO}, "priority 0 of SCHED_FIFO"},
		{thread.Config{Policy: thread.FIFO, Priority: 100}, "priority 100"},
		{thread.Config{Priority: 1}, "priority 1 of SCHED_OTHER"},
		{thread.Config{Policy: 4}, "policy 4"},
		{thread.Config{Policy: -1}, "policy -1"},
		{thread.Config{Period: time.Second}, "period 1s of SCHED_OTHER"},
		{thread.Config{Policy: thread.Deadline, Runtime: 3, Deadline: 2, Period: 4}, "runtime 3ns, deadline 2ns"},
		{thread.Config{Policy: thread.Deadline, Runtime: 1, Deadline: 3, Period: 2}, "period 2ns"},
		{thread.Config{Policy: thread.Deadline}, "runtime 0s"},
		{thread.Config{Policy: thread.Deadline, Runtime: 1, Deadline: 1, Period: 1, CPUs: []int{0}}, "CPUs [0] of SCHED_DEADLINE"},
		{thread.Config{CPUs: []int{-1}}, "CPUs [-1]"},
		{thread.Config{CPUs: []int{1024}}, "CPUs [1024]"},
	} {
		err := c.cfg.Validate()
		switch {
		case c.want == "":
			if err != nil {
				t.Errorf("%+v: %v", c.cfg, err)
			}
		case !errors.Is(err, thread.ErrConfig) || !strings.Contains(err.Error(), c.want):
			t.Errorf("%+v: %v, want %q", c.cfg, err, c.want)
		}
		if err != nil {
			if applied := c.cfg.Apply(); !errors.Is(applied, thread.ErrConfig) {
				t.Errorf("%+v: applied: %v", c.cfg, applied)
			}
		}
	}
}

// onThread runs f on a thread of its own, which ends with it.
func onThread(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // without UnlockOSThread: the thread ends
		f()
	}()
	<-done
}

// Processors that the machine does not have are an error that names them.
func TestUnknownProcessor(t *testing.T) {
	onThread(func() {
		if err := (thread.Config{CPUs: []int{1023}}).Apply(); !errors.Is(err, thread.ErrConfig) || !strings.Contains(err.Error(), "1023") {
			t.Errorf("processor 1023: %v", err)
		}
	})
}
