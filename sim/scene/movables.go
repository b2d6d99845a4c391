// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"fmt"
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics/rigid"
	"github.com/epuck-ros2/epuck-driver/sim/trace"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// movable is a box or a cylinder that robots push.
type movable struct {
	name  string // of Things
	shape int    // its number in the scene
	body  rigid.Body
	trace *trace.Trace // nil: nothing is recorded
	added bool         // it was put into the running world
}

// newMovable returns what is pushed of a shape of the scene. The name is that of Things.
func (s *Scene) newMovable(name string, shape int, l world.Load) *movable {
	m := &movable{name: name, shape: shape}
	o := s.physics.Shape(shape)
	m.body = rigid.Body{Shape: o, Yaw: o.Yaw(), Mass: l.Mass, Floor: l.Friction, Surface: s.physics.Friction()}
	if s.traced {
		m.trace = trace.New(name)
	}
	s.physics.SetMovable(shape)
	return m
}

// movableAt returns the movable thing with a number of a shape, or nil.
func (s *Scene) movableAt(shape int) *movable {
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

// appendMovables appends where the movable things are, and where they have been, to what is hashed.
func (s *Scene) appendMovables(b []byte) []byte {
	for _, m := range s.movables {
		b = trace.Text(b, m.name)
		p := m.body.Pose()
		for _, v := range [6]float64{p.X, p.Y, p.Theta, m.body.Velocity.X, m.body.Velocity.Y, m.body.Spin} {
			b = appendBits(b, v)
		}
		b = m.trace.AppendSum(b)
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

// Move puts a named wall, box or cylinder, by its middle, or a named light at a pose. It returns ErrNoThing for an unknown
// name, and ErrOccupied and changes nothing if a robot is there. A gripper that holds the thing loses it.
func (s *Scene) Move(name string, pose geom.Pose) (err error) {
	if err := Finite(pose); err != nil {
		return err
	}
	t, ok := s.things[name]
	if !ok {
		return fmt.Errorf("%w %q", ErrNoThing, name)
	}
	if t.light {
		l := s.physics.Light(t.index)
		l.Position = pose.Position()
		s.physics.SetLight(t.index, l)
		return nil
	}
	restore := s.robots.Release(name)
	defer func() {
		if err != nil {
			restore()
		}
	}()
	old := s.physics.Shape(t.index)
	s.physics.SetShape(t.index, old.Moved(pose.Position(), pose.Theta))
	for i, r := range s.robots.All() {
		if !r.InAir() && !r.Fits() {
			s.physics.SetShape(t.index, old)
			return fmt.Errorf("%q onto robot %q: %w", name, s.robots.Name(i), ErrOccupied)
		}
	}
	return s.moveLoads(name, t.index, old)
}

// moveLoads ends moving a thing: a movable one rests where it is now. If it or what is movable overlaps then, the thing
// is put back and that is ErrOccupied.
func (s *Scene) moveLoads(name string, shape int, old geom.Shape) error {
	moved := s.physics.Ref(int32(shape))
	for i := range int32(s.physics.Shapes()) {
		o := s.physics.Ref(i)
		if int(i) == shape || !s.physics.Movable(i) && !s.physics.Movable(int32(shape)) {
			continue
		}
		if overlap(o, moved) {
			err := s.PlacementError(moved.Center(), moved.Inner())
			s.physics.SetShape(shape, old)
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
func (s *Scene) Put(t Thing, l world.Load) error {
	if err := checkPut(&t, l); err != nil {
		return err
	}
	switch {
	case s.named(t.Name):
		return fmt.Errorf("%w: %q is also the name of something else", world.ErrWorld, t.Name)
	case len(s.movables) >= world.MaxMovable:
		return fmt.Errorf("%w: %d movable things, at most %d", ErrRange, len(s.movables)+1, world.MaxMovable)
	case s.inTheWay(&t.Shape):
		at := t.Shape.Center()
		return fmt.Errorf("%q at (%g, %g) m: %w", t.Name, at.X, at.Y, s.PlacementError(at, t.Shape.Inner()))
	}
	s.addMovable(&t, l)
	return nil
}

func checkPut(t *Thing, l world.Load) error {
	c := t.Shape.Center()
	if err := Finite(geom.Pose{X: c.X, Y: c.Y, Theta: t.Shape.Yaw()}); err != nil {
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
func (s *Scene) addMovable(t *Thing, l world.Load) {
	at := s.firstPerson()
	s.physics.InsertLoose(at, t.Shape)
	s.colours = slices.Insert(s.colours, at, vcamera.RGB{R: t.Colour[0], G: t.Colour[1], B: t.Colour[2]})
	m := s.newMovable(t.Name, at, l)
	m.added = true
	s.movables = append(s.movables, m)
	s.things[t.Name] = thing{index: at}
	for _, r := range s.robots.All() {
		r.EndPush()
	}
}

// inTheWay reports whether something is where a shape would be.
func (s *Scene) inTheWay(o *geom.Shape) bool {
	for i := range int32(s.physics.Shapes()) {
		if overlap(s.physics.Ref(i), o) {
			return true
		}
	}
	var disc [1]geom.Shape
	for _, r := range s.robots.All() {
		if r.InAir() {
			continue
		}
		solids := r.Solids(&disc)
		for i := range solids {
			if overlap(&solids[i], o) {
				return true
			}
		}
	}
	return false
}

// Take takes a movable thing that was put into the running world out of it, and returns what its trace says of it.
// It returns ErrNoThing if there is none of that name.
func (s *Scene) Take(name string) (traced []byte, err error) {
	i := slices.IndexFunc(s.movables, func(m *movable) bool { return m.added && m.name == name })
	if i < 0 {
		return nil, fmt.Errorf("%w %q that has been put there", ErrNoThing, name)
	}
	m := s.movables[i]
	if m.trace != nil {
		traced = m.trace.AppendSum(trace.Text(nil, name))
	}
	s.physics.CutLoose(m.shape)
	s.colours = slices.Delete(s.colours, m.shape, m.shape+1)
	s.movables = slices.Delete(s.movables, i, i+1)
	delete(s.things, name)
	s.robots.Release(name)
	for _, later := range s.movables[i:] {
		later.shape--
		s.things[later.name] = thing{index: later.shape}
	}
	return traced, nil
}

// movable returns the movable thing of a name, nil: there is none.
func (s *Scene) movable(name string) *movable {
	if name == "" {
		return nil
	}
	i := slices.IndexFunc(s.movables, func(m *movable) bool { return m.name == name })
	if i < 0 {
		return nil
	}
	return s.movables[i]
}

// MovableNamed returns the number of the shape of the movable thing of a name, −1: there is none.
func (s *Scene) MovableNamed(name string) int32 {
	if m := s.movable(name); m != nil {
		return int32(m.shape)
	}
	return -1
}

// MovableShape returns the shape of the movable thing of a name where it is, to be read until it moves; nil: there is
// none.
func (s *Scene) MovableShape(name string) *geom.Shape {
	if m := s.movable(name); m != nil {
		return &m.body.Shape
	}
	return nil
}

// NearestMovable returns the name and the pose of the movable thing that is nearest to a place, of those within reach (m)
// of it that are eligible.
func (s *Scene) NearestMovable(at geom.Vec, reach float64, eligible func(name string) bool) (name string, pose geom.Pose, ok bool) {
	least := math.Inf(1)
	for _, m := range s.movables {
		o := &m.body.Shape
		if far := o.Center().Sub(at).Norm(); far < least && o.Within(at, reach) && eligible(m.name) {
			least, name, pose, ok = far, m.name, m.body.Pose(), true
		}
	}
	return name, pose, ok
}

// CarryMovable moves the movable thing of a name with a gripper, in an infrared cycle.
func (s *Scene) CarryMovable(name string, to geom.Pose, cycle int64) {
	if m := s.movable(name); m != nil {
		m.body.Place(to)
		s.physics.PlaceMovable(m.shape, &m.body.Shape)
		m.trace.Pose(cycle, m.body.Pose())
	}
}
