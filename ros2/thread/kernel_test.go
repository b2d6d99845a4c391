// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package thread_test

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/ros2/thread"
)

// The kernel reports what was applied: policy, priority and processors, of the one thread only.
func TestApplyIsWhatTheKernelReports(t *testing.T) {
	for _, c := range []thread.Config{
		{Policy: thread.FIFO, Priority: 3, CPUs: []int{0}},
		{Policy: thread.RoundRobin, Priority: 5},
		{Policy: thread.Deadline, Runtime: time.Millisecond, Deadline: 10 * time.Millisecond, Period: 20 * time.Millisecond},
	} {
		onThread(func() {
			err := c.Apply()
			if errors.Is(err, thread.ErrPermission) || errors.Is(err, unix.EBUSY) {
				// Containers may lack the capability: the error says which, and TestErrorNamesTheCapability asserts it.
				t.Logf("%v: %v", c.Policy, err)
				return
			}
			if err != nil {
				t.Errorf("%v: %v", c.Policy, err)
				return
			}
			attr, err := unix.SchedGetAttr(0, 0)
			if err != nil {
				t.Error(err)
				return
			}
			want := map[thread.Policy]uint32{thread.FIFO: unix.SCHED_FIFO, thread.RoundRobin: unix.SCHED_RR, thread.Deadline: unix.SCHED_DEADLINE}
			if attr.Policy != want[c.Policy] || int(attr.Priority) != c.Priority || time.Duration(attr.Runtime) != c.Runtime {
				t.Errorf("%+v: the kernel says %+v", c, attr)
			}
			var set unix.CPUSet
			if err := unix.SchedGetaffinity(0, &set); err != nil || len(c.CPUs) > 0 && (set.Count() != 1 || !set.IsSet(0)) {
				t.Errorf("%+v: %d processors, %v", c, set.Count(), err)
			}
		})
	}
	if attr, err := unix.SchedGetAttr(0, 0); err != nil || attr.Policy != unix.SCHED_NORMAL {
		t.Errorf("another thread: %+v, %v", attr, err)
	}
}

// The error for a user without the capability names it.
func TestErrorNamesTheCapability(t *testing.T) {
	if runtime.GOARCH == "arm" {
		t.Skip("starts this program, which may be emulated")
	}
	if os.Getenv("THREAD_TEST_UNPRIVILEGED") != "" {
		onThread(func() {
			err := thread.Config{Policy: thread.FIFO, Priority: 10}.Apply()
			if !errors.Is(err, thread.ErrPermission) || !errors.Is(err, unix.EPERM) || !strings.Contains(err.Error(), "CAP_SYS_NICE") {
				t.Errorf("priority: %v", err)
			}
			err = thread.Config{LockMemory: true}.Apply()
			if !errors.Is(err, thread.ErrPermission) || !strings.Contains(err.Error(), "CAP_IPC_LOCK") {
				t.Errorf("memory: %v", err)
			}
		})
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// setpriv and prlimit are in Debian's util-linux, which is essential. With all capabilities and limits dropped the
	// system refuses, for root, too.
	cmd := exec.Command("prlimit", "--rtprio=0:0", "--memlock=0:0", "setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs",
		exe, "-test.run=^TestErrorNamesTheCapability$", "-test.v")
	cmd.Env = append(os.Environ(), "THREAD_TEST_UNPRIVILEGED=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
