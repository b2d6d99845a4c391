// SPDX-License-Identifier: Apache-2.0

package swarm_test

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/swarm"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// field is a square arena with n robots of a level in it.
func field(t testing.TB, side float64, n int, level string) *sim.World {
	t.Helper()
	w, err := sim.ParseWorld([]byte(fmt.Sprintf("arena: {size: [%g, %g]}\nrange_and_bearing: {range: 0.3}\nrobots: [{name: r}]", side, side)))
	if err != nil {
		t.Fatal(err)
	}
	w.Robots[0].Level = level
	if err := sim.Distribute(w, n, sim.Uniform, 3); err != nil {
		t.Fatal(err)
	}
	return w
}

func run(t testing.TB, w *sim.World, cfg swarm.Config, d time.Duration) *swarm.Run {
	t.Helper()
	r, err := swarm.New(w, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Advance(context.Background(), d); err != nil {
		t.Fatal(err)
	}
	return r
}

func named(t testing.TB, name string) swarm.Maker {
	t.Helper()
	m, err := swarm.Named(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Avoiders cover the floor and hardly touch anything, at both levels alike.
func TestAvoidance(t *testing.T) {
	var covered [2]float64
	for i, level := range []string{world.LevelFirmware, world.LevelFunctional} {
		s := run(t, field(t, 1.5, 8, level), swarm.Config{Seed: 1, Controller: named(t, "avoid")}, time.Minute).Statistics()
		t.Logf("%s: %+v", level, s)
		if s.Robots != 8 || s.Time != time.Minute || s.Way < 1.5 || s.Covered < 0.6 {
			t.Errorf("%s: %+v", level, s)
		}
		covered[i] = s.Covered
		blind := run(t, field(t, 1.5, 8, level), swarm.Config{Seed: 1, Controller: func(string) swarm.Controller { return blind{} }}, time.Minute).Statistics()
		if s.Collisions*4 > blind.Collisions*3 && s.Way < 2*blind.Way {
			t.Errorf("%s: %d collisions, without avoidance %d", level, s.Collisions, blind.Collisions)
		}
	}
	if math.Abs(covered[0]-covered[1]) > 0.35*covered[0] {
		t.Errorf("the levels cover %v m²", covered)
	}
}

type blind struct{}

func (blind) Step(r swarm.Robot) { r.SetWheels(5, 5) }

// Aggregating robots gather; others don't.
func TestAggregation(t *testing.T) {
	n, d := 40, 5*time.Minute
	if !suite.Long {
		n, d = 20, 2*time.Minute
	}
	gathered := run(t, field(t, 2.5, n, world.LevelFunctional), swarm.Config{Seed: 2, Controller: named(t, "aggregate")}, d).Statistics()
	spreadOut := run(t, field(t, 2.5, n, world.LevelFunctional), swarm.Config{Seed: 2, Controller: named(t, "avoid")}, d).Statistics()
	t.Logf("aggregating %+v, avoiding %+v", gathered, spreadOut)
	if gathered.Clusters >= spreadOut.Clusters*3/4 {
		t.Errorf("%d clusters with aggregation, %d without", gathered.Clusters, spreadOut.Clusters)
	}
}

// The same controllers give the same run on any number of processors, and levels mix.
func TestRunsRepeat(t *testing.T) {
	trace := func(workers int) string {
		w := field(t, 2, 40, world.LevelFunctional)
		for i := range w.Robots {
			if i%5 == 0 {
				w.Robots[i].Level = world.LevelFirmware
			}
		}
		r := run(t, w, swarm.Config{Seed: 5, Controller: named(t, "aggregate"), Workers: workers, Trace: true}, 20*time.Second)
		h := r.Simulation().TraceHash()
		return hex.EncodeToString(h[:])
	}
	want := trace(1)
	for workers := 2; workers < 5; workers++ {
		if got := trace(workers); got != want {
			t.Errorf("%d workers: %s, one: %s", workers, got, want)
		}
	}
}

// everything uses all sensors and actuators of a robot.
type everything struct {
	t     *testing.T
	level string
	steps int
}

func (e *everything) Step(r swarm.Robot) {
	e.steps++
	r.SetWheels(2, 3)
	if err := r.Say(make([]byte, sim.MaxMessage+1)); !errors.Is(err, sim.ErrRange) {
		e.t.Errorf("%s: %v", e.level, err)
	}
	if err := r.Say([]byte(r.Name())); err != nil {
		e.t.Error(err)
	}
	angle, speed := r.Wheels()
	if e.steps == 20 && (math.Abs(angle[0]-2*1.9) > 0.15 || math.Abs(angle[1]-3*1.9) > 0.2 || math.Abs(speed[0]-2) > 0.05) {
		e.t.Errorf("%s: wheels %v at %v rad/s", e.level, angle, speed)
	}
	if e.steps > 2 {
		if h := r.Heard(); e.steps > 4 && len(h) > 1 || e.steps == 10 && len(h) == 0 {
			e.t.Errorf("%s: heard %v", e.level, h)
		}
	}
	if g := r.Ground(); e.steps > 2 && (g[0] < 500 || g[2] < 500) {
		e.t.Errorf("%s: ground %v on white", e.level, g)
	}
	if want := time.Duration(e.steps) * 100 * time.Millisecond; r.Time() != want {
		e.t.Errorf("%s: time %v in step %d", e.level, r.Time(), e.steps)
	}
	if v := r.Random(); v < 0 || v >= 1 {
		e.t.Errorf("random %g", v)
	}
}

func TestRobotIsWholeAtBothLevels(t *testing.T) {
	for _, level := range world.Levels() {
		w, err := sim.ParseWorld([]byte("range_and_bearing: {loss: 0}\nrobots: [{name: a}, {name: b, position: [0, 0.15]}]"))
		if err != nil {
			t.Fatal(err)
		}
		w.Robots[0].Level, w.Robots[1].Level = level, level
		all := make(map[string]*everything)
		run(t, w, swarm.Config{Seed: 1, Controller: func(name string) swarm.Controller {
			all[name] = &everything{t: t, level: level}
			return all[name]
		}}, 2*time.Second)
		if all["a"].steps != 20 || all["b"].steps != 20 {
			t.Errorf("%s: %d and %d steps", level, all["a"].steps, all["b"].steps)
		}
	}
}

func TestRefused(t *testing.T) {
	w := field(t, 1, 2, world.LevelFunctional)
	if _, err := swarm.New(w, swarm.Config{}); !errors.Is(err, swarm.ErrConfig) {
		t.Error(err)
	}
	if _, err := swarm.New(w, swarm.Config{Controller: named(t, "avoid"), Period: 15 * time.Millisecond}); !errors.Is(err, sim.ErrRange) {
		t.Error(err)
	}
	if _, err := swarm.Named("dance", nil); !errors.Is(err, swarm.ErrController) {
		t.Error(err)
	}
	if _, err := swarm.Named("avoid", map[string]float64{"stay": 1}); !errors.Is(err, swarm.ErrController) {
		t.Error(err)
	}
	r, err := swarm.New(w, swarm.Config{Controller: named(t, "none")})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := r.Advance(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Time that is given in steps of any length gives the same run as whole control periods, at both levels, and robots
// that come and go meanwhile get their controller and lose it.
func TestUntilIsAdvance(t *testing.T) {
	for _, level := range []string{world.LevelFunctional, world.LevelFirmware} {
		cfg := swarm.Config{Seed: 5, Controller: named(t, "avoid"), Trace: true}
		whole := run(t, field(t, 1, 5, level), cfg, 2*time.Second)
		pieces := run(t, field(t, 1, 5, level), cfg, 0)
		for _, ms := range []int{10, 30, 30, 100, 250, 990, 1000, 1990, 2000} {
			if err := pieces.Until(t.Context(), time.Duration(ms)*time.Millisecond); err != nil {
				t.Fatal(err)
			}
		}
		if whole.Simulation().TraceHash() != pieces.Simulation().TraceHash() || whole.Statistics() != pieces.Statistics() {
			t.Errorf("%s: %+v, in pieces %+v", level, whole.Statistics(), pieces.Statistics())
		}
		late := field(t, 1, 5, level).Robots[0]
		late.Name = "late"
		m, err := pieces.Simulation().Spawn(late)
		for x := -0.4; errors.Is(err, sim.ErrOccupied) && x < 0.45; x += 0.1 {
			late.Position = world.Point{x, x}
			m, err = pieces.Simulation().Spawn(late)
		}
		if err == nil {
			err = errors.Join(pieces.Add(m), pieces.Until(t.Context(), 3*time.Second))
		}
		if err != nil {
			t.Fatal(err)
		}
		if m.GroundTruth().LeftWheel == 0 {
			t.Errorf("%s: the robot that came late does not drive", level)
		}
		if err := errors.Join(pieces.Remove("late"), pieces.Simulation().Remove("late"), pieces.Until(t.Context(), 4*time.Second)); err != nil {
			t.Errorf("%s: %v", level, err)
		}
	}
}
