// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// start runs a world on its own clock.
func start(t testing.TB, w *sim.World, opts sim.Options) (*sim.Simulation, *sim.Clock) {
	t.Helper()
	clock := sim.NewClock()
	opts.Now, opts.Settled = clock.Now, true
	s, err := sim.New(w, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s, clock
}

// apart fails if two bodies overlap by more than rounding.
func apart(t interface{ Fatalf(string, ...any) }, s *sim.Simulation) {
	all := s.Robots()
	at := make([]sim.Pose, len(all))
	for i, m := range all {
		at[i] = m.GroundTruth().Pose
		for j := range i {
			if d := math.Hypot(at[i].X-at[j].X, at[i].Y-at[j].Y); !(d > 2*physics.BodyRadius-1e-6) {
				t.Fatalf("%s and %s are %g m apart", all[i].Name(), all[j].Name(), d)
			}
		}
	}
}

// huddle drives to the middle of the world, even if another robot is there.
type huddle struct{}

func (huddle) Step(c *sim.Control) {
	p := c.Pose()
	turn := math.Remainder(math.Atan2(-p.Y, -p.X)-p.Theta, 2*math.Pi)
	c.SetWheels(6-4*turn, 6+4*turn)
}

// A thousand robots that all want to the middle neither explode nor stall: they stay apart, none is thrown, and all go
// on.
func TestRobotsThatCrowdTheMiddleStayApart(t *testing.T) {
	w, err := sim.ParseWorld([]byte("arena: {size: [8, 8]}\nrobots: [{name: r, level: functional}]"))
	if err != nil {
		t.Fatal(err)
	}
	n, seconds := 1000, 40
	if !suite.Long {
		n, seconds = 150, 10
	}
	if err := sim.Distribute(w, n, sim.Gaussian, 3); err != nil {
		t.Fatal(err)
	}
	s, clock := start(t, w, sim.Options{MaxCatchUp: -1})
	before := make(map[string]sim.Pose)
	for _, a := range sim.RobotsOf[*sim.Functional](s) {
		if err := a.SetController(huddle{}, 100*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		before[a.Name()] = a.GroundTruth().Pose
	}
	for range seconds {
		clock.Sleep(time.Second)
		for _, a := range sim.RobotsOf[*sim.Functional](s) {
			p, old := a.GroundTruth().Pose, before[a.Name()]
			if d := math.Hypot(p.X-old.X, p.Y-old.Y); !(d < 0.15) {
				t.Fatalf("%s was thrown %g m in a second", a.Name(), d)
			}
			before[a.Name()] = p
		}
	}
	apart(t, s)
	near, collided := 0, 0
	for _, a := range sim.RobotsOf[*sim.Functional](s) {
		truth := a.GroundTruth()
		if math.Hypot(truth.Pose.X, truth.Pose.Y) < 0.045*math.Sqrt(float64(n)) {
			near++
		}
		if truth.Collisions > 0 {
			collided++
		}
	}
	if suite.Long && (near < n/2 || collided < n*9/10) {
		t.Errorf("%d of %d robots came to the middle, %d bumped", near, n, collided)
	}
}

// What happens to one robot changes nothing for those out of its sight: neither their noise nor anything else.
func TestARobotLostChangesNothingForTheOthers(t *testing.T) {
	paths := func(change func(s *sim.Simulation)) map[string]sim.Pose {
		w := mixed(t, 9)
		for i := range w.Robots { // out of each other's reach
			w.Robots[i].Position = world.Point{float64(10 * i), 0}
		}
		w.Arena, w.Lights = nil, nil
		s, clock := start(t, w, sim.Options{Seed: 4})
		for _, a := range sim.RobotsOf[*sim.Functional](s) {
			if err := a.SetController(new(avoider), 100*time.Millisecond); err != nil {
				t.Fatal(err)
			}
		}
		g := &rig{t: t, clock: clock, robot: sim.RobotsOf[*sim.Firmware](s)[0]}
		g.exchange(300, 400)
		clock.Sleep(time.Second)
		change(s)
		clock.Sleep(3 * time.Second)
		at := make(map[string]sim.Pose)
		for _, m := range s.Robots() {
			at[m.Name()] = m.GroundTruth().Pose
		}
		return at
	}
	want := paths(func(*sim.Simulation) {})
	for what, change := range map[string]func(s *sim.Simulation){
		"removed": func(s *sim.Simulation) {
			if err := s.Remove("r2"); err != nil {
				t.Error(err)
			}
			if err := s.Remove("r4"); err != nil { // a robot of the firmware level
				t.Error(err)
			}
			if err := s.Remove("r4"); !errors.Is(err, sim.ErrNoRobot) {
				t.Errorf("removed twice: %v", err)
			}
		},
		"one more": func(s *sim.Simulation) {
			if _, err := s.Spawn(world.Robot{Name: "late", Position: world.Point{5, 0}, Level: world.LevelFunctional,
				WheelDistance: 0.05, Firmware: world.FirmwareExtension, Equipment: mixed(t, 1).Robots[0].Equipment,
				Battery: world.Battery{Capacity: 6480, Charge: 1}}); err != nil {
				t.Error(err)
			}
		},
	} {
		got := paths(change)
		for name, p := range got {
			if name != "late" && p != want[name] {
				t.Errorf("%s: %s is at %v instead of %v", what, name, p, want[name])
			}
		}
		if len(got) < 7 {
			t.Errorf("%s: %d robots are left", what, len(got))
		}
	}
}

// An added robot must have a name of its own and free space.
func TestAddRefuses(t *testing.T) {
	w := mixed(t, 4)
	s, clock := start(t, w, sim.Options{})
	r := w.Robots[0]
	if _, err := s.Spawn(r); !errors.Is(err, world.ErrWorld) {
		t.Errorf("a name that is taken: %v", err)
	}
	r.Name = "new"
	if _, err := s.Spawn(r); !errors.Is(err, sim.ErrOccupied) {
		t.Errorf("a place that is taken: %v", err)
	}
	r.Position = world.Point{math.NaN(), 0}
	if _, err := s.Spawn(r); !errors.Is(err, world.ErrWorld) {
		t.Errorf("no place: %v", err)
	}
	if n := len(s.Robots()); n != 4 {
		t.Fatalf("%d robots", n)
	}
	r.Position = world.Point{0.8, 0.8}
	m, err := s.Spawn(r)
	if err != nil {
		t.Fatal(err)
	}
	spawned, err := sim.RobotOf[*sim.Firmware](s, m.Name())
	if err != nil {
		t.Fatal(err)
	}
	g := &rig{t: t, clock: clock, robot: spawned}
	g.drive(500, 500, 500*time.Millisecond)
	if x := m.GroundTruth().Pose.X; x < 0.82 {
		t.Errorf("the new robot is at %g", x)
	}
	if err := s.Remove("new"); err != nil {
		t.Fatal(err)
	}
	if err := g.tryExchange(0, 0); err == nil {
		t.Error("a robot that has left answers")
	}
}
