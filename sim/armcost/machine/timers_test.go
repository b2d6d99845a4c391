// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"os"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// timerFile makes a timerfd of this process.
func timerFile(t *testing.T, clock, flags int) int {
	t.Helper()
	fd, err := unix.TimerfdCreate(clock, flags)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	return fd
}

// set sets a timer; where is the address for old values, or 0.
func set(t testing.TB, m *Machine, th *thread, fd, flags int, at, where uint64) answer {
	t.Helper()
	a, err := m.setTimer(th, &call{args: [6]uint64{uint64(fd), uint64(flags), at, where}})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// pass lets simulated time come to d.
func pass(t testing.TB, m *Machine, d time.Duration) {
	t.Helper()
	m.core.header().now.Store(uint64(m.ticks(d)))
	if err := m.expire(); err != nil {
		t.Fatal(err)
	}
}

func readable(fd int) bool {
	n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0)
	return err == nil && n == 1
}

// TestTimerCounts: whatever a timer is set to, and however long the machine was busy, a reader gets the number of times
// that it should have fired, and its file can be read just then.
func TestTimerCounts(t *testing.T) {
	g := newGuest(t)
	m := ours(t, 1)
	th := m.order[0]
	fd := timerFile(t, unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK)
	rapid.Check(t, func(rt *rapid.T) {
		g.used = 0
		m.core.header().now.Store(0)
		first := rapid.Int64Range(1, 1e9-1).Draw(rt, "first")
		interval := rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(1, 1e9-1)).Draw(rt, "interval")
		absolute := rapid.Bool().Draw(rt, "absolute")
		spec, flags := words(0, interval, 0, first), 0
		if absolute {
			spec, flags = words(0, interval, int64(bootTime/time.Second), first), unix.TFD_TIMER_ABSTIME
		}
		if a := set(t, m, th, fd, flags, g.put(t, spec), 0); a != result(0) || readable(fd) {
			rt.Fatalf("%+v", a)
		}
		at, had := int64(0), int64(0)
		for range 4 {
			at += rapid.OneOf(rapid.Int64Range(1, 1e9), rapid.Int64Range(1, 1e13)).Draw(rt, "step")
			pass(t, m, time.Duration(at))
			want := int64(0)
			if at >= first {
				want = 1
				if interval > 0 {
					want += (at - first) / interval
				}
			}
			want, had = want-had, want
			where := g.put(t, words(-1))
			if got := readable(fd); got != (want > 0) {
				rt.Fatalf("at %d ns it can be read: %t, %d times", at, got, want)
			}
			a, err := m.readTimer(th, m.timerOf(th.p, fd), where, 8)
			if err != nil {
				rt.Fatal(err)
			}
			if want == 0 {
				if a != failure(unix.EAGAIN) {
					rt.Fatalf("nothing to read: %+v", a)
				}
			} else if got := wordsAt(t, where, 1)[0]; a != result(8) || got != want || readable(fd) {
				rt.Fatalf("at %d ns it fired %d times, want %d: %+v", at, got, want, a)
			}
		}
		if next := m.next(); interval == 0 && had > 0 && next != farAway || next <= m.now() {
			rt.Fatalf("next at %d, now %d", next, m.now())
		}
	})
}

// TestTimerReaders: who waits longest for a timer reads it; who comes after gets the next.
func TestTimerReaders(t *testing.T) {
	g := newGuest(t)
	m := ours(t, 3)
	fd := timerFile(t, unix.CLOCK_MONOTONIC, 0)
	set(t, m, m.order[0], fd, 0, g.put(t, words(0, 10e6, 0, 10e6)), 0)
	where := g.put(t, words(0, 0, 0))
	for i, who := range []int{2, 0, 1} {
		th := m.order[who]
		if a, err := m.readTimer(th, m.timerOf(th.p, fd), where+uint64(8*i), 8); err != nil || a.answered || th.state != blocked {
			t.Fatalf("it does not wait: %+v, %v", a, err)
		}
	}
	for i, want := range [][]int64{{1, 0, 0}, {1, 1, 0}, {1, 1, 3}} {
		pass(t, m, time.Duration([]int{10, 20, 55}[i])*time.Millisecond)
		if got := wordsAt(t, where, 3); !slices.Equal(got, want) || readable(fd) {
			t.Errorf("after %d: %v, want %v", i, got, want)
		}
	}
	for i, th := range m.order {
		if th.state != ready || th.reply != result(8) {
			t.Errorf("thread %d: %+v", i, th)
		}
	}
	if due := m.order[1].due; due != m.ticks(55*time.Millisecond) {
		t.Errorf("due %d", due)
	}
}

