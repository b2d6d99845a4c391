// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// handClock is a Clock that stands still until it is moved.
type handClock struct {
	mu      sync.Mutex
	now     time.Time
	waiting []chan time.Time
	waits   []time.Duration
	stopped int
}

func (c *handClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *handClock) NewTimer(d time.Duration) Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	ch := make(chan time.Time, 1)
	c.waiting, c.waits = append(c.waiting, ch), append(c.waits, d)
	return &handTimer{c, ch}
}

// handTimer is a timer of a handClock.
type handTimer struct {
	clock *handClock
	c     chan time.Time
}

func (t *handTimer) C() <-chan time.Time { return t.c }

func (t *handTimer) Stop() bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	t.clock.stopped++
	return true
}

// timers counts those that were made and those that were stopped.
func (c *handClock) timers() (made, stopped int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.waits), c.stopped
}

// fire ends the latest wait.
func (c *handClock) fire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	last := len(c.waits) - 1
	c.now = c.now.Add(c.waits[last])
	c.waiting[last] <- c.now
}

// TestInjectedClock: the pipeline waits on the clock it was given, and on no other: an hour of the system's changes
// nothing.
func TestInjectedClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cam, clock := newFakeCamera(), &handClock{now: time.Unix(5000, 0)}
		cam.gone = true
		p := newPipeline(t, Config{Device: cam, Clock: clock, RetryMin: time.Second, RetryMax: 3 * time.Second})
		defer p.Close()
		a, _ := attach(t, p, Output{Encoding: Mono8})
		for _, want := range []time.Duration{time.Second, 2 * time.Second, 3 * time.Second, 3 * time.Second} {
			time.Sleep(time.Hour)
			synctest.Wait()
			if got := clock.waits[len(clock.waits)-1]; got != want {
				t.Errorf("waits %v, want %v", got, want)
			}
			if at := p.Status().ErrorTime; !at.Equal(clock.Now()) {
				t.Errorf("error at %v, the clock says %v", at, clock.Now())
			}
			clock.fire()
			synctest.Wait()
		}
		cam.plug(true)
		clock.fire()
		time.Sleep(time.Second)
		synctest.Wait()
		if st := p.Status(); len(a.all()) < 14 || st.FirstImage != 12*time.Second || st.Failures != 5 {
			t.Errorf("%d pictures, the first after %v, %d failures", len(a.all()), st.FirstImage, st.Failures)
		}
	})
}

// TestTimersAreStopped: a wait for a camera that ends early, because another mode is wanted or the pipeline closes,
// leaves no timer behind.
func TestTimersAreStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cam, clock := newFakeCamera(), &handClock{now: time.Unix(5000, 0)}
		cam.gone = true
		p := newPipeline(t, Config{Device: cam, Clock: clock, RetryMin: time.Second, RetryMax: 3 * time.Second})
		for range 5 {
			_, detach := attach(t, p, Output{Encoding: Mono8})
			time.Sleep(time.Second)
			synctest.Wait()
			_ = detach
		}
		p.Close()
		synctest.Wait()
		if made, stopped := clock.timers(); made == 0 || made != stopped {
			t.Errorf("%d timers, %d of them stopped", made, stopped)
		}
	})
}
