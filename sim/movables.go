// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics/rigid"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// movable is a box or a cylinder that robots push.
type movable struct {
	name  string // of Things
	shape int    // its number in the scene
	body  rigid.Body
	trace *trace // nil: nothing is recorded
	added bool   // it was put into the running world
}

// newMovable returns what is pushed of a shape of the scene. The name is that of Things.
func (s *Simulation) newMovable(name string, shape int, l world.Load) *movable {
	m := &movable{name: name, shape: shape}
	o := s.scene.Shape(shape)
	m.body = rigid.Body{Shape: o, Yaw: o.Yaw(), Mass: l.Mass, Floor: l.Friction, Surface: s.scene.Friction()}
	if s.opts.Trace {
		m.trace = newTrace(name)
	}
	s.scene.SetMovable(shape)
	return m
}

// movableAt returns the movable thing with a number of a shape, or nil.
func (s *Simulation) movableAt(shape int) *movable {
	i, found := findMovable(s.movables, shape)
	if !found {
		return nil
	}
	return s.movables[i]
}

// findMovable returns the place in a list of the movable thing with a number of a shape, and whether it is there. Lists
// are in the order of these numbers.
func findMovable(list []*movable, shape int) (place int, found bool) {
	return slices.BinarySearchFunc(list, shape, func(m *movable, shape int) int { return m.shape - shape })
}

// traceMovables adds to a hash's text where the movable things are, and where they have been.
func (s *Simulation) traceMovables() (b []byte) {
	for _, m := range s.movables {
		b = text(b, m.name)
		p := m.body.Pose()
		for _, v := range [6]float64{p.X, p.Y, p.Theta, m.body.Velocity.X, m.body.Velocity.Y, m.body.Spin} {
			b = appendBits(b, v)
		}
		if m.trace != nil {
			b = m.trace.sum.Sum(b)
		}
	}
	return b
}

func appendBits(b []byte, v float64) []byte {
	bits := math.Float64bits(v)
	for range 8 {
		b, bits = append(b, byte(bits)), bits>>8
	}
	return b
}

// moveLoads ends moving a thing: a movable one rests where it is now. If it or what is movable overlaps then, the thing
// is put back and that is ErrOccupied.
func (s *Simulation) moveLoads(name string, shape int, old geom.Shape) error {
	moved := s.scene.Ref(int32(shape))
	for i := range int32(s.scene.Shapes()) {
		o := s.scene.Ref(i)
		if int(i) == shape || !s.scene.Movable(i) && !s.scene.Movable(int32(shape)) {
			continue
		}
		if overlap(o, moved) {
			err := s.placementError(moved.Center(), moved.Inner())
			s.scene.SetShape(shape, old)
			return fmt.Errorf("%q onto something else: %w", name, err)
		}
	}
	if m := s.movableAt(shape); m != nil {
		c := moved.Center()
		m.body.Place(geom.Pose{X: c.X, Y: c.Y, Theta: moved.Yaw()})
	}
	return nil
}

// overlap reports whether two shapes overlap by more than rounding.
func overlap(a, b *geom.Shape) bool {
	if b.Kind() == geom.Enclosure {
		a, b = b, a
	}
	v, hit := a.Apart(b)
	return hit && v.Norm() > touch
}

// Put adds a movable box or disc to the running world. It returns ErrRange for another shape and for a load
// that can't be, an error wrapping world.ErrWorld if the name is taken, and ErrOccupied if there is no space; then
// nothing has changed.
func (s *Simulation) Put(t Thing, l world.Load) error {
	if err := checkPut(&t, l); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	switch {
	case s.named(t.Name):
		return fmt.Errorf("%w: %q is also the name of something else", world.ErrWorld, t.Name)
	case len(s.movables) >= world.MaxMovable:
		return fmt.Errorf("%w: %d movable things, at most %d", ErrRange, len(s.movables)+1, world.MaxMovable)
	case s.inTheWay(&t.Shape):
		at := t.Shape.Center()
		return fmt.Errorf("%q at (%g, %g) m: %w", t.Name, at.X, at.Y, s.placementError(at, t.Shape.Inner()))
	}
	s.settle()
	s.addMovable(&t, l)
	return nil
}

func checkPut(t *Thing, l world.Load) error {
	c := t.Shape.Center()
	if err := finite(Pose{X: c.X, Y: c.Y, Theta: t.Shape.Yaw()}); err != nil {
		return err
	}
	reach := t.Shape.Reach()
	small := t.Shape.Inner() >= minPut && reach <= maxPut
	if t.Shape.Kind() == geom.Enclosure || t.Name == "" || !(small && l.Mass > 0 && l.Friction >= 0) {
		return fmt.Errorf("%w: %q of a reach of %g m, %g kg, friction %g", ErrRange, t.Name, reach, l.Mass, l.Friction)
	}
	return nil
}

const minPut, maxPut = 1e-3, 5.0 // m

// addMovable puts a movable thing behind the others and before the persons.
func (s *Simulation) addMovable(t *Thing, l world.Load) {
	at := s.firstPerson()
	s.scene.InsertLoose(at, t.Shape)
	s.colours = slices.Insert(s.colours, at, vcamera.RGB{R: t.Colour[0], G: t.Colour[1], B: t.Colour[2]})
	m := s.newMovable(t.Name, at, l)
	m.added = true
	s.movables = append(s.movables, m)
	s.things[t.Name] = thing{index: at}
	for _, u := range s.units {
		u.plant.endPush()
	}
}

// inTheWay reports whether something is where a shape would be.
func (s *Simulation) inTheWay(o *geom.Shape) bool {
	for i := range int32(s.scene.Shapes()) {
		if overlap(s.scene.Ref(i), o) {
			return true
		}
	}
	var disc [1]geom.Shape
	for _, u := range s.units {
		if u.inAir {
			continue
		}
		solids := u.plant.solids(&disc)
		for i := range solids {
			if overlap(&solids[i], o) {
				return true
			}
		}
	}
	return false
}

// Take takes a movable thing that was put into the running world out of it, ErrNoThing if there is none of that name.
func (s *Simulation) Take(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	i := slices.IndexFunc(s.movables, func(m *movable) bool { return m.added && m.name == name })
	if i < 0 {
		return fmt.Errorf("%w %q that has been put there", ErrNoThing, name)
	}
	s.settle()
	m := s.movables[i]
	if m.trace != nil {
		s.gone.Write(m.trace.sum.Sum(text(nil, name)))
	}
	s.scene.CutLoose(m.shape)
	s.colours = slices.Delete(s.colours, m.shape, m.shape+1)
	s.movables = slices.Delete(s.movables, i, i+1)
	delete(s.things, name)
	if a := holder(s.articulated, name); a != nil {
		a.held = ""
	}
	for _, later := range s.movables[i:] {
		later.shape--
		s.things[later.name] = thing{index: later.shape}
	}
	return nil
}
