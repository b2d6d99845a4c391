// SPDX-License-Identifier: Apache-2.0

// Package thread gives the calling thread of Linux a scheduling policy, a priority and processors, and locks the
// process's memory, as real-time programs do.
//
// The goroutine must be locked to its thread before (runtime.LockOSThread). What Go does not promise: the garbage
// collector stops all goroutines for tens of microseconds, its workers run on other threads with the normal policy, and
// a goroutine that the locked one waits for, such as one of the network's, has the normal policy, too.
// BenchmarkLatency of package ros2/tasks measures what that costs.
package thread

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// Policy is a scheduling policy of Linux, see sched(7).
type Policy int

// The policies.
const (
	Other      Policy = iota // SCHED_OTHER: leave it as it is
	FIFO                     // SCHED_FIFO: before all others of a lower priority, until it waits
	RoundRobin               // SCHED_RR: as FIFO, in turn with those of the same priority
	Deadline                 // SCHED_DEADLINE: Runtime within Deadline, once each Period
)

// String returns the name in sched(7).
func (p Policy) String() string {
	names := [...]string{"SCHED_OTHER", "SCHED_FIFO", "SCHED_RR", "SCHED_DEADLINE"}
	if p < 0 || int(p) >= len(names) {
		return fmt.Sprintf("policy %d", int(p))
	}
	return names[p]
}

// Config is how a thread runs. The zero value changes nothing.
type Config struct {
	// Policy defaults to Other.
	Policy Policy
	// Priority of FIFO and RoundRobin, 1 (low) to 99. It must be 0 for the other policies.
	Priority int
	// Runtime, Deadline and Period of the policy Deadline: Runtime ≤ Deadline ≤ Period; 0 for the other policies.
	Runtime, Deadline, Period time.Duration
	// CPUs are the numbers of the processors that may run the thread; empty for all. Linux refuses them together with
	// the policy Deadline.
	CPUs []int
	// LockMemory keeps all pages of the process in memory, those that it maps later, too (mlockall).
	LockMemory bool
}

// Errors of a configuration and of a system that does not permit it.
var (
	ErrConfig     = errors.New("thread: invalid configuration")
	ErrPermission = errors.New("thread: not permitted")
)

// IsZero reports whether the configuration changes nothing.
func (c Config) IsZero() bool {
	return c.Policy == Other && len(c.CPUs) == 0 && !c.LockMemory
}

// Validate checks the values against each other. The error matches [ErrConfig] and names the field.
func (c Config) Validate() error {
	invalid := func(format string, args ...any) error {
		return fmt.Errorf("%w: "+format, append([]any{ErrConfig}, args...)...)
	}
	switch c.Policy {
	case FIFO, RoundRobin:
		if c.Priority < 1 || c.Priority > 99 {
			return invalid("priority %d of %v: must be 1 to 99", c.Priority, c.Policy)
		}
	case Other, Deadline:
		if c.Priority != 0 {
			return invalid("priority %d of %v: must be 0", c.Priority, c.Policy)
		}
	default:
		return invalid("%v", c.Policy)
	}
	switch {
	case c.Policy != Deadline && (c.Runtime != 0 || c.Deadline != 0 || c.Period != 0):
		return invalid("runtime %v, deadline %v, period %v of %v: must be 0", c.Runtime, c.Deadline, c.Period, c.Policy)
	case c.Policy == Deadline && (c.Runtime <= 0 || c.Deadline < c.Runtime || c.Period < c.Deadline):
		return invalid("runtime %v, deadline %v, period %v: must be 0 < runtime ≤ deadline ≤ period", c.Runtime, c.Deadline, c.Period)
	case c.Policy == Deadline && len(c.CPUs) > 0:
		return invalid("CPUs %v of %v: must be none", c.CPUs, c.Policy)
	case len(c.CPUs) > 0 && (slices.Min(c.CPUs) < 0 || slices.Max(c.CPUs) >= maxCPUs):
		return invalid("CPUs %v: must be 0 to %d", c.CPUs, maxCPUs-1)
	}
	return nil
}

// maxCPUs is how many processors a unix.CPUSet holds.
const maxCPUs = 1024

// Apply configures the calling thread. The error matches [ErrConfig], or [ErrPermission] with the capability that is
// missing and the system's error.
func (c Config) Apply() error {
	if err := c.Validate(); err != nil {
		return err
	}
	if c.LockMemory {
		if err := unix.Mlockall(unix.MCL_CURRENT | unix.MCL_FUTURE); err != nil {
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
