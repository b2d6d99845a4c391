// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"errors"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

var (
	// ErrNotStopped is matched when it could not be shown that the wheels stand.
	ErrNotStopped = errors.New("wheels: the wheels may still turn")
	// ErrPanic is matched when the bus panicked.
	ErrPanic = errors.New("wheels: panic")
)

// Halt stops the wheels for good and shows that they stand, or tries to for the time configured; the error matches
// [ErrNotStopped]. A robot that has not been told to move is told to stand, but if it does not answer that is no
// failure. It is called when Run has returned, or in its place.
func (l *Loop) Halt() error {
	l.motion.hold(HoldEnd)
	defer l.guard.due.Store(0)
	end := l.cfg.Now().Add(l.cfg.StopTime)
	timer := l.cfg.NewTimer(MinCommandGap)
	defer timer.Stop()
	for {
		now := l.cfg.Now()
		l.expect(now, now)
		err := halt(l.dev)
		if err == nil {
			l.guard.stand()
		}
		if err == nil || !l.moved {
			return nil
		}
		if !now.Before(end) {
			return fmt.Errorf("%w: %w", ErrNotStopped, err)
		}
		<-timer.C()
		timer.Reset(MinCommandGap)
	}
}

// halt makes one attempt; a bus that panics fails it like one that returns an error.
func halt(dev *mcu.Dev) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", ErrPanic, p)
		}
	}()
	return dev.Halt()
}

// EmergencyStop stops the wheels by any means, when the program is about to end: it asks the loop to, and if the loop
// does not within patience, it does so itself through the guard's bus. Any goroutine may call it.
func (l *Loop) EmergencyStop(patience time.Duration) error {
	l.motion.hold(HoldEnd)
	l.Nudge()
	timer := l.cfg.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-l.guard.stands:
		return nil
	case <-timer.C():
		return halt(l.guard.dev)
	}
}

// Probe finds out who is at the other end; the wheels are stopped, the lights go out. It is for the start, before Run.
func (l *Loop) Probe() mcu.Diagnosis { return l.dev.Probe() }
