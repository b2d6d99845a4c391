// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/hardware"
)

const (
	// slack is how late the loop may be: longer than the longest exchange on a failing bus (three attempts of two
	// messages, 20 ms each, and the diagnosis).
	slack = 300 * time.Millisecond
	// grace is granted once to a loop that is late: after the machine was busy or asleep both goroutines are late.
	grace = 20 * time.Millisecond
	// retryPause is the time between two attempts of the guard.
	retryPause = 100 * time.Millisecond
)

// guard stops the wheels when the loop hangs. It has its own Halter, so that it does not wait for anything the loop may
// hold.
type guard struct {
	dev   hardware.Halter
	timer atomic.Pointer[Timer] // nil while Watch is not running
	// deadline of the start of the loop's next turn, in ns after the loop's epoch; 0: none
	due    atomic.Int64
	alarm  atomic.Bool   // the loop missed the deadline and the guard has taken over
	halted chan struct{} // closed when the wheels are finally stopped
	once   sync.Once
}

// expect sets the loop's next deadline to next plus slack. The loop calls it at now.
func (l *Loop) expect(now, next time.Time) {
	limit := next.Add(slack)
	l.guard.due.Store(int64(limit.Sub(l.epoch)))
	if t := l.guard.timer.Load(); t != nil {
		(*t).Reset(limit.Sub(now))
	}
}

// setHalted records that the wheels are finally stopped.
func (g *guard) setHalted() { g.once.Do(func() { close(g.halted) }) }

// Watch is the guard's loop: it runs on its own goroutine, next to Run, until ctx ends.
func (l *Loop) Watch(ctx context.Context) {
	timer := l.cfg.NewTimer(slack)
	defer timer.Stop()
	l.guard.timer.Store(&timer)
	defer l.guard.timer.Store(nil)
	var suspected int64 // the deadline that the loop had missed when it was late for the first time
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C():
		}
		due := l.guard.due.Load()
		late := l.cfg.Now().Sub(l.epoch) - time.Duration(due)
		switch {
		case due == 0: // no deadline
		case late < 0:
			timer.Reset(-late)
		case due != suspected: // the loop has run since the last suspicion
			suspected = due
			timer.Reset(grace)
		default:
			l.takeOver(late + slack)
			timer.Reset(retryPause)
		}
	}
}

// takeOver stops the wheels instead of the loop. It reports the hang first, since its own transfer may hang, too.
func (l *Loop) takeOver(after time.Duration) {
	first := !l.guard.alarm.Swap(true)
	if first {
		l.events.push(Event{Kind: EventStuck, At: l.cfg.Now(), Took: after})
	}
	if err := halt(l.guard.dev); first {
		l.events.push(Event{Kind: EventGuarded, At: l.cfg.Now(), Err: err})
	}
}

// resume is called by the loop when a turn starts. After the guard has taken over, the command is dropped, and the next
// cycle, which is due at once, stops the robot: the transfer that hung may have started the wheels.
func (l *Loop) resume() {
	if !l.guard.alarm.Swap(false) {
		return
	}
	now := l.cfg.Now()
	l.motion.forget()
	l.ticks.Next = now
	l.events.push(Event{Kind: EventResumed, At: now})
}
