// SPDX-License-Identifier: Apache-2.0

//go:build system

package timerfd

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// open counts the open file descriptors.
func open(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// Stop is for good: nothing is left, and what is called later does nothing.
func TestStop(t *testing.T) {
	begin(t, time.Hour).Stop() // the poller of the runtime has its own descriptors
	before, routines := open(t), runtime.NumGoroutine()
	for range 20 {
		timer := begin(t, time.Hour)
		if !timer.Stop() || timer.Stop() || timer.Reset(1) {
			t.Error("Stop, Stop again, Reset: want true, false, false")
		}
		<-timer.Done()
	}
	if n := runtime.NumGoroutine(); n > routines+1 { // the last one may not have gone quite
		t.Errorf("%d goroutines, then %d", routines, n)
	}
	if after := open(t); after != before {
		t.Errorf("%d file descriptors, then %d", before, after)
	}
}

func TestNoDescriptorsLeft(t *testing.T) {
	if os.Getenv("TIMERFD_FEW") == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestNoDescriptorsLeft$")
		cmd.Env = append(os.Environ(), "TIMERFD_FEW=1")
		out, err := cmd.CombinedOutput()
		if errors.Is(err, syscall.ENOEXEC) {
			t.Skip("an emulated processor's program can't start itself: ", err)
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	begin(t, time.Hour)
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 3, Max: 3}); err != nil {
		t.Fatal(err)
	}
	if timer, err := New(time.Hour); err == nil || timer != nil {
		t.Errorf("%v, %v", timer, err)
	}
}

// On one processor a goroutine that computes endlessly after task.Watched does not keep a timer from firing, though no
// system call is made that the runtime knows of.
func TestComputingIsInterrupted(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	other, timer := begin(t, time.Hour), begin(t, time.Hour)
	var end atomic.Bool
	computed := make(chan struct{})
	go func() {
		defer close(computed)
		<-other.C()
		task.Watched()
		for n := 0; !end.Load(); n++ {
		}
	}()
	other.Reset(200 * time.Millisecond) // the monitor thread sleeps by then
	timer.Reset(250 * time.Millisecond)
	began := time.Now()
	<-timer.C()
	end.Store(true)
	<-computed
	if took := time.Since(began); took > 20*time.Second { // without Watched it is a minute
		t.Errorf("a timer of 250 ms fired after %v", took)
	}
}

// On one processor a goroutine that computes endlessly does not keep a timer from firing whose owner makes a system
// call each time, as the wheels' loop does: it wakes the thread that takes the processor away.
func TestFiresDuringEndlessWork(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	timer := begin(t, time.Millisecond)
	var end atomic.Bool
	defer end.Store(true)
	for i := range 10 {
		<-timer.C()
		transfer := syscall.NsecToTimespec(int64(time.Millisecond))
		// The scheduler's signals may end it early.
		if err := syscall.Nanosleep(&transfer, nil); err != nil && !errors.Is(err, syscall.EINTR) {
			t.Fatal(err)
		}
		if i == 3 {
			go func() {
				for n := 0; !end.Load(); n++ {
				}
			}()
		}
		timer.Reset(20 * time.Millisecond)
	}
}
