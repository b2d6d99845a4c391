// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2/thread"
)

// threadRig starts a driver whose thread is configured by a fake system, which returns an error for what it refuses,
// and returns what was applied and the control loop's status after three seconds.
func threadRig(t *testing.T, args string, system func(thread.Config) error) (*rig, []thread.Config, *diagnostic_msgs.DiagnosticStatus) {
	t.Helper()
	r := newRig(t, rigOptions{args: args, noStart: true})
	reports := listenTo[diagnostic_msgs.DiagnosticArray](r, "/diagnostics")
	var applied []thread.Config
	r.driver.apply = func(c thread.Config) error {
		applied = append(applied, c)
		return system(c)
	}
	r.run()
	time.Sleep(3 * time.Second)
	synctest.Wait()
	if n := r.driver.Status().Bus.Exchanges; n < 50 {
		t.Errorf("%q: %d exchanges in three seconds", args, n)
	}
	s := statusOf(r, last(r, reports), health.StatusLoop)
	return r, applied, &s
}

// value returns a value of a status, empty if it does not have it.
func value(s *diagnostic_msgs.DiagnosticStatus, key string) string {
	for _, v := range s.Values {
		if v.Key == key {
			return v.Value
		}
	}
	return ""
}

func TestThreadIsConfiguredByParameters(t *testing.T) {
	for _, c := range []struct {
		args string
		want []thread.Config
		text string // in /diagnostics
	}{
		{"", nil, ""},
		{"-p thread_policy:=rr", nil, ""},
		{"-p thread_priority:=40", []thread.Config{{Policy: thread.FIFO, Priority: 40}}, "SCHED_FIFO 40"},
		{"-p thread_priority:=1 -p thread_policy:=rr", []thread.Config{{Policy: thread.RoundRobin, Priority: 1}}, "SCHED_RR 1"},
		{
			"-p thread_priority:=99 -p cpu_affinity:=[1,3] -p lock_memory:=true",
			[]thread.Config{{LockMemory: true}, {CPUs: []int{1, 3}}, {Policy: thread.FIFO, Priority: 99}},
			"SCHED_FIFO 99, CPUs [1 3], memory locked",
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			_, applied, s := threadRig(t, c.args, func(thread.Config) error { return nil })
			if got := fmt.Sprint(applied); got != fmt.Sprint(c.want) {
				t.Errorf("%q: applied %v, want %v", c.args, got, c.want)
			}
			if text := value(s, "thread"); text != c.text {
				t.Errorf("%q: /diagnostics says %q", c.args, text)
			}
			if slices.Contains(codes(*s), "loop.thread") {
				t.Errorf("%q: %+v", c.args, s)
			}
		})
	}
}

// A system that refuses the priority: the processors are set, the loop drives, and log and /diagnostics name the
// capability.
func TestRefusedThreadNamesTheCapability(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, applied, s := threadRig(t, "-p thread_priority:=50 -p cpu_affinity:=[0] -p lock_memory:=true", func(c thread.Config) error {
			switch {
			case c.Policy != thread.Other:
				return fmt.Errorf("%w: SCHED_FIFO needs CAP_SYS_NICE", thread.ErrPermission)
			case c.LockMemory:
				return fmt.Errorf("%w: locking needs CAP_IPC_LOCK", thread.ErrPermission)
			}
			return nil
		})
		if len(applied) != 3 {
			t.Errorf("applied %v", applied)
		}
		text := value(s, "refused by the system")
		if !strings.Contains(text, "CAP_SYS_NICE") || !strings.Contains(text, "CAP_IPC_LOCK") ||
			!slices.Contains(codes(*s), "loop.thread") || s.Level != diagnostic_msgs.DiagnosticStatusWarn {
			t.Errorf("/diagnostics: %+v", s)
		}
		if r.log.count("ERROR the control loop runs without some") != 1 {
			t.Errorf("log:\n%s", r.log)
		}
		r.command(0.05, 0)
		time.Sleep(200 * time.Millisecond)
		if r.driver.Status().V == 0 {
			t.Error("the loop does not drive")
		}
	})
}

// A panic while the thread is configured ends the driver with an error, as one of the loop does.
func TestPanicOfTheLoopsThread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{args: "-p thread_priority:=50", noStart: true})
		r.driver.apply = func(thread.Config) error { panic("the system") }
		if err := r.driver.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "the system") {
			t.Errorf("Run: %v", err)
		}
	})
}
