// SPDX-License-Identifier: Apache-2.0

package plant

import (
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/scene"
)

// SortedGrid returns the robots in the grid, which it sorts first if some were added, removed, or moved too far since.
func (x *World) SortedGrid() *physics.Crowd {
	if x.grid.Scattered() {
		x.grid.Sort(len(x.units), func(i int) scene.Spot {
			u := x.units[i]
			return scene.Spot{At: u.plant.Position(), InAir: u.inAir, Disc: u.disc}
		}, func(i int) scene.Spot {
			u := x.units[i]
			return scene.Spot{At: u.sampled.Position(), InAir: u.sampledInAir, Disc: u.disc}
		})
		x.Kernel.Group()
	}
	return x.grid.Crowd()
}

// measure finds out how large the robots are and how far the fastest of them moves in a cycle.
func (x *World) measure() {
	x.bodies, x.contactReach = x.bodies[:0], ContactReach
	for _, u := range x.units {
		x.contactReach = max(x.contactReach, u.traits.ContactReach)
		x.bodies = append(x.bodies, scene.Body{Radius: u.traits.Radius, MaxWay: u.traits.MaxWay})
	}
	x.Kernel.SetMaxStep(x.grid.Measure(x.bodies))
	x.air.SetRadii(x.grid.Radii())
}

// approach returns whom u may touch until the grid is sorted again.
func (u *Unit) approach() []int32 {
	x := u.world
	u.contacts = u.contacts[:0]
	anchor := x.grid.Anchor(u.place)
	if anchor.InAir {
		return nil
	}
	// Both may come nearer by the crowd's slack; Around allows for one of them.
	u.numbers = x.grid.Crowd().Around(anchor.At, u.traits.Radius+physics.BodyRadius+physics.CrowdSlack, u.numbers[:0])
	for _, n := range u.numbers {
		if int(n) != u.place {
			u.contacts = append(u.contacts, n)
		}
	}
	return u.contacts
}

// meet returns whom u may touch in the cycles of the longest step.
func (u *Unit) meet() []int32 {
	x, at := u.world, u.plant.Position()
	u.meets = u.meets[:0]
	for _, n := range u.contacts {
		o := x.units[n]
		reach := u.traits.Radius + o.traits.Radius + float64(float64(x.grid.MaxStep())*(u.traits.MaxWay+o.traits.MaxWay))
		if v := o.plant.Position().Sub(at); v.Dot(v) < float64(reach*reach) {
			u.meets = append(u.meets, n)
		}
	}
	return u.meets
}

// Touching returns the robots that u can bump into in this step.
func (u *Unit) Touching() *physics.Others {
	if list := u.reachable(); len(list) > 0 {
		return u.onFloor(list)
	}
	return nil
}

// reachable returns the numbers of the units that u can bump into in this step.
func (u *Unit) reachable() []int32 {
	if u.world.Kernel.Narrow() {
		return u.meets
	}
	return u.contacts
}

// onFloor returns those units of a list that are on the floor, but not u.
func (u *Unit) onFloor(list []int32) *physics.Others {
	u.others.Discs, u.others.Solids = u.others.Discs[:0], u.others.Solids[:0]
	for _, n := range list {
		if o := u.world.units[n]; o != u && !o.inAir {
			o.plant.AppendTo(&u.others)
		}
	}
	return &u.others
}

// OnFloor returns the robots on the floor, but not u, that may be within reach (m) of a place, if they have the radius of
// an e-puck2.
func (u *Unit) OnFloor(at geom.Vec, reach float64) *physics.Others {
	u.numbers = u.world.SortedGrid().Around(at, reach, u.numbers[:0])
	return u.onFloor(u.numbers)
}

// Ahead returns the robots that matter to a time-of-flight sensor on a body at a place: see
// [physics.Scene.RangeWitnesses].
func (u *Unit) Ahead(at geom.Vec) *physics.Others {
	u.numbers = u.world.Physics.RangeWitnesses(u.world.SortedGrid(), at, u.numbers[:0])
	return u.onFloor(u.numbers)
}

// OthersSampled returns the other robots that matter to u's infrared sensors in the latest cycle: those near it, and
// those that may be in the light of a lamp.
func (u *Unit) OthersSampled() *physics.Others {
	x := u.world
	u.numbers = x.Physics.Witnesses(x.grid.Crowd(), u.sampled.Position(), u.numbers[:0])
	return u.onFloorSampled(u.numbers)
}

// NearSampled returns those of them that are near.
func (u *Unit) NearSampled() *physics.Others {
	u.numbers = u.world.grid.Crowd().Around(u.sampled.Position(), physics.SenseReach, u.numbers[:0])
	return u.onFloorSampled(u.numbers)
}

// onFloorSampled returns those units of a list that were on the floor in the latest cycle, but not u.
func (u *Unit) onFloorSampled(list []int32) *physics.Others {
	x := u.world
	u.others.Discs, u.others.Solids = u.others.Discs[:0], u.others.Solids[:0]
	for _, n := range list {
		switch o := x.grid.Spot(n); {
		case int(n) == u.place || o.InAir:
		case o.Disc:
			u.others.Discs = append(u.others.Discs, o.At)
		default: // its solids do not move until the next cycle
			x.units[n].plant.AppendTo(&u.others)
		}
	}
	return &u.others
}
