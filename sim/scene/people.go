// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"fmt"
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/kernel"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/trace"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Person is a human who walks in the world: an upright cylinder that robots bump into and all their sensors see.
// Persons walk along their path and wait where a robot, another person or a thing is in the way.
type Person struct {
	Name string
	// Pose is the person's place and direction of view.
	Pose geom.Pose
	// Radius and Height are the person's measures, m: those of DefaultPerson if they are 0.
	Radius, Height float64
	// Speed is how fast the person walks when there is a way to go, m/s.
	Speed float64
	// Path is the sequence of places to go to, m.
	Path []geom.Vec
	// Walking is set if the person has moved in the latest infrared cycle, Blocked if something was in the way.
	Walking, Blocked bool
	// Way is how far the person has walked, m.
	Way float64
}

// DefaultPerson returns a person of SUMO's height, with feet apart, who walks at an indoor pace.
func DefaultPerson() Person { return Person{Radius: 0.15, Height: 1.719, Speed: 0.5} }

const (
	maxPersonRadius = 2.0  // m
	maxPersonHeight = 3.0  // m
	maxPersonSpeed  = 10.0 // m/s
)

// check completes a person and says what can't be.
func (p *Person) check() error {
	def := DefaultPerson()
	if p.Radius == 0 {
		p.Radius = def.Radius
	}
	if p.Height == 0 {
		p.Height = def.Height
	}
	err := Finite(p.Pose)
	for _, at := range p.Path {
		if err == nil {
			err = Finite(geom.Pose{X: at.X, Y: at.Y})
		}
	}
	within := func(v, limit float64) bool { return v >= 0 && v <= limit }
	switch {
	case err != nil:
		return err
	case p.Name == "":
		return fmt.Errorf("%w: a person without a name", ErrRange)
	case !within(p.Radius, maxPersonRadius) || !within(p.Height, maxPersonHeight) || !within(p.Speed, maxPersonSpeed):
		return fmt.Errorf("%w: person %q of radius %g m, height %g m, speed %g m/s", ErrRange, p.Name, p.Radius, p.Height, p.Speed)
	}
	return nil
}

// Admit adds a person to the running world. It returns ErrRange for what can't be, an error wrapping
// world.ErrWorld if the name is taken, and ErrOccupied if there is no space; then nothing has changed.
func (s *Scene) Admit(p Person) error {
	p.Path = slices.Clone(p.Path)
	if err := p.check(); err != nil {
		return err
	}
	if s.named(p.Name) {
		return fmt.Errorf("%w: %q is also the name of something else", world.ErrWorld, p.Name)
	}
	if !s.fits(&p, p.Pose.Position(), -1) {
		return fmt.Errorf("person %q at (%g, %g) m: %w", p.Name, p.Pose.X, p.Pose.Y, s.PlacementError(p.Pose.Position(), p.Radius))
	}
	s.physics.AddLoose(geom.NewDisc(p.Pose.Position(), p.Radius, p.Height))
	s.colours = append(s.colours, clothes(len(s.persons)))
	s.persons = append(s.persons, p)
	return nil
}

// clothes returns what person n wears.
func clothes(n int) vcamera.RGB { return ColourOf(world.Paint(n + 1)) }

// Dismiss lets a person leave the world, ErrNoPerson if there is none of that name.
func (s *Scene) Dismiss(name string) error {
	i := s.person(name)
	if i < 0 {
		return fmt.Errorf("%w %q", ErrNoPerson, name)
	}
	shape := s.firstPerson() + i
	s.physics.CutLoose(shape)
	s.colours = slices.Delete(s.colours, shape, shape+1)
	s.persons = slices.Delete(s.persons, i, i+1)
	return nil
}