// TestTimerMistakes: a program's mistakes with a timer are answered as the kernel does, and the old setting is
// returned.
func TestTimerMistakes(t *testing.T) {
	g := newGuest(t)
	m := ours(t, 1)
	th := m.order[0]
	fd := timerFile(t, unix.CLOCK_REALTIME, 0)
	good, bad, where := g.put(t, words(3, 7, 2, 5)), g.put(t, words(0, 0, 0, 1e9)), g.put(t, words(9, 9, 9, 9))
	if a := set(t, m, th, fd, 0, good, g.at+guestSize); a != failure(unix.EFAULT) {
		t.Errorf("no address for the old: %+v", a)
	}
	if a := set(t, m, th, fd, 0, good, where); a != result(0) || !slices.Equal(wordsAt(t, where, 4), make([]int64, 4)) {
		t.Errorf("the old: %+v, %v", a, wordsAt(t, where, 4))
	}
	pass(t, m, time.Second)
	if a := set(t, m, th, fd, 0, bad, 0); a != failure(unix.EINVAL) {
		t.Errorf("no time: %+v", a)
	}
	if a := set(t, m, th, fd, 0, g.at+guestSize-16, 0); a != failure(unix.EFAULT) {
		t.Errorf("no memory: %+v", a)
	}
	pass(t, m, 2500*time.Millisecond)
	if a := set(t, m, th, fd, 0, good, 0); a != result(0) || m.timerOf(th.p, fd).count != 0 || readable(fd) {
		t.Errorf("set anew, what it fired before is there: %+v", a)
	}
	pass(t, m, 3500*time.Millisecond)
	day := time.Date(2000, time.January, 1, 0, 0, 4, 0, time.UTC).Unix()
	if a := set(t, m, th, fd, unix.TFD_TIMER_ABSTIME, g.put(t, words(0, 0, day, 0)), where); a != result(0) {
		t.Errorf("%+v", a)
	}
	if got := wordsAt(t, where, 4); !slices.Equal(got, []int64{3, 7, 1, 5}) {
		t.Errorf("a second later, the old is %v", got)
	}
	if m.next() != m.ticks(4*time.Second) {
		t.Errorf("by the clock of the day: %d", m.next())
	}
	if a, err := m.readTimer(th, m.timerOf(th.p, fd), where, 7); err != nil || a != failure(unix.EINVAL) || th.state == blocked {
		t.Errorf("7 bytes: %+v, %v", a, err)
	}
	if a := set(t, m, th, int(os.Stdin.Fd()), 0, good, 0); a != goAhead() {
		t.Errorf("no timer: %+v", a)
	}
}

// TestTimerAnew: a file with the number of one that was closed is a timer of its own.
func TestTimerAnew(t *testing.T) {
	g := newGuest(t)
	m := ours(t, 1)
	th := m.order[0]
	spec := g.put(t, words(0, 0, 0, 5e6))
	fd := timerFile(t, unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK)
	set(t, m, th, fd, 0, spec, 0)
	if other := timerFile(t, unix.CLOCK_MONOTONIC, 0); unix.Dup3(other, fd, 0) != nil {
		t.Fatal("dup3")
	}
	if tm := m.timerOf(th.p, fd); tm != nil {
		t.Fatal("the timer that was closed answers for the new one")
	}
	if a := set(t, m, th, fd, 0, spec, 0); a != result(0) || len(m.timers) != 1 {
		t.Errorf("%+v, %d timers", a, len(m.timers))
	}
	pass(t, m, 5*time.Millisecond)
	if !readable(fd) {
		t.Error("the new timer does not fire")
	}
}
