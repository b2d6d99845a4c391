// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/articulated"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/firmware"
	"github.com/epuck-ros2/epuck-driver/sim/functional"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/plant"
	"github.com/epuck-ros2/epuck-driver/sim/trace"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Robot is a robot of any kind in a simulation: a [*Firmware], a [*Functional] or an [*Articulated], which have methods
// for what only they have. All kinds share world, contacts, messages, trace and checkpoints.
type Robot interface {
	// Name returns the robot's name in the world file.
	Name() string
	// Level returns the robot's level: one of world.Levels, or world.LevelDescribed for an articulated robot.
	Level() string
	// Model returns the name of the robot's description; it is empty for an e-puck2 of the two built-in levels.
	Model() string
	// Pose advances the world to the clock's time and returns the pose of the robot's frame.
	Pose() Pose
	// GroundTruth advances the world to the clock's time and returns the robot's true state.
	GroundTruth() GroundTruth
	// Outline returns the robot's solids around its frame, and that frame's name.
	Outline() (solids []geom.Shape, frame string)
	// Place puts the robot on the floor at a pose. It returns ErrRange for an invalid pose, and ErrOccupied and changes
	// nothing if something is there.
	Place(pose Pose) error
	// PickUp takes the robot off the floor: its wheels spin freely, it sees no obstacles and is not seen.
	PickUp()
	// OverrideMotors changes the speed forward that the robot's motors are commanded, until the next call.
	OverrideMotors(o MotorOverride) error
	// OverrideLEDs makes the LEDs show l instead of what the robot commands, or with on false what it commands again.
	OverrideLEDs(l vmcu.LEDs, on bool)
	// Parts returns the equipment that the robot carries now. RemovePart takes one off while the robot runs, AddPart
	// puts one on; both return ErrNoPart for a part that this robot can't have.
	Parts() []Part
	AddPart(p Part) error
	RemovePart(p Part) error
	// Say, Listen and Hear are the messages between robots by infrared (range and bearing).
	Say(payload []byte) error
	Listen(on bool)
	Hear(dst []Heard) ([]Heard, time.Duration)
	// Record adds something to the robot's part of the trace.
	Record(topic string, message []byte)
	// Cost returns what the robot's work costs its processor, and SetComputer sets what the computer takes of the
	// battery above its current at rest, A.
	Cost() world.Cost
	SetComputer(current float64)
}

var (
	_ Robot = (*Firmware)(nil)
	_ Robot = (*Functional)(nil)
	_ Robot = (*Articulated)(nil)
)

// newRobot makes a robot of a checked world file, which is not in the world yet. The caller does not hold the lock.
func (s *Simulation) newRobot(w *world.Robot) (Robot, *plant.Unit, error) {
	src := s.world.Source(w.Name)
	switch {
	case w.Model != "":
		return articulated.New(&s.world, w, src, s.opts.Mechanisms)
	case w.Level == world.LevelFunctional:
		r, u := functional.New(&s.world, w, src)
		return r, u, nil
	}
	return firmware.New(&s.world, w, src)
}

// add adds a robot to the world, after all others.
func (s *Simulation) add(r Robot, u *plant.Unit) {
	s.robots = append(s.robots, r)
	s.world.Add(u)
}

// Robots returns the robots of all kinds in the order of the world file, those that were spawned later last.
func (s *Simulation) Robots() []Robot {
	s.world.Lock()
	defer s.world.Unlock()
	return slices.Clone(s.robots)
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
	r, u, err := s.newRobot(&w)
	if err != nil {
		return nil, err
	}
	s.world.Enter()
	defer s.world.Unlock()
	if s.world.Scene.Named(w.Name) || s.world.Find(w.Name) != nil {
		return nil, fmt.Errorf("%w: %q is also the name of something else", world.ErrWorld, w.Name)
	}
	if !u.Plant().Fits() {
		return nil, u.Occupied()
	}
	s.world.Kernel.Sense()
	s.add(r, u)
	u.Dock()
	s.world.Kernel.Start()
	return r, nil
}

// Remove takes a robot of any kind out of the running world; what is left of it, its buses for instance, can't be
// used any more. It returns ErrNoRobot for an unknown name.
func (s *Simulation) Remove(name string) error {
	u, err := s.remove(name)
	if err == nil {
		u.Plant().Close()
	}
	return err
}

func (s *Simulation) remove(name string) (*plant.Unit, error) {
	s.world.Lock()
	defer s.world.Unlock()
	u := s.world.Find(name)
	if u == nil {
		return nil, fmt.Errorf("%w %q", ErrNoRobot, name)
	}
	s.world.Kernel.CatchUp()
	s.world.Kernel.Sense()
	if t := u.Trace(); t != nil {
		s.gone.Write(t.AppendSum(trace.Text(nil, name)))
	}
	i := slices.Index(s.world.Units(), u)
	s.robots = slices.Delete(s.robots, i, i+1)
	s.world.Remove(u)
	return u, nil
}

// Footprint returns the solids of a robot with a model around its frame, as in a world. The error is
// that of [Options.Mechanisms].
func (s *Simulation) Footprint(r world.Robot) ([]geom.Shape, error) {
	return articulated.Footprint(&s.world, r, s.opts.Mechanisms)
}
