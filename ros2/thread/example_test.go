// SPDX-License-Identifier: Apache-2.0

package thread_test

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/epuck-ros2/epuck-driver/ros2/thread"
)

// A control loop before all threads of the normal policy, where the system permits it.
func ExampleConfig_Apply() {
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // not unlocked: the thread ends with its goroutine
		done <- thread.Config{Policy: thread.RoundRobin, Priority: 10, CPUs: []int{0}}.Apply()
	}()
	policy := thread.RoundRobin
	if err := <-done; errors.Is(err, thread.ErrPermission) {
		policy = thread.Other // the error names the missing capability
	}
	_ = policy
	fmt.Println(thread.Config{Policy: thread.FIFO, Priority: 100}.Validate())
	// Output: thread: invalid configuration: priority 100 of SCHED_FIFO: must be 1 to 99
}
