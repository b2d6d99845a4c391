// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"errors"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

var (
	// errNotStopped is wrapped when it could not be confirmed that the wheels are stopped.
	errNotStopped = errors.New("wheels: the wheels may still turn")
	// errPanic is wrapped when the bus panicked.
	errPanic = errors.New("wheels: panic")
)

// Halt finally stops the wheels and confirms that they are stopped, retrying for Config.StopTime. The error is the
// reason why the wheels may still turn. A robot that was not commanded to move gets a stop command, too, but its
// failure is not an error. Call it after Run has returned, or instead of Run.
func (l *Loop) Halt() error {
	l.motion.hold(holdEnd)
	defer l.guard.due.Store(0)
	end := l.cfg.Now().Add(l.cfg.StopTime)
	timer := l.cfg.NewTimer(MinCommandGap)
	defer timer.Stop()
	for {
		now := l.cfg.Now()
		l.expect(now, now)
		err := halt(l.dev)
		if err == nil {
			l.guard.setHalted()
		}
		if err == nil || !l.moved {
			return nil
		}
		if !now.Before(end) {
			return fmt.Errorf("%w: %w", errNotStopped, err)
		}
		<-timer.C()
		timer.Reset(MinCommandGap)
	}
}

// halt makes one attempt; a panic of the bus counts as an error.
func halt(dev hardware.Halter) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errPanic, p)
		}
	}()
	return dev.Halt()
}

// EmergencyStop stops the wheels before the program exits after a panic: it requests the loop to, and if the loop does
// not within timeout, it stops them through the guard's bus. It is safe for concurrent use.
func (l *Loop) EmergencyStop(timeout time.Duration) error {
	l.motion.hold(holdEnd)
	l.wakeUp()
	timer := l.cfg.NewTimer(timeout)
	defer timer.Stop()
	select {
	case <-l.guard.halted:
		return nil
	case <-timer.C():
		return halt(l.guard.dev)
	}
}

// Probe diagnoses the robot on the bus; the wheels are stopped and the lights turned off. Call it before Run.
func (l *Loop) Probe() mcu.Diagnosis { return l.dev.Probe() }
