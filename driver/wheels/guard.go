// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

const (
	// slack is how late the loop may be: longer than the longest exchange on a bus that fails (three tries of two
	// messages, 20 ms each, and the look for the reason).
	slack = 300 * time.Millisecond
	// grace is given to a loop that is late once more: on a machine that was busy or asleep both are late.
	grace = 20 * time.Millisecond
	// insist lies between two attempts of the guard.
	insist = 100 * time.Millisecond
)

// guard stops the wheels when the loop does not come round. It has a device of its own, so that nothing that the loop
// may hold is waited for.
type guard struct {
	dev   *mcu.Dev
	timer atomic.Pointer[Timer] // while it is watched
	// when the loop is to come round at the latest, ns after the loop's epoch; 0 it need not
	due    atomic.Int64
	alarm  atomic.Bool   // it did not, and the guard has stepped in
	stands chan struct{} // closed when the wheels stand for good
	once   sync.Once
}

func (g *guard) init(l *Loop) (err error) {
	g.stands = make(chan struct{})
	g.dev, err = mcu.New(l.cfg.Guard, &mcu.Opts{Now: l.cfg.Now, Selector: l.cfg.Selector})
	return err
}

// expect notes at now that the loop will come round at next. The loop calls it.
func (l *Loop) expect(now, next time.Time) {
	limit := next.Add(slack)
	l.guard.due.Store(int64(limit.Sub(l.epoch)))
	if t := l.guard.timer.Load(); t != nil {
		(*t).Reset(limit.Sub(now))
	}
}

// stand notes that the wheels stand for good.
func (g *guard) stand() { g.once.Do(func() { close(g.stands) }) }

// Watch is the guard: it runs beside Run on a goroutine of its own until ctx ends.
func (l *Loop) Watch(ctx context.Context) {
	timer := l.cfg.NewTimer(slack)
	defer timer.Stop()
	l.guard.timer.Store(&timer)
	defer l.guard.timer.Store(nil)
	var suspected int64 // the time at which the loop was to come round, when it was late for the first time
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C():
		}
		due := l.guard.due.Load()
		late := l.cfg.Now().Sub(l.epoch) - time.Duration(due)
		switch {
		case due == 0: // it need not come round
		case late < 0:
			timer.Reset(-late)
		case due != suspected: // it has come round since the last suspicion
			suspected = due
			timer.Reset(grace)
		default:
			l.stepIn(late + slack)
			timer.Reset(insist)
		}
	}
}

// stepIn stops the wheels in the loop's place. What it says it says before it tries, for its own transfer may hang,
// too.
func (l *Loop) stepIn(after time.Duration) {
	first := !l.guard.alarm.Swap(true)
	if first {
		l.words.say(Word{Kind: WordStuck, At: l.cfg.Now(), Took: after})
	}
	if err := halt(l.guard.dev); first {
		l.words.say(Word{Kind: WordGuarded, At: l.cfg.Now(), Err: err})
	}
}

// comeRound is called by the loop when it begins anew. After the guard has stepped in, what was asked for is forgotten,
// and the next cycle, which is due at once, tells the robot to stand: the transfer that hung may have set the wheels
// going.
func (l *Loop) comeRound() {
	if !l.guard.alarm.Swap(false) {
		return
	}
	now := l.cfg.Now()
	l.motion.forget()
	l.ticks.Next = now
	l.words.say(Word{Kind: WordRound, At: now})
}
