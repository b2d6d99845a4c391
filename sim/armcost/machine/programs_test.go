// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package machine

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// spinner runs so many turns of a loop that takes 3 cycles each by the table: a load's result is used two later.
const spinner = `
#include <stdlib.h>
int main(int argc, char **argv) {
  unsigned n = (unsigned)atoi(argv[argc - 1]), x = 0;
  __asm__ volatile("1: add %1, %1, #1\n add %1, %1, #1\n subs %0, %0, #1\n bne 1b\n" : "+r"(n), "+r"(x));
  return 0;
}`

const turns = 5_000_000 // 15 million cycles: 15 ms

// TestBusyLoop: a loop of known cycles takes their time, alone and when two share the core.
func TestBusyLoop(t *testing.T) {
	program := compiled(t, spinner)
	cfg := config(t)
	for _, programs := range []int{1, 2} {
		t.Run(fmt.Sprint(programs), func(t *testing.T) {
			r, m := rack(t, cfg)
			for range programs {
				start(t, m, program, fmt.Sprint(turns))
			}
			finish(t, r, time.Second)
			var last float64
			for _, s := range m.Status() {
				last = max(last, s.For.Seconds())
			}
			want := float64(programs) * turns * 3 / 1e9
			if math.Abs(last/want-1) > 0.05 {
				t.Errorf("%d programs end after %.4f s, want %.4f", programs, last, want)
			}
			if programs == 2 {
				for _, s := range m.Status() {
					if s.For.Seconds() < want-0.004 {
						t.Errorf("one had the core for itself: %v", s.For)
					}
				}
			}
		})
	}
}

const goSource = `package main

import (
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

func main() {
	begun := time.Now()
	var group sync.WaitGroup
	var sum [4]int
	for i := range sum {
		group.Add(1)
		go func() {
			defer group.Done()
			for n := 0; n < 300000; n++ {
				sum[i] += n % (i + 2)
			}
			time.Sleep(time.Duration(i+1) * 100 * time.Millisecond)
		}()
	}
	tick := time.NewTicker(50 * time.Millisecond)
	last := begun
	for range 20 {
		now := <-tick.C
		if now.Before(last) {
			fmt.Println("time went back")
		}
		last = now
	}
	group.Wait()
	fmt.Println(sum, time.Since(begun).Round(10*time.Millisecond), "ticks")
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGTERM)
	select {
	case <-c:
		fmt.Println("ended by signal")
	case <-time.After(time.Hour):
	}
}
`

// TestGo: goroutines, timers and signals of a Go program, in simulated time; and the same again.
func TestGo(t *testing.T) {
	program := goProgram(t, goSource)
	cfg := config(t)
	var outputs []string
	times := 2
	if !suite.Long {
		times = 1
	}
	for range times {
		r, m := rack(t, cfg)
		out := start(t, m, program)
		if err := r.Advance(t.Context(), 2*time.Second); err != nil {
			t.Fatal(err)
		}
		s := m.Status()[0]
		if s.Ended || s.Counts.Events["cycles"] == 0 {
			t.Fatalf("%+v: %s", s, out)
		}
		if err := m.Signal(15); err != nil {
			t.Fatal(err)
		}
		finish(t, r, 3*time.Second)
		outputs = append(outputs, out.String())
		t.Logf("%q, late %d, at most %v", out, s.Late, s.Worst)
	}
	for _, out := range outputs {
		if !strings.Contains(out, "1s ticks\nended by signal") || strings.Contains(out, "back") {
			t.Errorf("%q", out)
		}
	}
}
