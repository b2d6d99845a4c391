// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
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

// pushing is what is computed for those that push and are pushed.
type pushing struct {
	solver rigid.Solver
	places physics.Crowd // of the movables
	widest float64       // the greatest reach of one, m
	bodies []*rigid.Body // movables, then robots
	robots []rigid.Body
	loads  []int32 // movables that take part
	units  []int32 // robots that do
	marked []bool  // movables that do
	joined []bool  // robots that do
	near   []int32 // scratch
}

// meeting is how far apart two bodies are at the most that may touch in an infrared cycle, m.
const meeting = 0.015

// sliding reports whether a movable thing moves.
func (s *Simulation) sliding() bool {
	return slices.ContainsFunc(s.movables, func(m *movable) bool { return !m.body.Resting() })
}

// push ends an infrared cycle for movable things and those that push them: it moves the things that moved before or
// that a robot has driven against, and what these touch.
func (s *Simulation) push(cycle int64) {
	if len(s.movables) == 0 {
		return
	}
	p := &s.pushing
	p.loads, p.units = p.loads[:0], p.units[:0]
	if s.sliding() || slices.ContainsFunc(s.units, func(u *unit) bool { return u.pushing() != geom.Vec{} }) {
		s.gatherPushing()
	}
	if len(p.loads) > 0 {
		s.solvePushing()
	}
	next := 0
	for i, u := range s.units {
		if next < len(p.units) && p.units[next] == int32(i) {
			next++
			if b := p.bodies[len(p.loads)+next-1]; b.Shape.Center() != u.body.Position() || u.body.Pushing() != (geom.Vec{}) {
				u.body.Yield(b.Shape.Center(), b.Velocity)
				u.sample(cycle)
				u.strayed(u.position())
				continue
			}
		}
		u.endCycle()
	}
	for _, i := range p.loads {
		m := s.movables[i]
		s.scene.Shove(m.shape, &m.body.Shape)
		m.trace.pose(cycle, m.body.Pose())
	}
}

// gatherPushing finds the movables and the robots that may touch each other in this cycle, beginning with things that
// move and robots that push.
func (s *Simulation) gatherPushing() {
	p := &s.pushing
	s.muster()
	p.widest = 0
	for _, m := range s.movables {
		p.widest = max(p.widest, m.body.Shape.Reach())
	}
	p.places.Sort(len(s.movables), func(i int) (geom.Vec, bool) { return s.movables[i].body.Shape.Center(), true })
	p.marked = slices.Grow(p.marked[:0], len(s.movables))[:len(s.movables)]
	p.joined = slices.Grow(p.joined[:0], len(s.units))[:len(s.units)]
	clear(p.marked)
	clear(p.joined)
	for i, m := range s.movables {
		if !m.body.Resting() {
			s.joinLoad(int32(i))
		}
	}
	for i, u := range s.units {
		if u.pushing() != (geom.Vec{}) {
			s.joinUnit(int32(i))
		}
	}
	for load, unit := 0, 0; load < len(p.loads) || unit < len(p.units); {
		if load < len(p.loads) {
			o := &s.movables[p.loads[load]].body.Shape
			s.joinNear(o.Center(), o.Reach(), true)
			load++
			continue
		}
		u := s.units[p.units[unit]]
		s.joinNear(u.body.Position(), physics.BodyRadius, u.body.Pushing() != geom.Vec{})
		unit++
	}
	slices.Sort(p.loads)
	slices.Sort(p.units)
}

// joinNear lets the movables near a disc take part, and the robots, too.
func (s *Simulation) joinNear(at geom.Vec, reach float64, robots bool) {
	p := &s.pushing
	p.near = p.places.Around(at, reach+p.widest+meeting, p.near[:0])
	for _, n := range p.near {
		if o := &s.movables[n].body.Shape; o.Near(at, reach+meeting) {
			s.joinLoad(n)
		}
	}
	if !robots {
		return
	}
	reach += physics.BodyRadius + meeting
	p.near = s.crowd.Around(at, reach, p.near[:0])
	for _, n := range p.near { // the crowd's answer depends on when it was sorted
		u := s.units[n]
		if u.body == nil { // does not push
			continue
		}
		if way := u.body.Position().Sub(at); way.Dot(way) <= float64(reach*reach) {
			s.joinUnit(n)
		}
	}
}

func (s *Simulation) joinLoad(n int32) {
	if p := &s.pushing; !p.marked[n] {
		p.marked[n] = true
		p.loads = append(p.loads, n)
	}
}

