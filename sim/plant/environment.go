// SPDX-License-Identifier: Apache-2.0

package plant

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/kernel"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// Environment is the world as a robot of any level meets and measures it. Its methods are for the time in which the world
// calls the robot's plant, or users are given it; then they allocate nothing that stays.
type Environment struct {
	world  *World
	unit   *Unit
	moving bool `checkpoint:"-"` // the robot's island moves: the grid must not be sorted

	near     physics.Nearby `checkpoint:"-"`
	shapes   []int32        `checkpoint:"-"` // scratch
	solid    [1]geom.Shape  `checkpoint:"-"` // scratch
	contacts []geom.Contact `checkpoint:"-"` // scratch
	units    []int32        `checkpoint:"-"` // scratch
}

// Environment returns the world as the robot meets it, the same at each call.
func (u *Unit) Environment() *Environment {
	if u.env == nil {
		u.env = &Environment{world: u.world, unit: u, near: physics.NewNearby(nearReach)}
	}
	return u.env
}

// SetMoving notes whether the robot's island moves: meanwhile the environment has the robots that it may touch at all,
// and no others.
func (u *Unit) SetMoving(on bool) { u.Environment().moving = on }

// nearReach is how far around the robot's pose shapes are remembered, m.
const nearReach = 0.6

// around returns the numbers of the shapes that may be within reach (m) of a place.
func (x *Environment) around(at geom.Vec, reach float64) []int32 {
	pose := x.unit.plant.Position()
	if away, space := at.Sub(pose), nearReach-reach; space >= 0 && away.Dot(away) <= float64(space*space) {
		return x.near.Shapes(x.world.Physics, pose)
	}
	x.shapes = x.world.Physics.Around(at, reach, x.shapes[:0])
	return x.shapes
}

// neighbors returns the numbers of the units that may be within reach (m) of a place: while the robot moves those
// that it may touch at all.
func (x *Environment) neighbors(at geom.Vec, reach float64) []int32 {
	if x.moving {
		return x.unit.reachable()
	}
	x.units = x.world.SortedGrid().Around(at, reach+physics.BodyRadius, x.units[:0])
	return x.units
}

// other returns the unit of a number, nil if it is the robot itself or in the air.
func (x *Environment) other(n int32) *Unit {
	if o := x.world.units[n]; o != x.unit && !o.inAir {
		return o
	}
	return nil
}

// Free reports whether there is nothing within reach (m) of a place.
func (x *Environment) Free(at geom.Vec, reach float64) bool {
	s := x.world.Physics
	for _, i := range x.around(at, reach) {
		if s.Ref(i).Within(at, reach) {
			return false
		}
	}
	for _, n := range x.neighbors(at, reach) {
		o := x.other(n)
		if o == nil {
			continue
		}
		if v := o.plant.Position().Sub(at); v.Dot(v) < float64((reach+o.traits.Radius)*(reach+o.traits.Radius)) {
			return false
		}
	}
	return true
}

// Holding reports whether the robot's gripper holds something.
func (x *Environment) Holding() bool { return x.unit.grip.held != "" }

// heldShape returns the number of the shape that the robot holds, −1: none.
func (x *Environment) heldShape() int32 {
	return x.world.Scene.MovableNamed(x.unit.grip.held)
}

// Changes counts the changes of the world except the movement of robots.
func (x *Environment) Changes() uint64 { return x.world.Physics.Version() }

// Time returns the age of the world.
func (x *Environment) Time() time.Duration {
	return time.Duration(x.world.Kernel.Steps()) * kernel.StepPeriod
}

// Cycle returns the number of the latest cycle.
func (x *Environment) Cycle() int64 { return x.world.Kernel.Steps() / kernel.StepsPerCycle }

// Quiet reports whether sensors have no noise.
func (x *Environment) Quiet() bool { return x.world.Config.Quiet }

// Field returns the magnetic field, T: to the east, north and up.
func (x *Environment) Field() physics.Vec3 { return x.world.Field }

// Friction returns the coefficient of friction between robots, and of robots and things.
func (x *Environment) Friction() float64 { return x.world.Physics.Friction() }

// Reflectance returns that of the floor at a place, 0 black to 1 white.
func (x *Environment) Reflectance(at geom.Vec) float64 { return x.world.Physics.Reflectance(at) }

// Ambient returns the light that is everywhere, W/m², and whether there are lamps, too.
func (x *Environment) Ambient() (irradiance float64, lamps bool) {
	return x.world.Physics.Ambient(), x.world.Physics.Lights() > 0
}

