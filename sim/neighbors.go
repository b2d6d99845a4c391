// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/kernel"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// approach returns whom u may touch until the crowd is sorted again.
func (u *unit) approach() []int32 {
	s := u.sim
	u.contacts = u.contacts[:0]
	if s.anchors[u.place].inAir {
		return nil
	}
	// Both may come nearer by the crowd's slack; Around allows for one of them.
	u.numbers = s.crowd.Around(s.anchors[u.place].at, u.radius+physics.BodyRadius+physics.CrowdSlack, u.numbers[:0])
	for _, n := range u.numbers {
		if int(n) != u.place {
			u.contacts = append(u.contacts, n)
		}
	}
	return u.contacts
}

// meet returns whom u may touch in the cycles of the longest step.
func (u *unit) meet() []int32 {
	s, at := u.sim, u.position()
	u.meets = u.meets[:0]
	for _, n := range u.contacts {
		o := s.units[n]
		reach := u.radius + o.radius + float64(float64(s.maxStep)*(u.maxWay+o.maxWay))
		if v := o.position().Sub(at); v.Dot(v) < float64(reach*reach) {
			u.meets = append(u.meets, n)
		}
	}
	return u.meets
}

// touching returns the units that u can bump into in this step.
func (u *unit) touching() *physics.Others {
	if list := u.reachable(); len(list) > 0 {
		return u.onFloor(list)
	}
	return nil
}

// reachable returns the numbers of the units that u can bump into in this step.
func (u *unit) reachable() []int32 {
	if u.sim.kernel.Narrow() {
		return u.meets
	}
	return u.contacts
}

// onFloor returns those units of a list that are on the floor, but not u.
func (u *unit) onFloor(list []int32) *physics.Others {
	u.others.Discs, u.others.Solids = u.others.Discs[:0], u.others.Solids[:0]
	for _, n := range list {
		if o := u.sim.units[n]; o != u && !o.inAir {
			o.plant.appendTo(&u.others)
		}
	}
	return &u.others
}

// othersSampled returns the other units that matter to u's infrared sensors in the latest cycle: those near it, and
// those that may be in the light of a lamp.
func (u *unit) othersSampled() *physics.Others {
	s := u.sim
	u.numbers = s.scene.Witnesses(&s.crowd, u.sampled.Position(), u.numbers[:0])
	return u.onFloorSampled(u.numbers)
}

// onFloorSampled returns those units of a list that were on the floor in the latest cycle, but not u.
func (u *unit) onFloorSampled(list []int32) *physics.Others {
	s := u.sim
	u.others.Discs, u.others.Solids = u.others.Discs[:0], u.others.Solids[:0]
	for _, n := range list {
		switch o := &s.spots[n]; {
		case int(n) == u.place || o.inAir:
		case o.disc:
			u.others.Discs = append(u.others.Discs, o.at)
		default: // its solids do not move until the next cycle
			s.units[n].plant.appendTo(&u.others)
		}
	}
	return &u.others
}

// muster sorts the crowd if units were added, removed, or moved too far since.
func (s *Simulation) muster() {
	if !s.scattered.Load() {
		return
	}
	s.scattered.Store(false)
	s.spots = s.spots[:0]
	for _, u := range s.units {
		s.spots = append(s.spots, spot{u.position(), u.inAir, u.disc})
	}
	s.sortCrowd()
	for i, u := range s.units {
		s.spots[i] = spot{u.sampled.Position(), u.sampledInAir, u.disc}
	}
}

// sortCrowd sorts the crowd when all units are in their spots.
func (s *Simulation) sortCrowd() {
	s.anchors = append(s.anchors[:0], s.spots...)
	s.crowd.Sort(len(s.anchors), func(i int) (geom.Vec, bool) { return s.anchors[i].at, !s.anchors[i].inAir })
	s.kernel.Group()
}

// spot is where a unit is. They are close together in memory, for others look at them.
type spot struct {
	at    geom.Vec
	inAir bool
	disc  bool // it is a disc; else the scene has its solids
}

// strayed notes that the crowd must be sorted before the next step if u, now at a place, has moved too far. The limit
// is below the crowd's slack by more than a body moves in a step.
func (u *unit) strayed(at geom.Vec) {
	s := u.sim // storing takes the line of the cache from all others, so only one does it
	if way := at.Sub(s.anchors[u.place].at); way.Dot(way) > s.strayLimit && !s.scattered.Load() {
		s.scattered.Store(true)
	}
}

const (
	// cycleWay is more than a body with wheels as drawn moves in an infrared cycle, m: 1100 steps/s make 1.4 mm.
	cycleWay = 0.002
	// stepWay is how far a body may move in a step of several cycles, m.
	stepWay = kernel.MaxStep * cycleWay
)

// measure finds out how large the units are and how far the fastest of them moves in a cycle: from that follow how many
// cycles a step has, and how far a unit may move until the crowd is sorted again.
func (s *Simulation) measure() {
	way := cycleWay
	s.radii, s.meeting = s.radii[:0], meeting
	for _, u := range s.units {
		s.meeting = max(s.meeting, u.meeting)
		way = max(way, u.maxWay)
		s.radii = append(s.radii, u.radius)
	}
	s.crowd.SetRadii(s.radii)
	s.air.SetRadii(s.radii)
	s.maxStep = max(1, min(kernel.MaxStep, int64(stepWay/way+1e-9)))
	s.kernel.SetMaxStep(s.maxStep)
	limit := max(0, physics.CrowdSlack-float64(float64(s.maxStep)*way))
	s.strayLimit = float64(limit * limit)
}
