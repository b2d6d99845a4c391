// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"bytes"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
)

// crowd returns a world of robots of all kinds that collide with each other.
func crowd(t testing.TB) *rig {
	text := "arena: {size: [1.5, 1.5]}\nrobots:\n  - {name: e, level: functional, position: [0.6, 0.6]}\n"
	for i, name := range library.Names() {
		text += robotAt("r"+string(rune('a'+i)), name, -0.5+0.25*float64(i), 0.1*float64(i%2), float64(i))
	}
	return newRig(t, text, func(o *sim.Options) { o.Quiet = false })
}

// wander runs a controller of all robots that depends on their measurements.
func (r *rig) wander(seconds int) {
	for range 10 * seconds {
		for i := range sim.RobotsOf[*sim.Articulated](r.sim) {
			sum := 0.0
			r.do(i, func(m *machine.Machine) {
				for k := range m.Description().Devices {
					for _, v := range m.Measure(k, nil) {
						if v < 1e3 && v > -1e3 {
							sum += v
						}
					}
				}
			})
			r.drive(i, 3+float64(int(sum*1000)%7), 3+float64(int(sum*777)%5))
		}
		sim.RobotsOf[*sim.Functional](r.sim)[0].Do(func(c *sim.Control) { c.SetWheels(3+c.Proximity()[0]/100, 4) })
		r.pass(100 * time.Millisecond)
	}
}

// TestDescribedRunsRepeat: a run of robots by their descriptions is the same on any number of processors.
func TestDescribedRunsRepeat(t *testing.T) {
	var want [32]byte
	for i, procs := range []int{1, 4, 2} {
		old := runtime.GOMAXPROCS(procs)
		r := crowd(t)
		r.wander(8)
		got := r.sim.TraceHash()
		runtime.GOMAXPROCS(old)
		if i == 0 {
			want = got
		} else if got != want {
			t.Fatalf("%x with %d processors, not %x", got, procs, want)
		}
	}
}

// A world restored from a checkpoint continues like the uninterrupted one.
func TestSnapshot(t *testing.T) {
	r := crowd(t)
	r.wander(3)
	var file bytes.Buffer
	if err := r.sim.Snapshot(&file); err != nil {
		t.Fatal(err)
	}
	r.wander(3)
	want := r.sim.TraceHash()
	again := &rig{t: t, clock: sim.NewClock(), opts: r.opts}
	again.opts.Now = again.clock.Now
	var err error
	if again.sim, err = sim.Restore(&file, again.opts, nil); err != nil {
		t.Fatal(err)
	}
	again.wander(3)
	if got := again.sim.TraceHash(); got != want {
		t.Errorf("%x, not %x", got, want)
	}
}

// Robots are added and removed while the world runs.
func TestSpawnArticulated(t *testing.T) {
	r := newRig(t, arena(robotAt("a", "thymio2", 0, 0, 0)))
	w := newWorldRobot("b", "khepera4", 0.5, 0)
	v, err := r.sim.Spawn(w)
	if err != nil || v.Name() != "b" || v.Level() != "described" {
		t.Fatal(v, err)
	}
	if _, err := r.sim.Spawn(w); err == nil {
		t.Error("a name twice")
	}
	w.Name = "c"
	if _, err := r.sim.Spawn(w); !errors.Is(err, sim.ErrOccupied) {
		t.Errorf("into another robot: %v", err)
	}
	if w.Model = "nonsense"; true {
		if _, err := r.sim.Spawn(w); !errors.Is(err, library.ErrNoRobot) {
			t.Errorf("of no model: %v", err)
		}
	}
	if err := r.sim.Remove("a"); err != nil {
		t.Fatal(err)
	}
	if n := len(sim.RobotsOf[*sim.Articulated](r.sim)); n != 1 {
		t.Errorf("%d articulated robots", n)
	}
	r.drive(0, -5, -5)
	r.pass(5 * time.Second)
	near(t, "where the other one was", r.pose(0).X, 0.5-5*0.021*5, 0.01)
}

// A program without models returns an error.
func TestNoMaker(t *testing.T) {
	w, err := sim.ParseWorld([]byte("robots:\n" + robotAt("a", "thymio2", 0, 0, 0)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sim.New(w, sim.Options{}); !errors.Is(err, sim.ErrModel) {
		t.Error(err)
	}
}

// TestStepDoesNotAllocate: articulated robots that drive among e-pucks and collide with them do not allocate.
func TestStepDoesNotAllocate(t *testing.T) {
	r := crowd(t)
	for i := range sim.RobotsOf[*sim.Articulated](r.sim) {
		r.drive(i, 4, 3+0.5*float64(i))
	}
	sim.RobotsOf[*sim.Functional](r.sim)[0].Do(func(c *sim.Control) { c.SetWheels(3, 4) })
	r.pass(20 * time.Second) // lists have reached their final capacity
	if n := testing.AllocsPerRun(300, func() { r.pass(sim.CycleTime) }); n != 0 {
		t.Errorf("%v allocations in a cycle", n)
	}
}
