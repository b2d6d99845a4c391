// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
)

// meeting is a controller that waits, once, until another one runs at the same time.
type meeting struct{ inside, met *atomic.Int32 }

func (m meeting) Step(*sim.Control) {
	m.inside.Add(1)
	defer m.inside.Add(-1)
	for end := time.Now().Add(10 * time.Second); m.met.Load() == 0 && time.Now().Before(end); runtime.Gosched() {
		if m.inside.Load() > 1 {
			m.met.Store(1)
		}
	}
	m.met.CompareAndSwap(0, -1) // in vain: the others do not wait, too
}

// A dense world is one island, whose robots move one after the other; they decide at the same time all the same.
func TestRobotsOfOneIslandDecideInParallel(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	clock := sim.NewClock()
	s := packed(t, 128, 80, sim.Options{Seed: 1, Now: clock.Now, Workers: 2})
	var inside, met atomic.Int32
	for _, a := range sim.RobotsOf[*sim.Functional](s) {
		if err := a.SetController(meeting{&inside, &met}, 100*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	clock.Sleep(100 * time.Millisecond)
	s.Elapsed()
	if met.Load() != 1 {
		t.Error("no two controllers ran at the same time")
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
