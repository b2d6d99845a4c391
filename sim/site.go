// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// Site is what a guest asks the world it is in. Its methods are for the time in which the world calls the guest, or
// [Visitor.Do] does; then they allocate nothing that stays.
type Site struct {
	sim     *Simulation
	visitor *Visitor

	near   physics.Nearby `freeze:"-"`
	shapes []int32        `freeze:"-"` // scratch
	units  []int32        `freeze:"-"`
}

// nearReach is how far around a guest's pose shapes are remembered, m.
const nearReach = 0.6

// around returns the numbers of the shapes that may be within reach (m) of a place.
func (x *Site) around(at geom.Vec, reach float64) []int32 {
	pose := x.visitor.guest.Pose().Position()
	if away, room := at.Sub(pose), nearReach-reach; room >= 0 && away.Dot(away) <= float64(room*room) {
		return x.near.Shapes(x.sim.scene, pose)
	}
	x.shapes = x.sim.scene.Around(at, reach, x.shapes[:0])
	return x.shapes
}

// Free reports that there is nothing within reach (m) of a place.
func (x *Site) Free(at geom.Vec, reach float64) bool {
	s := x.sim
	for _, i := range x.around(at, reach) {
		if s.scene.Ref(i).Within(at, reach) {
			return false
		}
	}
	if len(s.units) > 0 {
		s.muster()
		x.units = s.crowd.Around(at, reach+physics.BodyRadius, x.units[:0])
		if len(x.units) > 0 {
			return false
		}
	}
	s.park()
	for _, n := range x.visitor.contacts {
		o := s.visitors[n]
		if o == x.visitor {
			continue
		}
		if v := o.guest.Pose().Position().Sub(at); v.Dot(v) < float64((reach+o.reach)*(reach+o.reach)) {
			return false
		}
	}
	return true
}

// Changes counts what has changed around beside the guests' own movement.
func (x *Site) Changes() uint64 { return x.sim.scene.Version() }

// Time returns the age of the world.
func (x *Site) Time() time.Duration { return time.Duration(x.sim.steps) * stepPeriod }

// Cycle returns the number of the latest cycle.
func (x *Site) Cycle() int64 { return x.sim.steps / stepsPerCycle }

// Quiet reports that sensors have no noise.
func (x *Site) Quiet() bool { return x.sim.opts.Quiet }

// Field returns the magnetic field, T: to the east, north and up.
func (x *Site) Field() physics.Vec3 { return x.sim.field }

// Reflectance returns that of the floor at a place, 0 black to 1 white.
func (x *Site) Reflectance(at geom.Vec) float64 { return x.sim.scene.Reflectance(at) }

// Irradiance returns the light on a surface: see [physics.Scene.Irradiance].
func (x *Site) Irradiance(at geom.Vec, height float64, axis geom.Vec, up float64) float64 {
	return x.sim.scene.Irradiance(at, height, axis, up)
}

// touch is the overlap (m) under which rounding, not contact, is at work.
const touch = 1e-9

// Push returns the first move that a solid of the guest needs to be out of something it is in, and whether there is
// such a thing: a thing, a person, a robot.
func (x *Site) Push(o *geom.Shape) (move geom.Vec, hit bool) {
	s := x.sim
	reach := o.Reach()
	for _, i := range x.around(o.Center(), reach) {
		if v, in := s.scene.Ref(i).Apart(o); in && v.Norm() > touch {
			return v, true
		}
	}
	s.muster()
	x.units = s.crowd.Around(o.Center(), reach+physics.BodyRadius, x.units[:0])
	for _, n := range x.units {
		u := s.units[n]
		disc := geom.NewDisc(u.body.Position(), physics.BodyRadius, physics.BodyHeight)
		if v, in := disc.Apart(o); !u.inAir && in && v.Norm() > touch {
			return v, true
		}
	}
	s.park()
	for _, n := range x.neighbours() {
		other := s.visitors[n]
		for i := other.first; i < other.last && other != x.visitor; i++ {
			if !s.solids[i].Near(o.Center(), reach) {
				continue
			}
			if v, in := s.solids[i].Apart(o); in && v.Norm() > touch {
				return v, true
			}
		}
	}
	return geom.Vec{}, false
}

// neighbours are the visitors that this one may touch: all, if it is not one of them yet or was put elsewhere.
func (x *Site) neighbours() []int32 {
	v, s := x.visitor, x.sim
	here := v.place < len(s.visitors) && s.visitors[v.place] == v
	if away := v.guest.Pose().Position().Sub(v.anchor); here && away.Dot(away) < (parkSlack+guestWay)*(parkSlack+guestWay) {
		return v.contacts
	}
	x.units = x.units[:0]
	for i := range s.visitors {
		x.units = append(x.units, int32(i))
	}
	return x.units
}

// touches reports whether a solid is in something.
func (x *Site) touches(o *geom.Shape) bool {
	_, hit := x.Push(o)
	return hit
}

// Sight is what may be in the way of rays from about one place.
type Sight struct {
	solids []geom.Shape
}

// Watch gathers in v what is within reach (m) of a place and may be higher than a height (m).
func (x *Site) Watch(v *Sight, at geom.Vec, reach, height float64) {
	s := x.sim
	v.solids = v.solids[:0]
	add := func(o *geom.Shape) {
		if o.Height() > height && o.Within(at, reach) {
			v.solids = append(v.solids, *o)
		}
	}
	for _, i := range x.around(at, reach) {
		add(s.scene.Ref(i))
	}
	if len(s.units) > 0 && physics.BodyHeight > height {
		s.muster()
		x.units = s.crowd.Around(at, reach+physics.BodyRadius, x.units[:0])
		for _, n := range x.units {
			if u := s.units[n]; !u.inAir {
				disc := geom.NewDisc(u.body.Position(), physics.BodyRadius, physics.BodyHeight)
				add(&disc)
			}
		}
	}
	s.park()
	x.units = s.lot.Around(at, reach+s.widest+parkSlack+guestWay, x.units[:0])
	for _, n := range x.units {
		for o, i := s.visitors[n], s.visitors[n].first; i < o.last && o != x.visitor; i++ {
			add(&s.solids[i])
		}
	}
}

// Empty reports that nothing is in sight.
func (v *Sight) Empty() bool { return len(v.solids) == 0 }

// Ray returns how far a ray in a direction, a unit vector, gets in the plane, at most the reach (m): it is at a
// height (m) at its beginning and rises by so much with each metre. What it hits over or under a solid's wall is not
// hit.
func (v *Sight) Ray(from, dir geom.Vec, height, rise, reach float64) float64 {
	best := reach
	for i := range v.solids {
		o := &v.solids[i]
		if d, hit := o.Ray(from, dir); hit && d < best && height+float64(rise*d) < o.Height() {
			best = d
		}
	}
	if rise < 0 { // the floor
		best = min(best, height/-rise)
	}
	return best
}

// Scene makes to what a camera of the guest sees.
func (x *Site) Scene(to *vcamera.Scene) { x.sim.scenery(to, nil, x.visitor) }

// Others calls f with all other guests, in the order of the world file.
func (x *Site) Others(f func(Guest)) {
	for _, v := range x.sim.visitors {
		if v != x.visitor {
			f(v.guest)
		}
	}
}
