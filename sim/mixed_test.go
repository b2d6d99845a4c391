// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// avoider turns away from what it sees, sends how often it has, and reacts to what it receives.
type avoider struct{ turns uint64 }

func (v *avoider) Step(c *sim.Control) {
	p := c.Proximity()
	left, right := 5.0, 5.0
	if p[0]+p[1]+p[2]+p[5]+p[6]+p[7] > 150 {
		v.turns++
		left, right = 4, -4
		if p[5]+p[6]+p[7] > p[0]+p[1]+p[2] {
			left, right = -4, 4
		}
	}
	if h := c.Heard(); len(h) > 0 && h[0].Range < 0.15 {
		left += 0.3 * h[0].Bearing
	}
	if g := c.Ground(); g[1] < 500 || c.Distance() < 0.1 {
		left = -left + c.Random()
	}
	c.SetWheels(left, right)
	_ = c.Say(binary.LittleEndian.AppendUint64(nil, v.turns))
}

// mixed is a world of functional robots with every fourth one of the firmware level, in a square with things, a lamp
// and a painted floor.
func mixed(t testing.TB, n int) *sim.World {
	t.Helper()
	w, err := sim.ParseWorld([]byte(`
arena: {size: [2, 2]}
cylinders: [{position: [0.5, 0.49], radius: 0.03}, {position: [-0.53, 0.5], radius: 0.02}]
boxes: [{position: [0.5, -0.53], size: [0.04, 0.08], yaw: 0.4}]
lights: [{position: [0.9, 0, 0.3], intensity: 0.2}]
floor: {circles: [{position: [0, 0], radius: 0.2, reflectance: 0.1}]}
range_and_bearing: {range: 0.5}
robots: [{name: r0}]
`))
	if err != nil {
		t.Fatal(err)
	}
	template := w.Robots[0]
	w.Robots = nil
	side := int(math.Ceil(math.Sqrt(float64(n))))
	for i := range n {
		r := template
		r.Name = fmt.Sprint("r", i)
		r.Position = world.Point{-0.85 + 1.65*float64(i%side)/float64(side), -0.85 + 1.65*float64(i/side)/float64(side)}
		r.Yaw = float64(i)
		if i%4 != 0 {
			r.Level = world.LevelFunctional
		}
		w.Robots = append(w.Robots, r)
	}
	return w
}

// swarm runs a mixed world of n robots for a time: the functional ones by controllers, those of the firmware level by
// commands every 50 ms. Each time the world is looked at looks times.
func swarm(t testing.TB, n int, opts sim.Options, duration time.Duration, looks int) *sim.Simulation {
	t.Helper()
	clock := sim.NewClock()
	opts.Now = clock.Now
	opts.Trace, opts.Settled = true, true
	s, err := sim.New(mixed(t, n), opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range sim.RobotsOf[*sim.Functional](s) {
		if err := a.SetController(new(avoider), 100*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	var cmd [20]byte
	var reply [47]byte
	for k := range int(duration / (50 * time.Millisecond)) {
		for i, r := range sim.RobotsOf[*sim.Firmware](s) {
			speed := 300 + 50*(i%7)
			binary.LittleEndian.PutUint16(cmd[0:], uint16(speed))
			binary.LittleEndian.PutUint16(cmd[2:], uint16(speed+100*((k/10+i)%3-1)))
			cmd[19] = xor(cmd[:19])
			if err := r.Bus().Tx(0x1F, cmd[:], reply[:]); err != nil {
				t.Fatal(err)
			}
			_ = r.Say(reply[41:45])
			r.Listen(true)
		}
		for range looks {
			clock.Sleep(50 * time.Millisecond / time.Duration(looks+1))
			s.Elapsed()
		}
		clock.Sleep(50*time.Millisecond - 50*time.Millisecond/time.Duration(looks+1)*time.Duration(looks))
	}
	return s
}

func hashOf(s *sim.Simulation) string {
	h := s.TraceHash()
	return hex.EncodeToString(h[:])
}

// traceRuns is the least number of runs that must have the same trace; make determinism sets it to 100.
func traceRuns() int {
	n, _ := strconv.Atoi(os.Getenv("EPUCK_TRACE_RUNS")) // 0 if it is none
	return n
}

// occupy gives the processors something else to do until it is stopped.
func occupy() (end func()) {
	var stop atomic.Bool
	var group task.Group
	for range 2 {
		group.Go("busy", func() {
			for !stop.Load() {
				runtime.Gosched()
			}
		})
	}
	return func() {
		stop.Store(true)
		group.Wait()
	}
}

// goldenTrace is the hash of ten seconds of 60 robots of both levels, on every processor.
const goldenTrace = "be07c72d0891a982a8e26517dca1005b630b400eb2a142e74909d93eab8f90d2"

// The trace depends neither on the number of processors that compute it, nor on how often one looks, nor on what else
// the machine has to do. A change of the hash means that recorded runs do not repeat any more, so it must be meant.
func TestTraceIsAlwaysTheSame(t *testing.T) {
	runs := []struct{ procs, workers, looks int }{{1, 0, 0}, {2, 0, 0}, {4, 3, 0}, {7, 5, 3}, {2, 1, 11}}
	if !suite.Long {
		runs = runs[1:2]
	}
	for len(runs) < traceRuns() {
		runs = append(runs, runs[len(runs)%5])
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for i, r := range runs {
		runtime.GOMAXPROCS(r.procs)
		end := func() {}
		if i%2 == 1 {
			end = occupy()
		}
		got := hashOf(swarm(t, 60, sim.Options{Seed: 1, Workers: r.workers}, 10*time.Second, r.looks))
		end()
		if got != goldenTrace {
			t.Errorf("run %d, %+v: %s, want %s", i, r, got, goldenTrace)
		}
	}
}

// The hash covers poses, bytes and messages: whatever differs shows.
func TestTraceShowsEveryDifference(t *testing.T) {
	first := hashOf(swarm(t, 8, sim.Options{Seed: 1}, time.Second, 0))
	seen := map[string]string{first: "first"}
	for what, s := range map[string]*sim.Simulation{
		"another seed":    swarm(t, 8, sim.Options{Seed: 2}, time.Second, 0),
		"a robot more":    swarm(t, 9, sim.Options{Seed: 1}, time.Second, 0),
		"50 ms more":      swarm(t, 8, sim.Options{Seed: 1}, 1050*time.Millisecond, 0),
		"without noise":   swarm(t, 8, sim.Options{Seed: 1, Quiet: true}, time.Second, 0),
		"something added": recorded(swarm(t, 8, sim.Options{Seed: 1}, time.Second, 0)),
	} {
		h := hashOf(s)
		if other, ok := seen[h]; ok {
			t.Errorf("%s has the hash of %s", what, other)
		}
		seen[h] = what
	}
}

func recorded(s *sim.Simulation) *sim.Simulation {
	s.Robots()[3].Record("odom", []byte{1})
	return s
}
