// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// unit is what the world knows of a robot of either level: its body, and where it was. The step that is under way may
// write a unit's fields from the one goroutine that moves its island; everything else holds the simulation's lock.
type unit struct {
	sim   *Simulation
	place int // among the units, in the order of the world file
	name  string
	key   uint64 // of the name, for the generators of those that hear it

	body  *physics.Body
	inAir bool

	// One of them is there.
	robot *Robot
	agent *Agent

	sampled      geom.Pose // at the latest infrared cycle
	sampledInAir bool

	contacts []int32    `freeze:"-"` // units that it may touch before the crowd is sorted again
	meets    []int32    `freeze:"-"` // those of them that it may touch in the next cycles, in a dense world
	others   []geom.Vec `freeze:"-"`
	numbers  []int32    `freeze:"-"` // scratch
	trace    *trace     // nil: nothing is recorded

	// From here on what most steps don't need: the rest has a few lines of the cache.
	made    world.Robot `freeze:"-"` // what it was made of
	painted bool        // the LEDs show paint, whatever the robot wants
	paint   vmcu.LEDs

	rab transceiver
}

func newUnit(s *Simulation, w *world.Robot, src noise.Source) unit {
	u := unit{
		sim: s, name: w.Name, made: *w, key: noise.New(0).Named(w.Name).Uint64(0),
		body: physics.NewBody(geom.Pose{X: w.Position[0], Y: w.Position[1], Theta: w.Yaw}, w.WheelDistance),
		rab:  newTransceiver(src.Named("range and bearing")),
	}
	u.sampled = u.body.Pose()
	return u
}

// touching returns the middles of the units that u can bump into in this step.
func (u *unit) touching() []geom.Vec {
	if u.sim.islands.until > 0 {
		return u.standing(u.meets)
	}
	return u.standing(u.contacts)
}

// ahead returns the middles of the units that matter to u's time-of-flight sensor.
func (u *unit) ahead() []geom.Vec {
	s := u.sim
	s.muster()
	u.numbers = s.scene.RangeWitnesses(&s.crowd, u.body.Position(), u.numbers[:0])
	return u.standing(u.numbers)
}

// standing returns the middles of those units of a list that stand on the floor, but not of u.
func (u *unit) standing(list []int32) []geom.Vec {
	u.others = u.others[:0]
	for _, n := range list {
		if o := u.sim.units[n]; o != u && !o.inAir {
			u.others = append(u.others, o.body.Position())
		}
	}
	return u.others
}

// crowded returns the middles of the units that a body at p may touch, but not of u.
func (u *unit) crowded(p geom.Vec) []geom.Vec {
	s := u.sim
	s.muster()
	u.numbers = s.crowd.Around(p, 2*physics.BodyRadius, u.numbers[:0])
	return u.standing(u.numbers)
}

// othersSampled returns the middles of the other units that matter to u's infrared sensors in the latest cycle: those
// near it, and those that may stand in the light of a lamp.
func (u *unit) othersSampled() []geom.Vec {
	s := u.sim
	u.numbers = s.scene.Witnesses(&s.crowd, u.sampled.Position(), u.numbers[:0])
	return u.standingSampled(u.numbers)
}

// standingSampled returns the middles of those units of a list that stood on the floor in the latest cycle, but not of
// u.
func (u *unit) standingSampled(list []int32) []geom.Vec {
	s := u.sim
	u.others = u.others[:0]
	for _, n := range list {
		if o := &s.spots[n]; int(n) != u.place && !o.inAir {
			u.others = append(u.others, o.at)
		}
	}
	return u.others
}

// muster sorts the crowd if units have come, gone, or moved too far since.
func (s *Simulation) muster() {
	if !s.scattered.Load() {
		return
	}
	s.scattered.Store(false)
	s.spots = s.spots[:0]
	for _, u := range s.units {
		s.spots = append(s.spots, spot{u.body.Position(), u.inAir})
	}
	s.sortCrowd()
	for i, u := range s.units {
		s.spots[i] = spot{u.sampled.Position(), u.sampledInAir}
	}
}

// sortCrowd sorts the crowd when all units are in their spots.
func (s *Simulation) sortCrowd() {
	s.anchors = append(s.anchors[:0], s.spots...)
	s.crowd.Sort(len(s.anchors), func(i int) (geom.Vec, bool) { return s.anchors[i].at, !s.anchors[i].inAir })
	s.islands.settle(s)
}

// spot is where a unit is. They lie close together, for others look at them.
type spot struct {
	at    geom.Vec
	inAir bool
}

// strayed notes that the crowd must be sorted before the next step if u has moved too far. It stays below the crowd's
// slack by more than a body moves in a stride.
func (u *unit) strayed() {
	s := u.sim // storing takes the line of the cache from all others, so only one does it
	if way := u.body.Position().Sub(s.anchors[u.place].at); way.Dot(way) > strayLimit*strayLimit && !s.scattered.Load() {
		s.scattered.Store(true)
	}
}

const (
	// cycleWay is more than a body moves in an infrared cycle, m: at most 1100 steps/s make 1.4 mm.
	cycleWay   = 0.002
	strayLimit = physics.CrowdSlack - maxStride*cycleWay
)

// vary makes a robot differ from the drawing as the world file says.
func vary(body *physics.Body, eyes *physics.Eyes, inertia *physics.Inertia, w *world.Robot, dice noise.Source) {
	v := w.Variation
	if v.WheelRadii == (world.Radii{}) {
		v.WheelRadii = world.Radii{physics.WheelRadius, physics.WheelRadius}
	}
	if v.WheelRadii != (world.Radii{physics.WheelRadius, physics.WheelRadius}) || v.Slip != 0 {
		body.SetWheels(v.WheelRadii[0], v.WheelRadii[1], v.Slip, v.SlipLength, dice.Named("wheels"))
	}
	if v.Infrared != 0 {
		eyes.Vary(v.Infrared, dice.Named("infrared"))
	}
	if v.Inertial != 0 {
		inertia.Vary(v.Inertial, dice.Named("inertial"))
	}
}
