// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// newRobot makes a robot of a checked world file, which is not in the world yet. The caller does not hold the lock.
func (s *Simulation) newRobot(w *world.Robot) (*unit, error) {
	src := s.root.Named(w.Name)
	var p plant
	var err error
	switch {
	case w.Model != "":
		p, err = newArticulated(s, w, src)
	case w.Level == world.LevelFunctional:
		p = newFunctional(s, w, src)
	default:
		p, err = newFirmware(s, w, src)
	}
	if err != nil {
		return nil, err
	}
	u := p.shared()
	if s.opts.Trace {
		u.trace = newTrace(w.Name)
	}
	return u, nil
}

// enter adds a robot to the world, after all others.
func (s *Simulation) enter(u *unit) {
	u.place = len(s.units)
	s.units = append(s.units, u)
	s.kernel.Add(u.member())
	u.plant.onEnter()
	s.changed()
}

// changed notes that robots were added or removed.
func (s *Simulation) changed() {
	s.measure()
	s.scattered.Store(true)
	s.aired = false
}

// Robots returns the robots of all kinds in the order of the world file, those that were spawned later last.
func (s *Simulation) Robots() []Robot {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Robot, len(s.units))
	for i, u := range s.units {
		all[i] = u.plant
	}
	return all
}

// RobotsOf returns the robots of one kind, a [*Firmware], [*Functional] or [*Articulated], in the order of
// [Simulation.Robots].
func RobotsOf[T Robot](s *Simulation) (list []T) {
	for _, r := range s.Robots() {
		if t, ok := r.(T); ok {
			list = append(list, t)
		}
	}
	return list
}

// RobotOf returns the robot of a kind with a name; [Robot] stands for any kind. It returns ErrNoRobot if there is none.
func RobotOf[T Robot](s *Simulation, name string) (robot T, err error) {
	robots := RobotsOf[T](s)
	names := make([]string, 0, len(robots))
	for _, r := range robots {
		if r.Name() == name {
			return r, nil
		}
		names = append(names, r.Name())
	}
	return robot, fmt.Errorf("%w %q, there are %s", ErrNoRobot, name, strings.Join(names, ", "))
}

// Spawn adds a robot of any kind to the running world. It returns an error wrapping world.ErrWorld if the description
// is invalid or the name is taken, that of [Options.Mechanisms] for a robot with a model, and ErrOccupied if there is
// no space; then nothing has changed.
func (s *Simulation) Spawn(w world.Robot) (Robot, error) {
	if err := (&World{Robots: []world.Robot{w}}).Check(); err != nil {
		return nil, err
	}
	u, err := s.newRobot(&w)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	if s.named(w.Name) {
		return nil, fmt.Errorf("%w: %q is also the name of something else", world.ErrWorld, w.Name)
	}
	if !u.plant.fits() {
		return nil, u.occupied()
	}
	s.settle()
	s.enter(u)
	u.dock()
	u.plant.stepMotors(s.kernel.Time()) // a processor starts now
	return u.plant, nil
}

// occupied is the error of a robot that does not fit where it is.
func (u *unit) occupied() error {
	at := u.position()
	return fmt.Errorf("robot %q at (%g, %g) m: %w", u.name, at.X, at.Y, u.sim.placementError(at, u.radius))
}

// named reports whether something in the world has a name.
func (s *Simulation) named(name string) bool {
	_, thing := s.things[name]
	return thing || s.person(name) >= 0 || slices.ContainsFunc(s.units, func(u *unit) bool { return u.name == name })
}

// Remove takes a robot of any kind out of the running world; what is left of it, its buses for instance, can't be
// used any more. It returns ErrNoRobot for an unknown name.
func (s *Simulation) Remove(name string) error {
	s.mu.Lock()
	i := slices.IndexFunc(s.units, func(u *unit) bool { return u.name == name })
	if i < 0 {
		s.mu.Unlock()
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
	u.plant.shutDown()
	return nil
}

// leave takes a unit out of all lists.
func (s *Simulation) leave(u *unit) {
	u.listen(false)
	u.inAir = true
	s.units = slices.Delete(s.units, u.place, u.place+1)
	for i := u.place; i < len(s.units); i++ {
		s.units[i].place = i
	}
	s.kernel.Remove(u.place)
	u.plant.onLeave()
	s.changed()
}
