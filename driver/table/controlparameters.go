// SPDX-License-Identifier: Apache-2.0

package table

import (
	"errors"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/thread"
)

// Limits of the parameter cmd_vel_timeout.
const (
	// minTimeout is the minimum timeout other than 0. Without it a value such as 1e-12 would be rounded to 0, no
	// timeout.
	minTimeout = 10 * time.Millisecond
	// maxTimeoutAtRunTime is the maximum timeout that can be set while the driver runs, unless it was started with a
	// longer one. In 5 s the robot drives 0.7 m at its maximum speed.
	maxTimeoutAtRunTime = 5 * time.Second
)

var errTimeout = errors.New("invalid timeout")

// timeout reads the timeout of commands.
func (p Parameter) timeout(at func(s *draft) *time.Duration) Parameter {
	return p.reads(func(s *draft, v ros2.ParameterValue) error {
		*at(s) = ros2.Seconds(v.Double())
		return checkTimeout(v.Double())
	})
}

// checkTimeout validates a timeout in seconds.
func checkTimeout(seconds float64) error {
	if seconds != 0 && !(seconds >= minTimeout.Seconds()) {
		return fmt.Errorf("%w: %v s is neither 0 nor at least %v s", errTimeout, seconds, minTimeout.Seconds())
	}
	return nil
}

// guardTimeout rejects changes of cmd_vel_timeout that would keep the wheels turning after the commands have ended: 0,
// and more than maxTimeoutAtRunTime or, if that was longer, than the value at the call. Any node on the network can
// call the parameter services, so these values can only be set on the command line and in the parameter file. Setting
// the current value is permitted. The check remains as long as the parameters exist.
func guardTimeout(p *ros2.Parameters) {
	most := maxTimeoutAtRunTime.Seconds()
	if v, err := p.Get(ParamTimeout); err == nil {
		most = max(most, v.Double())
	}
	p.OnSet(func(changes []ros2.Parameter) error {
		for _, c := range changes {
			if c.Name != ParamTimeout {
				continue
			}
			if err := checkTimeoutChange(p, c.Value.Double(), most); err != nil {
				return fmt.Errorf("%w: parameter %q: %w", ErrParameter, ParamTimeout, err)
			}
		}
		return nil
	})
}

// checkTimeoutChange validates a timeout, in seconds, that is set at run time.
func checkTimeoutChange(p *ros2.Parameters, wanted, most float64) error {
	switch now, err := p.Get(ParamTimeout); {
	case err == nil && now.Double() == wanted:
		return nil
	case wanted == 0:
		return fmt.Errorf("%w: 0 disables the stop of the wheels when commands end; only the command line or a parameter file can do that", errTimeout)
	case wanted > most:
		return fmt.Errorf("%w: %v s is more than %v s, the longest that can be set at run time", errTimeout, wanted, most)
	}
	return checkTimeout(wanted)
}

// Names of the parameters of the control loop's thread, as ros2_control's controller_manager has them; thread_policy is
// ours.
const (
	paramThreadPriority = "thread_priority"
	paramThreadPolicy   = "thread_policy"
	paramAffinity       = "cpu_affinity"
	paramLockMemory     = "lock_memory"
)

// policies are the values of the parameter thread_policy, the default first.
func policies() []string { return []string{"fifo", "rr"} }

// threadParameters are the rows of the control loop's thread.
func threadParameters() []Parameter {
	priority := integer(paramThreadPriority, 0, 0, 99, 0, "",
		"real-time priority of the control loop's thread; 0: that of the process. It needs CAP_SYS_NICE or a limit "+
			"`rtprio`, which the service has").
		int(func(s *draft) *int { return &s.Thread.Priority })
	priority.Dynamic = false
	return []Parameter{
		priority,
		choice(paramThreadPolicy, policies(), false,
			"scheduling policy with `thread_priority`: SCHED_FIFO or SCHED_RR").
			reads(func(s *draft, v ros2.ParameterValue) error {
				s.policy = thread.FIFO
				if v.Str() == policies()[1] {
					s.policy = thread.RoundRobin
				}
				return nil
			}),
		{
			Name: paramAffinity, Default: ros2.IntegerArrayValue(nil),
			Meaning: "numbers of the processors that run the control loop's thread; empty: all",
			read: func(s *draft, v ros2.ParameterValue) error {
				s.Thread.CPUs = nil
				for _, n := range v.IntegerArray() {
					if n != int64(int(n)) {
						return fmt.Errorf("%w: processor %d", thread.ErrConfig, n)
					}
					s.Thread.CPUs = append(s.Thread.CPUs, int(n))
				}
				return thread.Config{CPUs: s.Thread.CPUs}.Validate()
			},
		},
		flag(paramLockMemory, false, false,
			"keep the program's memory, once used, from being swapped or dropped; it needs CAP_IPC_LOCK or a limit `memlock`, which "+
				"the service has").
			bool(func(s *draft) *bool { return &s.Thread.LockMemory }),
	}
}
