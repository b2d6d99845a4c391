// SPDX-License-Identifier: Apache-2.0

// Package thread sets scheduling policy, priority and processors of the calling thread of Linux, and locks the
// process's memory, as real-time programs do. On other systems a configuration that changes something is an error.
//
// The goroutine must be locked to its thread before (runtime.LockOSThread). What Go does not promise: the garbage
// collector stops all goroutines for tens of microseconds, its workers run on other threads with the normal policy, and
// a goroutine that the locked one waits for, such as one of the network's, has the normal policy, too.
// BenchmarkLatency of package ros2/tasks measures what that costs.
package thread

import (
	"errors"
	"fmt"
	"slices"
	"time"
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
	// LockMemory keeps all pages of the process in memory from their first use, those that it maps later, too (mlockall
	// with MCL_ONFAULT: what Go's runtime reserves and does not use would take about 120 MB).
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
