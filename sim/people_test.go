// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"bytes"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

const streetWorld = `
arena: {center: [0, 0], size: [4, 2]}
boxes: [{name: crate, position: [1.2, 0.5], size: [0.2, 0.2]}]
robots:
  - {name: a, level: functional, position: [-1.5, 0]}
  - {name: b, level: firmware, position: [-1.5, 0.5]}
`

func street(t *testing.T, opts sim.Options) (*sim.Simulation, *sim.Clock) {
	t.Helper()
	w, err := sim.ParseWorld([]byte(streetWorld))
	if err != nil {
		t.Fatal(err)
	}
	clock := sim.NewClock()
	opts.Now, opts.Settled, opts.MaxCatchUp = clock.Now, true, -1
	s, err := sim.New(w, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s, clock
}

func walker(name string, x, y float64, path ...geom.Vec) sim.Person {
	p := sim.DefaultPerson()
	p.Name, p.Pose, p.Path = name, sim.Pose{X: x, Y: y}, path
	return p
}

func TestPersonsWalkTheirWayAtTheirSpeed(t *testing.T) {
	s, clock := street(t, sim.Options{})
	if err := s.Admit(walker("ann", 0, -0.5, geom.Vec{X: 0.5, Y: -0.5}, geom.Vec{X: 0.5, Y: 0})); err != nil {
		t.Fatal(err)
	}
	clock.Sleep(500 * time.Millisecond)
	p := s.Persons()[0]
	if math.Abs(p.Pose.X-0.25) > 1e-9 || p.Pose.Y != -0.5 || !p.Walking {
		t.Errorf("after 0.5 s at 0.5 m/s: %+v", p)
	}
	clock.Sleep(700 * time.Millisecond)
	if p = s.Persons()[0]; math.Abs(p.Pose.Y+0.4) > 1e-9 || math.Abs(p.Pose.Theta-math.Pi/2) > 1e-9 || math.Abs(p.Way-0.6) > 1e-9 {
		t.Errorf("after 1.2 s, round the corner: %+v", p)
	}
	clock.Sleep(3 * time.Second)
	if p = s.Persons()[0]; p.Pose.Position() != (geom.Vec{X: 0.5}) || p.Walking || len(p.Path) > 0 {
		t.Errorf("at the end of the way: %+v", p)
	}
}

func TestPersonsAreObstacles(t *testing.T) {
	for _, name := range []string{"a", "b"} {
		s, clock := street(t, sim.Options{Quiet: true})
		m := member(t, s, name)
		from := m.GroundTruth().Pose
		if err := s.Admit(walker("ann", from.X+0.5, from.Y)); err != nil {
			t.Fatal(err)
		}
		if err := m.OverrideMotors(sim.MotorOverride{Held: true, Speed: 0.1}); err != nil {
			t.Fatal(err)
		}
		clock.Sleep(5 * time.Second)
		got := m.GroundTruth()
		if want := from.X + 0.5 - 0.15 - 0.037; math.Abs(got.Pose.X-want) > 1e-3 || got.Collisions != 1 {
			t.Errorf("robot %s drives against a person and is at x = %.4f, want %.4f; %d collisions", name, got.Pose.X, want, got.Collisions)
		}
		if err := s.Dismiss("ann"); err != nil {
			t.Fatal(err)
		}
		clock.Sleep(time.Second)
		if went := m.GroundTruth().Pose.X - got.Pose.X; math.Abs(went-0.1) > 2e-3 {
			t.Errorf("the person has gone and robot %s has gone on by %.4f m in a second, want 0.1", name, went)
		}
	}
}

func TestPersonsAreSeen(t *testing.T) {
	s, clock := street(t, sim.Options{Quiet: true})
	a := sim.RobotsOf[*sim.Functional](s)[0]
	clock.Sleep(100 * time.Millisecond)
	distance := func() (d float64) {
		a.Do(func(c *sim.Control) { d = c.Distance() })
		return d
	}
	far := distance()
	if err := s.Admit(walker("ann", -1.5+0.3, 0)); err != nil {
		t.Fatal(err)
	}
	if near := distance(); !(near < 0.2) || !(far > 0.3) {
		t.Errorf("the time-of-flight sensor reads %.3f m without the person and %.3f m with her 0.15 m ahead", far, near)
	}
}

func TestPersonsWaitForWhatIsInTheWay(t *testing.T) {
	s, clock := street(t, sim.Options{})
	for _, p := range []sim.Person{
		walker("ann", -0.8, 0, geom.Vec{X: -1.9}),             // robot a
		walker("bob", 0.5, 0.5, geom.Vec{X: 1.8, Y: 0.5}),     // the crate
		walker("cec", 0.5, -0.5, geom.Vec{X: 0.5, Y: -1.5}),   // the wall
		walker("dan", -0.5, -0.5, geom.Vec{X: 0.49, Y: -0.5}), // cec
	} {
		if err := s.Admit(p); err != nil {
			t.Fatal(err)
		}
	}
	clock.Sleep(5 * time.Second)
	want := []geom.Vec{{X: -1.5 + 0.187}, {X: 1.1 - 0.15, Y: 0.5}, {X: 0.5, Y: -1 + 0.15}}
	for i, p := range s.Persons()[:3] {
		if !p.Blocked || p.Pose.Position().Sub(want[i]).Norm() > 0.006 {
			t.Errorf("%s is at %v, blocked %v, want about %v", p.Name, p.Pose, p.Blocked, want[i])
		}
	}
	if sim.RobotsOf[*sim.Functional](s)[0].GroundTruth().Pose.X != -1.5 {
		t.Error("a person has pushed a robot")
	}
}

func TestPersonsThatCannotBe(t *testing.T) {
	s, _ := street(t, sim.Options{})
	ok := walker("ann", 0, 0)
	if err := s.Admit(ok); err != nil {
		t.Fatal(err)
	}
	change := func(f func(p *sim.Person)) sim.Person {
		p := walker("bob", 0, -0.5)
		f(&p)
		return p
	}
	for name, c := range map[string]struct {
		p    sim.Person
		want error
	}{
		"no name":        {change(func(p *sim.Person) { p.Name = "" }), sim.ErrRange},
		"name taken":     {change(func(p *sim.Person) { p.Name = "ann" }), world.ErrWorld},
		"robot's name":   {change(func(p *sim.Person) { p.Name = "a" }), world.ErrWorld},
		"thing's name":   {change(func(p *sim.Person) { p.Name = "crate" }), world.ErrWorld},
		"in a person":    {change(func(p *sim.Person) { p.Pose = ok.Pose }), sim.ErrOccupied},
		"in a robot":     {change(func(p *sim.Person) { p.Pose.X, p.Pose.Y = -1.5, 0 }), sim.ErrOccupied},
		"in a wall":      {change(func(p *sim.Person) { p.Pose.X = 2 }), sim.ErrOccupied},
		"no number":      {change(func(p *sim.Person) { p.Pose.X = math.NaN() }), sim.ErrRange},
		"way to nowhere": {change(func(p *sim.Person) { p.Path = []geom.Vec{{X: math.Inf(1)}} }), sim.ErrRange},
		"too quick":      {change(func(p *sim.Person) { p.Speed = 11 }), sim.ErrRange},
		"too thick":      {change(func(p *sim.Person) { p.Radius = 3 }), sim.ErrRange},
	} {
		if err := s.Admit(c.p); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
	if err := s.Guide("ann", func(p *sim.Person) { p.Pose.X = -1.5 }); !errors.Is(err, sim.ErrOccupied) {
		t.Errorf("a person moved into a robot: %v", err)
	}
	if err := s.Guide("zoe", func(*sim.Person) {}); !errors.Is(err, sim.ErrNoPerson) {
		t.Errorf("unknown person guided: %v", err)
	}
	if err := s.Dismiss("zoe"); !errors.Is(err, sim.ErrNoPerson) {
		t.Errorf("unknown person dismissed: %v", err)
	}
	if n := len(s.Persons()); n != 1 {
		t.Errorf("%d persons", n)
	}
}

func TestOverrideKeepsTheTurningAndReleases(t *testing.T) {
	s, clock := street(t, sim.Options{Quiet: true})
	a := sim.RobotsOf[*sim.Functional](s)[0]
	a.Do(func(c *sim.Control) { c.SetWheels(-1, 1) })
	clock.Sleep(100 * time.Millisecond)
	turning := a.GroundTruth().Omega
	if err := a.OverrideMotors(sim.MotorOverride{Held: true, Speed: 0.05}); err != nil {
		t.Fatal(err)
	}
	clock.Sleep(100 * time.Millisecond)
	if got := a.GroundTruth(); math.Abs(got.V-0.05) > 1e-3 || math.Abs(got.Omega-turning) > 0.02 {
		t.Errorf("held at 0.05 m/s while turning at %.3f rad/s: %.4f m/s, %.3f rad/s", turning, got.V, got.Omega)
	}
	if err := a.OverrideMotors(sim.MotorOverride{Held: true, Speed: 0.05, Limited: true, Limit: 0.02}); err != nil {
		t.Fatal(err)
	}
	clock.Sleep(100 * time.Millisecond)
	if got := a.GroundTruth(); math.Abs(got.V-0.02) > 1e-3 {
		t.Errorf("limited to 0.02 m/s: %.4f", got.V)
	}
	if err := a.OverrideMotors(sim.MotorOverride{}); err != nil {
		t.Fatal(err)
	}
	clock.Sleep(100 * time.Millisecond)
	if got := a.GroundTruth(); got.V != 0 || got.Omega != turning {
		t.Errorf("released: %.4f m/s, %.3f rad/s, want 0, %.3f", got.V, got.Omega, turning)
	}
	if err := a.OverrideMotors(sim.MotorOverride{Held: true, Speed: math.NaN()}); !errors.Is(err, sim.ErrRange) {
		t.Errorf("no number: %v", err)
	}
}

func TestPaintHidesWhatTheRobotShows(t *testing.T) {
	s, _ := street(t, sim.Options{})
	red := vmcu.LEDs{Red: [4]bool{true, true, true, true}}
	for _, m := range s.Robots() {
		before := m.GroundTruth().LEDs
		m.OverrideLEDs(red, true)
		if got := m.GroundTruth().LEDs; got != red {
			t.Errorf("%s shows %v", m.Name(), got)
		}
		m.OverrideLEDs(vmcu.LEDs{}, false)
		if got := m.GroundTruth().LEDs; got != before {
			t.Errorf("%s shows %v, want what it did", m.Name(), got)
		}
	}
}

func TestPlaceAtBothLevels(t *testing.T) {
	s, _ := street(t, sim.Options{})
	for i, m := range s.Robots() {
		to := sim.Pose{X: float64(i) * 0.5, Y: -0.3, Theta: 1}
		if err := m.Place(to); err != nil || m.GroundTruth().Pose != to {
			t.Errorf("%s at %v: %v", m.Name(), m.GroundTruth().Pose, err)
		}
		if err := m.Place(sim.Pose{X: 1.2, Y: 0.5}); !errors.Is(err, sim.ErrOccupied) || m.GroundTruth().Pose != to {
			t.Errorf("%s onto the crate: %v", m.Name(), err)
		}
	}
}

func TestSnapshotHoldsPersons(t *testing.T) {
	s, clock := street(t, sim.Options{Trace: true})
	if err := s.Admit(walker("ann", 0, 0, geom.Vec{X: 1})); err != nil {
		t.Fatal(err)
	}
	clock.Sleep(time.Second)
	var file bytes.Buffer
	if err := s.Snapshot(&file); err != nil {
		t.Fatal(err)
	}
	again, err := sim.Restore(&file, sim.Options{Now: clock.Now}, nil)
	if err != nil {
		t.Fatal(err)
	}
	clock.Sleep(500 * time.Millisecond)
	if a, b := s.TraceHash(), again.TraceHash(); a != b {
		t.Errorf("restored: %x, continued: %x", b, a)
	}
	if p := again.Persons()[0]; math.Abs(p.Pose.X-0.75) > 1e-9 {
		t.Errorf("restored person is at %v", p.Pose)
	}
}

func member(t *testing.T, s *sim.Simulation, name string) sim.Robot {
	t.Helper()
	r, err := sim.RobotOf[sim.Robot](s, name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
