// SPDX-License-Identifier: Apache-2.0

//go:build long

package fleet_test

import (
	"math"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// What TestEveryFactorGivesTheRunOfRealTime shows of a small fleet, for each kind of robots alone, at more factors, and
// for large fleets; TestThousandRobots has more robots, at one factor.
func TestEveryFactorGivesTheRunOfRealTimeForEachKind(t *testing.T) {
	for _, c := range []struct {
		name    string
		k       kinds
		robots  int
		length  time.Duration
		factors []float64
	}{
		{"firmware", kinds{firmware}, 8, 20 * time.Second, []float64{0.5, 5, 20, 100, math.Inf(1)}},
		{"functional", kinds{functional}, 8, 20 * time.Second, []float64{0.5, 5, 20, 100, math.Inf(1)}},
		{"described", kinds{described}, 8, 20 * time.Second, []float64{0.5, 5, 20, 100, math.Inf(1)}},
		{"mixed", kinds{firmware, functional, described}, 8, 20 * time.Second, []float64{0.5, 5, 20, 100, math.Inf(1)}},
		{"many with firmware", kinds{firmware}, 40, 3 * time.Second, []float64{20, math.Inf(1)}},
		{"many functional", kinds{functional}, 200, time.Second, []float64{20, math.Inf(1)}},
		{"many mixed", kinds{firmware, functional, described}, 60, 2 * time.Second, []float64{20, math.Inf(1)}},
	} {
		compareFactors(t, c.name, c.k, c.robots, c.length, c.factors...)
	}
}

// On a machine whose processors others use all the time a run is the same as well.
func TestLoadedProcessorsDoNotChangeTheRun(t *testing.T) {
	k := kinds{firmware, functional, described}
	const robots, length = 6, time.Second
	first := runFleet(t, k, robots, 1, length, false)
	defer loadProcessors()()
	for _, factor := range []float64{1, math.Inf(1)} {
		if got := runFleet(t, k, robots, factor, length, false); !got.same(first) {
			t.Errorf("factor %g: %v; without load %v", factor, got, first)
		}
	}
}

// loadProcessors makes two goroutines for each processor compute until end is called.
func loadProcessors() (end func()) {
	var over atomic.Bool
	var group task.Group
	for range 2 * runtime.GOMAXPROCS(0) {
		group.Go("load of the processors", func() {
			for x := uint32(1); !over.Load(); x = x*1664525 + 1013904223 {
			}
		})
	}
	return func() {
		over.Store(true)
		group.Wait()
	}
}