// Irradiance returns the light on a surface: see [physics.Scene.Irradiance].
func (x *Environment) Irradiance(at geom.Vec, height float64, axis geom.Vec, up float64) float64 {
	return x.world.Physics.Irradiance(at, height, axis, up)
}

// touch is the overlap (m) under which rounding, not contact, is at work.
const touch = 1e-9

// Overlap is how a solid of a robot overlaps something.
type Overlap struct {
	// Move is the shortest move of the solid out of what it overlaps, m.
	Move geom.Vec
	// At is the point of contact, m: of a side that is against a side, the mean of its ends by their depths.
	At geom.Vec
	// Movable reports whether the other one is a movable thing.
	Movable bool
}

// Push returns the first move that a solid of the robot needs to be out of something it is in, whether there is such a
// thing: a thing, a person, a robot, and whether that is movable.
func (x *Environment) Push(o *geom.Shape) (move geom.Vec, hit, movable bool) {
	v, hit := x.Overlap(o)
	return v.Move, hit, v.Movable
}

// Overlap returns the first overlap of a solid of the robot with a thing, a person or a robot, and whether one exists.
func (x *Environment) Overlap(o *geom.Shape) (v Overlap, hit bool) {
	s := x.world.Physics
	reach := o.Reach()
	held := x.heldShape()
	for _, i := range x.around(o.Center(), reach) {
		shape := s.Ref(i)
		if move, in := shape.Apart(o); in && i != held && move.Norm() > touch {
			return Overlap{move, x.contact(shape, o, move), s.Movable(i)}, true
		}
	}
	for _, n := range x.neighbors(o.Center(), reach) {
		other := x.other(n)
		if other == nil {
			continue
		}
		solids := other.plant.Solids(&x.solid)
		for i := range solids {
			if !solids[i].Near(o.Center(), reach) {
				continue
			}
			if move, in := solids[i].Apart(o); in && move.Norm() > touch {
				return Overlap{move, x.contact(&solids[i], o, move), false}, true
			}
		}
	}
	return v, false
}

// contact returns the point at which a solid touches a shape that it overlaps, by the move out of it.
func (x *Environment) contact(shape, solid *geom.Shape, move geom.Vec) (at geom.Vec) {
	depth := 0.0
	x.contacts = shape.Contacts(solid, 0, x.contacts[:0])
	for _, c := range x.contacts {
		if share := -float64(c.Gap * c.Normal.Dot(move)); share > 0 {
			at, depth = at.Add(c.At.Scale(share)), depth+share
		}
	}
	if depth == 0 { // of corners that are beyond each other
		return solid.Center().Sub(move.Scale(solid.Inner() / move.Norm()))
	}
	return at.Scale(1 / depth)
}

// RayCaster casts rays against what is near one place.
type RayCaster struct {
	solids []geom.Shape
}

// Gather gathers in r what is within reach (m) of a place and may be higher than a height (m).
func (x *Environment) Gather(r *RayCaster, at geom.Vec, reach, height float64) {
	s := x.world.Physics
	r.solids = r.solids[:0]
	add := func(o *geom.Shape) {
		if o.Height() > height && o.Within(at, reach) {
			r.solids = append(r.solids, *o)
		}
	}
	for _, i := range x.around(at, reach) {
		add(s.Ref(i))
	}
	for _, n := range x.neighbors(at, reach) {
		o := x.other(n)
		if o == nil {
			continue
		}
		solids := o.plant.Solids(&x.solid)
		for i := range solids {
			add(&solids[i])
		}
	}
}

// Empty reports whether no ray can hit anything.
func (r *RayCaster) Empty() bool { return len(r.solids) == 0 }

// Ray returns how far a ray in a direction, a unit vector, gets in the plane, at most the reach (m): it is at a
// height (m) at its beginning and rises by so much with each metre. It passes over a solid that is lower.
func (r *RayCaster) Ray(from, dir geom.Vec, height, rise, reach float64) float64 {
	best := reach
	for i := range r.solids {
		o := &r.solids[i]
		if d, hit := o.Ray(from, dir); hit && d < best && height+float64(rise*d) < o.Height() {
			best = d
		}
	}
	if rise < 0 { // the floor
		best = min(best, height/-rise)
	}
	return best
}

// Scenery writes to a scene what a camera of the robot sees.
func (x *Environment) Scenery(to *vcamera.Scene) { x.world.Draw(to, x.unit) }
