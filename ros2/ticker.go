// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"fmt"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// Ticker calls a function periodically, as a timer of rclcpp does: in the node's callback group if it has one.
type Ticker struct {
	node      *Node
	name      string
	period    time.Duration
	call      func(at time.Time)
	callbacks CallbackQueue // nil: on the ticker's goroutine
	stop      chan struct{}
	once      sync.Once
	worker    task.Group
	err       error
}

// TickerOption configures a ticker, see [TickerClock] and [TickerGroup].
type TickerOption func(*tickerOptions)

type tickerOptions struct {
	clock Clock
	group CallbackGroup
}

// TickerClock sets the clock of the ticker, such as a [ROSClock], instead of the node's.
func TickerClock(c Clock) TickerOption { return func(o *tickerOptions) { o.clock = c } }

// TickerGroup runs the callbacks in a group instead of the node's; nil for none.
func TickerGroup(g CallbackGroup) TickerOption { return func(o *tickerOptions) { o.group = g } }

// NewTicker calls call with times one period apart, starting one period from now, one call at a time. The times do not
// drift. If the call for an earlier time has not started, the later time replaces it. The name identifies the ticker in
// an executor's diagnostics. Close the ticker or its node when done.
func NewTicker(n *Node, name string, period time.Duration, call func(at time.Time), opts ...TickerOption) (*Ticker, error) {
	if period <= 0 {
		return nil, fmt.Errorf("%w: ticker %q: period %v is not positive", ErrConfig, name, period)
	}
	o := tickerOptions{clock: n.clock, group: n.group}
	for _, opt := range opts {
		opt(&o)
	}
	t := &Ticker{node: n, name: name, period: period, call: call, stop: make(chan struct{})}
	if err := n.register(t); err != nil {
		return nil, err
	}
	if g, ok := o.group.(TimingGroup); ok {
		t.callbacks, t.err = g.Every(CallbackSource{Node: n.name, Kind: TimerCallback, Name: name, Limit: 1}, period, call)
	} else if t.callbacks, t.err = n.joinGroup(o.group, TimerCallback, name, 1); t.err == nil {
		timer := o.clock.NewTimer(period)
		if t, ok := timer.(interface{ SetOwner(name string) }); ok { // a simulation's clock, which waits for the call
			t.SetOwner(fmt.Sprintf("timer %q of %s", name, n.FullName()))
		}
		first := o.clock.Now().Add(period)
		t.worker.Go("ticker", func() { t.work(o.clock, timer, first) })
	}
	if t.err != nil {
		n.disown(t)
		return nil, fmt.Errorf("ticker %q: %w", name, t.err)
	}
	return t, nil
}

// work waits for the times.
func (t *Ticker) work(clock Clock, timer Timer, next time.Time) {
	defer timer.Stop()
	for {
		select {
		case <-t.stop:
			return
		case <-timer.C():
		}
		at := next
		if t.callbacks != nil {
			t.callbacks.Post(func() { t.call(at) })
		} else {
			t.call(at)
		}
		now := clock.Now()
		if next = next.Add(t.period); next.Before(now) || next.Sub(now) > t.period { // late, or the clock was set back
			next = now.Add(t.period - max(0, now.Sub(next)%t.period))
		}
		timer.Reset(next.Sub(now))
	}
}

// Name returns the ticker's name.
func (t *Ticker) Name() string { return t.name }

// Close stops the calls; none is running when it has returned, unless one takes longer than one second: then the error
// matches [ErrStuck]. Without a group it must not be called from the call. Closing twice is harmless.
func (t *Ticker) Close() (err error) {
	t.once.Do(func() {
		t.node.disown(t)
		close(t.stop)
		ended := t.worker.WaitFor(closeTimeout)
		if t.callbacks != nil {
			ended = t.callbacks.Close(closeTimeout) && ended
		}
		if !ended {
			err = fmt.Errorf("ticker %s: %w after %v", t.name, ErrStuck, closeTimeout)
		}
	})
	return err
}
