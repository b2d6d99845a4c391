// SPDX-License-Identifier: Apache-2.0

package timerfd

import (
	"sync"
	"testing"
	"time"
)

func begin(t testing.TB, d time.Duration) *Timer {
	t.Helper()
	timer, err := New(d)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { timer.Stop() })
	return timer
}

// It fires once, not before its time, after each start, also one with no time at all.
func TestFires(t *testing.T) {
	began := time.Now()
	timer := begin(t, 30*time.Millisecond)
	for i, d := range []time.Duration{30 * time.Millisecond, 20 * time.Millisecond, time.Nanosecond, 0, -time.Hour} {
		if i > 0 {
			began = time.Now()
			if timer.Reset(d) {
				t.Errorf("start %d: it was running", i)
			}
		}
		<-timer.C()
		if took := time.Since(began); took < d {
			t.Errorf("start %d: fired after %v, not %v", i, took, d)
		}
	}
	<-begin(t, 30*time.Millisecond).C()
	select {
	case <-timer.C():
		t.Error("fired twice")
	default:
	}
}

// One that is put off again and again does not fire, and reports that it was running.
func TestPutOff(t *testing.T) {
	timer := begin(t, time.Hour)
	for range 100 {
		if !timer.Reset(time.Hour) {
			t.Fatal("it was not running")
		}
	}
	timer.Reset(time.Millisecond)
	<-timer.C()
}

// Any goroutines may start it at the same time; the last start holds.
func TestManyStart(t *testing.T) {
	timer := begin(t, time.Hour)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				timer.Reset(time.Hour)
			}
		})
	}
	all.Wait()
	timer.Reset(time.Millisecond)
	<-timer.C()
}

func TestStartDoesNotAllocate(t *testing.T) {
	timer := begin(t, time.Hour)
	if n := testing.AllocsPerRun(100, func() { timer.Reset(time.Hour) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkReset(b *testing.B) {
	timer := begin(b, time.Hour)
	for b.Loop() {
		timer.Reset(time.Hour)
	}
}
