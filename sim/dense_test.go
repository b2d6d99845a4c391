// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
)

// meeting is a controller whose first call waits for a second one on another goroutine.
type meeting struct {
	calls *atomic.Int32
	met   chan struct{} // closed by the second call
}

func (m meeting) Step(*sim.Control) {
	if m.calls.Add(1) == 2 {
		close(m.met)
	}
	<-m.met
}

// A dense world is one island, whose robots move in sequence; but their controllers run in parallel: otherwise the
// first one waits until the tests' time-out.
func TestRobotsOfOneIslandDecideInParallel(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	clock := sim.NewClock()
	s := packed(t, 128, 80, sim.Options{Seed: 1, Now: clock.Now, Workers: 2})
	m := meeting{new(atomic.Int32), make(chan struct{})}
	for _, a := range sim.RobotsOf[*sim.Functional](s) {
		if err := a.SetController(m, 100*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	clock.Sleep(100 * time.Millisecond)
	s.Elapsed()
	if n := m.calls.Load(); n < 128 {
		t.Errorf("%d controllers were called", n)
	}
}

func TestDenseWorldIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	var want [32]byte
	for workers := 1; workers <= 4; workers++ {
		clock := sim.NewClock()
		s := packed(t, 200, 80, sim.Options{Seed: 1, Now: clock.Now, MaxCatchUp: -1, Workers: workers, Trace: true})
		clock.Sleep(3 * time.Second)
		s.Elapsed()
		got := s.TraceHash()
		if workers == 1 {
			want = got
		}
		if got != want {
			t.Errorf("%d workers: trace %x, one: %x", workers, got, want)
		}
	}
}