func (s *Simulation) joinUnit(n int32) {
	if p := &s.pushing; !p.joined[n] && !s.units[n].inAir {
		p.joined[n] = true
		p.units = append(p.units, n)
	}
}

// solvePushing moves those that take part.
func (s *Simulation) solvePushing() {
	p := &s.pushing
	p.bodies, p.robots = p.bodies[:0], slices.Grow(p.robots[:0], len(p.units))[:len(p.units)]
	for _, i := range p.loads {
		p.bodies = append(p.bodies, &s.movables[i].body)
	}
	for k, i := range p.units {
		b := s.units[i].body
		made := b.Made()
		drive := made.Add(b.Pushing()).Scale(1 / cycleSeconds)
		p.robots[k] = rigid.Body{
			Shape: geom.NewDisc(b.Position(), physics.BodyRadius, physics.BodyHeight),
			Mass:  physics.Mass, Floor: physics.Traction, Surface: s.scene.Friction(),
			Wheels: true, Drive: drive, Made: made, Velocity: b.Momentum(drive),
		}
		p.bodies = append(p.bodies, &p.robots[k])
	}
	p.solver.Step(p.bodies, still{s}, cycleSeconds)
}

// still is what does not move when robots push: things that are not movable, persons, and robots of other kinds, whose
// solids come after the shapes.
type still struct{ s *Simulation }

// Around implements rigid.Fixed.
func (x still) Around(at geom.Vec, reach float64, dst []int32) []int32 {
	first := len(dst)
	dst = x.s.scene.Around(at, reach, dst)
	dst = append(dst[:first], slices.DeleteFunc(dst[first:], x.s.scene.Movable)...)
	shapes := int32(x.s.scene.Shapes())
	for i := range x.s.solids {
		if x.s.solids[i].Near(at, reach) {
			dst = append(dst, shapes+int32(i))
		}
	}
	return dst
}

// Ref implements rigid.Fixed.
func (x still) Ref(i int32) *geom.Shape {
	if shapes := int32(x.s.scene.Shapes()); i >= shapes {
		return &x.s.solids[i-shapes]
	}
	return x.s.scene.Ref(i)
}

// movableAt returns the movable thing with a number of a shape, or nil.
func (s *Simulation) movableAt(shape int) *movable {
	i := slices.IndexFunc(s.movables, func(m *movable) bool { return m.shape == shape })
	if i < 0 {
		return nil
	}
	return s.movables[i]
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
			s.scene.SetShape(shape, old)
			return fmt.Errorf("%q onto something else: %w", name, ErrOccupied)
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
	if b.Kind() == geom.Room {
		a, b = b, a
	}
	v, hit := a.Apart(b)
	return hit && v.Norm() > touch
}

// Put lets a movable box or disc come into the running world. It returns ErrRange for another shape and for a load
// that can't be, an error wrapping world.ErrWorld if the name is taken, and ErrOccupied if there is no room; then
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
		return fmt.Errorf("%q at (%g, %g) m: %w", t.Name, at.X, at.Y, ErrOccupied)
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
	if t.Shape.Kind() == geom.Room || t.Name == "" || !(small && l.Mass > 0 && l.Friction >= 0) {
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
		u.endCycle()
	}
}

// pushing returns what movables have taken of an e-puck2's way in this cycle, m; articulated robots do not push.
func (u *unit) pushing() geom.Vec {
	if u.body == nil {
		return geom.Vec{}
	}
	return u.body.Pushing()
}

// endCycle ends the cycle of an e-puck2's body.
func (u *unit) endCycle() {
	if u.body != nil {
		u.body.EndCycle()
	}
}

// inTheWay reports whether something stands where a shape would be.
func (s *Simulation) inTheWay(o *geom.Shape) bool {
	for i := range int32(s.scene.Shapes()) {
		if overlap(s.scene.Ref(i), o) {
			return true
		}
	}
	for i := range s.solids {
		if overlap(&s.solids[i], o) {
			return true
		}
	}
	for _, u := range s.units {
		if u.body == nil || u.inAir { // its solids are above
			continue
		}
		if v, hit := o.Push(u.body.Position(), physics.BodyRadius); hit && v.Norm() > touch {
			return true
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
	for _, later := range s.movables[i:] {
		later.shape--
		s.things[later.name] = thing{index: later.shape}
	}
	return nil
}
