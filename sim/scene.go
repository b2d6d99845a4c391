// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"github.com/epuck-ros2/epuck-driver/sim/scene"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Things advances the world to the clock's time and returns all boxes, cylinders, walls and the arena, in the order of
// the world file, and then those that were put into the world, where they are now.
func (s *Simulation) Things() []Thing {
	s.world.Enter()
	defer s.world.Unlock()
	return s.world.Scene.Things()
}

// Lamps returns all lights in the order of the world file, where they are now.
func (s *Simulation) Lamps() []Lamp {
	s.world.Lock()
	defer s.world.Unlock()
	return s.world.Scene.Lamps()
}

// change advances the world to the clock's time, computes what all sensors measured in it, and changes what is in it.
func (s *Simulation) change(f func(*scene.Scene) error) error {
	s.world.Enter()
	defer s.world.Unlock()
	s.world.Kernel.Sense()
	return f(&s.world.Scene)
}

// Move puts a named wall, box or cylinder, by its middle, or a named light at a
// pose (the heading of lights and cylinders means nothing). It returns
// ErrNoThing for an unknown name, and ErrOccupied and changes nothing if a
// robot is there. A gripper that holds the thing loses it.
func (s *Simulation) Move(name string, pose Pose) error {
	return s.change(func(x *scene.Scene) error { return x.Move(name, pose) })
}

// Put adds a movable box or disc to the running world. It returns ErrRange for another shape and for a load
// that can't be, an error wrapping world.ErrWorld if the name is taken, and ErrOccupied if there is no space; then
// nothing has changed.
func (s *Simulation) Put(t Thing, l world.Load) error {
	return s.change(func(x *scene.Scene) error { return x.Put(t, l) })
}

// Take takes a movable thing that was put into the running world out of it, ErrNoThing if there is none of that name.
func (s *Simulation) Take(name string) error {
	return s.change(func(x *scene.Scene) error {
		traced, err := x.Take(name)
		s.gone.Write(traced)
		return err
	})
}

// Admit adds a person to the running world. It returns ErrRange for what can't be, an error wrapping
// world.ErrWorld if the name is taken, and ErrOccupied if there is no space; then nothing has changed.
func (s *Simulation) Admit(p Person) error {
	return s.change(func(x *scene.Scene) error { return x.Admit(p) })
}

// Dismiss removes a person from the world, ErrNoPerson if there is none of that name.
func (s *Simulation) Dismiss(name string) error {
	return s.change(func(x *scene.Scene) error { return x.Dismiss(name) })
}

// Guide changes what a person does: f may set anything but the name, the radius and the height. It returns ErrNoPerson
// for an unknown name, and ErrRange or ErrOccupied and changes nothing if the person can't be so.
func (s *Simulation) Guide(name string, f func(p *Person)) error {
	return s.change(func(x *scene.Scene) error { return x.Guide(name, f) })
}

// Persons advances the world to the clock's time and returns all persons in the order in which they were added.
func (s *Simulation) Persons() []Person {
	s.world.Enter()
	defer s.world.Unlock()
	return s.world.Scene.Persons()
}
