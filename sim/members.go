// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Member is a robot of either level: *Robot or *Agent.
type Member interface {
	// Name returns the robot's name in the world file.
	Name() string
	// Truth lets the world catch up with the clock and returns what is so.
	Truth() Truth
	// Say, Listen and Hear are the messages between robots by infrared.
	Say(payload []byte) error
	Listen(on bool)
	Hear(dst []Heard) ([]Heard, time.Duration)
	// Record adds something to the robot's part of the trace.
	Record(topic string, message []byte)
	// Level returns the robot's level, one of world.Levels.
	Level() string
	// Cost returns what the robot's work costs its processor, and SetComputer says what the computer takes of the
	// battery beside what it takes at rest, A.
	Cost() world.Cost
	SetComputer(current float64)
	// Place puts the robot down somewhere, Hold and Paint are a co-simulator's hands on its motors and its LEDs.
	Place(pose Pose) error
	Hold(r Rein) error
	Paint(l vmcu.LEDs, on bool)
}

var (
	_ Member = (*Robot)(nil)
	_ Member = (*Agent)(nil)
)

// newMember makes a robot of a checked world file, which is not in the world yet. The caller does not hold the lock.
func (s *Simulation) newMember(w *world.Robot) (*unit, error) {
	src := s.root.Named(w.Name)
	var u *unit
	if w.Level == world.LevelFunctional {
		u = &newAgent(s, w, src).unit
	} else {
		r, err := newRobot(s, w, src)
		if err != nil {
			return nil, err
		}
		u = &r.unit
	}
	if s.opts.Trace {
		u.trace = newTrace(w.Name)
	}
	return u, nil
}

// enter puts a robot in its place, last of all.
func (s *Simulation) enter(u *unit) {
	u.place = len(s.units)
	s.units = append(s.units, u)
	if u.robot != nil {
		s.robots = append(s.robots, u.robot)
	} else {
		s.agents = append(s.agents, u.agent)
	}
	s.scattered.Store(true)
	s.aired = false
}

// member returns the robot that a unit is part of.
func (u *unit) member() Member {
	if u.robot != nil {
		return u.robot
	}
	return u.agent
}

// Members returns the robots of all levels in the order of the world file, those that came later last.
func (s *Simulation) Members() []Member {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Member, len(s.units))
	for i, u := range s.units {
		all[i] = u.member()
	}
	return all
}

// Robots returns the robots of the firmware level in the order of the world file.
func (s *Simulation) Robots() []*Robot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.robots)
}

// Agents returns the robots of the functional level in the order of the world file.
func (s *Simulation) Agents() []*Agent {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.agents)
}

// Robot returns the robot of the firmware level with a name, or ErrNoRobot.
func (s *Simulation) Robot(name string) (*Robot, error) {
	robots := s.Robots()
	names := make([]string, 0, len(robots))
	for _, r := range robots {
		if r.name == name {
			return r, nil
		}
		names = append(names, r.name)
	}
	return nil, fmt.Errorf("%w %q, there are %s", ErrNoRobot, name, strings.Join(names, ", "))
}

// Add puts one more robot into the running world. It returns an error wrapping world.ErrWorld if the description makes
// no sense or the name is taken, and ErrOccupied if there is no room; then nothing has changed.
func (s *Simulation) Add(w world.Robot) (Member, error) {
	if err := (&World{Robots: []world.Robot{w}}).Check(); err != nil {
		return nil, err
	}
	if w.Model != "" {
		return nil, fmt.Errorf("%w: robot %q: those with a model are invited", ErrModel, w.Name)
	}
	u, err := s.newMember(&w)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	if s.named(w.Name) {
		return nil, fmt.Errorf("%w: %q is also the name of something else", world.ErrWorld, w.Name)
	}
	if at := u.body.Position(); !s.scene.Free(at, u.crowded(at)) {
		return nil, fmt.Errorf("robot %q at (%g, %g) m: %w", u.name, at.X, at.Y, ErrOccupied)
	}
	s.settle()
	s.enter(u)
	if r := u.robot; r != nil { // its processor starts now
		r.mcu.Advance(s.time)
	}
	return u.member(), nil
}

// named reports whether something in the world has a name.
func (s *Simulation) named(name string) bool {
	_, thing := s.things[name]
	return thing || s.person(name) >= 0 || slices.ContainsFunc(s.units, func(u *unit) bool { return u.name == name }) ||
		slices.ContainsFunc(s.visitors, func(v *Visitor) bool { return v.name == name })
}

// Remove takes a robot out of the running world; what is left of it, its buses for instance, is of no use any more. It
// returns ErrNoRobot for an unknown name.
func (s *Simulation) Remove(name string) error {
	s.mu.Lock()
	i := slices.IndexFunc(s.units, func(u *unit) bool { return u.name == name })
	if i < 0 {
		defer s.mu.Unlock()
		if s.seeOff(name) {
			return nil
		}
		return fmt.Errorf("%w %q", ErrNoRobot, name)
	}
	s.catchUp()
	s.settle()
	u := s.units[i]
	if u.trace != nil {
		s.gone.Write(text(nil, name))
		s.gone.Write(u.trace.sum.Sum(nil))
	}
	s.leave(u)
	s.mu.Unlock()
	if u.robot != nil { // a transfer under way waits for the lock
		_ = u.robot.bus.Close()
		_ = u.robot.board.Close()
	}
	return nil
}

// leave takes a unit out of all lists.
func (s *Simulation) leave(u *unit) {
	u.listen(false)
	if u.agent != nil && u.agent.controller != nil {
		s.controlled--
	}
	u.inAir = true
	s.units = slices.Delete(s.units, u.place, u.place+1)
	for i := u.place; i < len(s.units); i++ {
		s.units[i].place = i
	}
	s.robots = slices.DeleteFunc(s.robots, func(r *Robot) bool { return &r.unit == u })
	s.agents = slices.DeleteFunc(s.agents, func(a *Agent) bool { return &a.unit == u })
	s.scattered.Store(true)
	s.aired = false
}
