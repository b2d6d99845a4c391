// SPDX-License-Identifier: Apache-2.0

package alarm

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/timerfd"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
)

// Timer is the timer for the next alarm. Any goroutine may reset it; End releases it.
type Timer interface {
	C() <-chan time.Time
	Reset(d time.Duration) bool
	End()
}

// kernelNetwork is a network that provides its own timers.
type kernelNetwork interface {
	NewTimer(d time.Duration) (*timerfd.Timer, error)
}

// NewTimer starts a timer that fires at once: the network's, or else one of the runtime, which tests in a bubble need.
func NewTimer(n udp.Network) Timer {
	if k, ok := n.(kernelNetwork); ok {
		if t, err := k.NewTimer(0); err == nil {
			return kernelTimer{t}
		}
	}
	return runtimeTimer{time.NewTimer(0)}
}

type kernelTimer struct{ *timerfd.Timer }

func (t kernelTimer) End() {
	t.Stop()
	<-t.Done()
}

type runtimeTimer struct{ *time.Timer }

func (t runtimeTimer) C() <-chan time.Time { return t.Timer.C }
func (t runtimeTimer) End()                { t.Stop() }
