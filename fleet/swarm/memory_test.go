// SPDX-License-Identifier: Apache-2.0

//go:build system

package swarm_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/swarm"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// A functional robot takes at most 60 kB, a run of a thousand included.
func TestMemoryOfARobot(t *testing.T) {
	const n = 1000
	heap := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc) / 1000
	}
	before := heap()
	r := run(t, field(t, 20, n, world.LevelFunctional), swarm.Config{Controller: named(t, "aggregate"), Trace: true}, time.Second)
	per := (heap() - before) / n
	t.Logf("%.1f kB a robot", per)
	if per > 60 {
		t.Errorf("%.1f kB a robot", per)
	}
	runtime.KeepAlive(r)
}