// Guide changes what a person does: f may set anything but the name, the radius and the height. It returns ErrNoPerson
// for an unknown name, and ErrRange or ErrOccupied and changes nothing if the person can't be so.
func (s *Scene) Guide(name string, f func(p *Person)) error {
	i := s.person(name)
	if i < 0 {
		return fmt.Errorf("%w %q", ErrNoPerson, name)
	}
	old := &s.persons[i]
	p := *old
	p.Path = slices.Clone(p.Path)
	f(&p)
	p.Name, p.Radius, p.Height = old.Name, old.Radius, old.Height
	if err := p.check(); err != nil {
		return err
	}
	if at := p.Pose.Position(); at != old.Pose.Position() {
		if !s.fits(&p, at, i) {
			return fmt.Errorf("person %q to (%g, %g) m: %w", name, at.X, at.Y, s.PlacementError(at, p.Radius))
		}
		s.physics.MoveLoose(s.firstPerson()+i, at)
	}
	*old = p
	return nil
}

// Persons returns all persons in the order in which they were added.
func (s *Scene) Persons() []Person {
	all := slices.Clone(s.persons)
	for i := range all {
		all[i].Path = slices.Clone(all[i].Path)
	}
	return all
}

// person returns the number of the person of a name, −1 if there is none.
func (s *Scene) person(name string) int {
	return slices.IndexFunc(s.persons, func(p Person) bool { return p.Name == name })
}

// firstPerson returns the number of the first person's shape: persons come after all things.
func (s *Scene) firstPerson() int { return s.physics.Shapes() - len(s.persons) }

// fits reports whether person p, number i or not there yet, has space at a place.
func (s *Scene) fits(p *Person, at geom.Vec, i int) bool {
	without := -1
	if i >= 0 {
		without = s.firstPerson() + i
	}
	if !s.physics.Fits(at, p.Radius, without) {
		return false
	}
	for _, n := range s.robots.Around(at, p.Radius+physics.BodyRadius, nil) {
		if r := s.robots.All()[n]; !r.InAir() && r.Overlaps(at, p.Radius) {
			return false
		}
	}
	return true
}

// Walk advances all persons by an infrared cycle, in the order in which they were added.
func (s *Scene) Walk() {
	for i := range s.persons {
		p := &s.persons[i]
		p.Walking, p.Blocked = false, false
		if len(p.Path) == 0 || p.Speed == 0 {
			continue
		}
		to, heading, left := p.next()
		if !s.fits(p, to, i) {
			p.Blocked = true
			continue
		}
		p.Way += to.Sub(p.Pose.Position()).Norm()
		p.Pose = geom.Pose{X: to.X, Y: to.Y, Theta: heading}
		p.Path = p.Path[len(p.Path)-left:]
		p.Walking = true
		s.physics.MoveLoose(s.firstPerson()+i, to)
	}
}

// next returns where a person gets to in an infrared cycle, what way it looks then, and how many places of its path
// are left.
func (p *Person) next() (at geom.Vec, heading float64, left int) {
	at, heading, left = p.Pose.Position(), p.Pose.Theta, len(p.Path)
	for way := float64(p.Speed * kernel.CycleSeconds); left > 0; left-- {
		leg := p.Path[len(p.Path)-left].Sub(at)
		length := leg.Norm()
		if length > 0 {
			heading = geom.Angle(leg)
		}
		if length > way {
			return at.Add(leg.Scale(float64(way / length))), heading, left
		}
		at, way = at.Add(leg), way-length
	}
	return at, heading, 0
}

// strolling reports whether a person has a way to go, or has just come to its end.
func (s *Scene) strolling() bool {
	return slices.ContainsFunc(s.persons, func(p Person) bool { return len(p.Path) > 0 && p.Speed > 0 || p.Walking || p.Blocked })
}

// AppendTrace appends what a trace contains of persons and movable things.
func (s *Scene) AppendTrace(b []byte) []byte { return s.appendMovables(s.appendPersons(b)) }

// appendPersons appends where the persons are to what is hashed.
func (s *Scene) appendPersons(b []byte) []byte {
	for i := range s.persons {
		p := &s.persons[i]
		b = trace.Text(b, p.Name)
		for _, v := range [4]float64{p.Pose.X, p.Pose.Y, p.Pose.Theta, p.Way} {
			b = append(b, fmt.Sprintf("%x", math.Float64bits(v))...)
		}
	}
	return b
}
