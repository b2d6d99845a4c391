// SPDX-License-Identifier: Apache-2.0

package thread

import (
	"errors"
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"
)

// Apply configures the calling thread. The error matches [ErrConfig], or [ErrPermission] with the capability that is
// missing and the system's error.
func (c Config) Apply() error {
	if err := c.Validate(); err != nil {
		return err
	}
	if c.LockMemory {
		if err := unix.Mlockall(unix.MCL_CURRENT | unix.MCL_FUTURE | unix.MCL_ONFAULT); err != nil {
			return permission("locking the memory", "CAP_IPC_LOCK, or a greater limit \"memlock\" (ulimit -l)", err)
		}
	}
	if len(c.CPUs) > 0 {
		var set unix.CPUSet
		for _, n := range c.CPUs {
			set.Set(n)
		}
		if err := unix.SchedSetaffinity(0, &set); err != nil {
			return fmt.Errorf("%w: CPUs %v of %d: sched_setaffinity: %w", ErrConfig, c.CPUs, runtime.NumCPU(), err)
		}
	}
	if c.Policy == Other {
		return nil
	}
	err := unix.SchedSetAttr(0, &unix.SchedAttr{
		Policy: [...]uint32{unix.SCHED_NORMAL, unix.SCHED_FIFO, unix.SCHED_RR, unix.SCHED_DEADLINE}[c.Policy],
		Flags:  unix.SCHED_FLAG_RESET_ON_FORK, Priority: uint32(c.Priority),
		Runtime: uint64(c.Runtime), Deadline: uint64(c.Deadline), Period: uint64(c.Period),
	}, 0)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.EBUSY):
		return fmt.Errorf("thread: %v: the processors have no time left for %v of %v: %w", c.Policy, c.Runtime, c.Period, err)
	default:
		return permission(fmt.Sprintf("%v with priority %d", c.Policy, c.Priority),
			"CAP_SYS_NICE, or a greater limit \"rtprio\" (ulimit -r)", err)
	}
}

// permission explains an error of the system; one that is no refusal is returned with what was tried.
func permission(what, needs string, err error) error {
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOMEM) {
		return fmt.Errorf("%w: %s needs %s: %w", ErrPermission, what, needs, err)
	}
	return fmt.Errorf("thread: %s: %w", what, err)
}
