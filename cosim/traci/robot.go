// SPDX-License-Identifier: Apache-2.0

package traci

import (
	"errors"
	"math"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
	"github.com/epuck-ros2/epuck-driver/cosim/traffic"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// robot is a robot as clients know it: a vehicle.
type robot struct {
	name, kind, route string
	member            sim.Robot // nil: added, and not there yet
	departed          bool
	size              size

	// What it is to be once it is there.
	level  string
	pose   sim.Pose
	placed bool

	override sim.MotorOverride
	ramp     ramp
	pausing  bool          // it stands for a stop
	until    time.Duration // for so long
	pause    float64       // how long the stop is, s
	colour   wire.Colour
	painted  bool
	notes    map[string]string // parameters

	truth       sim.GroundTruth
	fresh       bool            // truth is of now
	last        sim.GroundTruth // at the end of the latest step
	speed       float64         // acceleration, m/s²
	waitingTime time.Duration

	car    *traffic.Car // nil: it is on no lane
	depart departure
	added  bool    // by a client
	routes int     // that it has been given
	way    float64 // m
}

// ramp is a change of speed over a time.
type ramp struct {
	on         bool
	from, to   float64 // m/s
	begin, end time.Duration
}

// Names of types of vehicles; those of a level are behind it.
const (
	modelName    = "e-puck2"
	anyVehicle   = "DEFAULT_VEHTYPE"
	personType   = "DEFAULT_PEDTYPE"
	waitingSpeed = 0.001 // below it a robot counts as stopped, m/s
)

// size is the size of a vehicle, m.
type size struct{ length, width, height float64 }

// epuckSize is that of an e-puck2.
func epuckSize() size {
	return size{2 * physics.BodyRadius, 2 * physics.BodyRadius, physics.BodyHeight}
}

// sizeOf returns the size of the rectangle around a robot's solids, along its frame's axes.
func sizeOf(m sim.Robot) size {
	solids, _ := m.Outline()
	if m.Model() == "" || len(solids) == 0 {
		return epuckSize()
	}
	low, high, s := solids[0].Center(), solids[0].Center(), size{}
	for i := range solids {
		o := &solids[i]
		corners := o.Outline(4)
		if c, r := o.Center(), o.Reach(); o.Kind() == geom.Disc {
			corners = []geom.Vec{c.Sub(geom.Vec{X: r, Y: r}), c.Add(geom.Vec{X: r, Y: r})}
		}
		s.height = max(s.height, o.Height())
		for _, p := range corners {
			low.X, low.Y = min(low.X, p.X), min(low.Y, p.Y)
			high.X, high.Y = max(high.X, p.X), max(high.Y, p.Y)
		}
	}
	s.length, s.width = high.X-low.X, high.Y-low.Y
	return s
}

// kinds returns the types of vehicles, and the level of each; "" is that of the world's first robot.
func kinds() (names []string, levels map[string]string) {
	names, levels = []string{modelName, anyVehicle}, map[string]string{modelName: "", anyVehicle: ""}
	for _, l := range world.Levels() {
		names = append(names, modelName+"/"+l)
		levels[modelName+"/"+l] = l
	}
	return names, levels
}

// now returns the true state of a present robot.
func (r *robot) now() *sim.GroundTruth {
	if !r.fresh {
		r.truth, r.fresh = r.member.GroundTruth(), true
	}
	return &r.truth
}

func (r *robot) inserted() bool { return r.member != nil }

// at returns where a robot is; nowhere as long as it is not there.
func (r *robot) at() wire.Point {
	if !r.inserted() {
		return wire.Point{wire.NoDouble, wire.NoDouble}
	}
	return wire.Point{r.now().Pose.X, r.now().Pose.Y}
}

// degrees makes an angle clockwise from north of a heading.
func degrees(theta float64) float64 {
	a := math.Mod(90-theta*180/math.Pi, 360)
	if a < 0 {
		a += 360
	}
	if a >= 360 { // rounding
		a = 0
	}
	return a
}

// heading makes a heading of an angle clockwise from north.
func heading(angle float64) float64 { return geom.WrapAngle((90 - angle) * math.Pi / 180) }

// spawn puts a robot that was added into the world, where it was placed or where there is space; without space it
// waits.
func (w *state) spawn(r *robot) error {
	like := *w.cfg.Like
	like.Name = r.name
	if r.level != "" {
		like.Level = r.level
	}
	places := []sim.Pose{r.pose}
	if start, ok := w.net.startPose(r); ok && !r.placed {
		places = []sim.Pose{start}
	} else if !r.placed {
		places = w.places()
	}
	for _, p := range places {
		like.Position, like.Yaw = world.Point{p.X, p.Y}, p.Theta
		m, err := w.sim.Spawn(like)
		switch {
		case errors.Is(err, sim.ErrOccupied):
			continue
		case err != nil:
			return err
		}
		r.member, r.departed, r.last = m, true, m.GroundTruth()
		w.net.depart(r)
		w.departed = append(w.departed, r.name)
		w.fresh.departed = append(w.fresh.departed, r.name)
		if r.painted {
			m.OverrideLEDs(lamps(r.colour), true)
		}
		return errors.Join(m.OverrideMotors(r.override), w.cfg.Added(m))
	}
	return nil
}

// places returns places to try for a robot, from the world's south-west corner on.
func (w *state) places() (all []sim.Pose) {
	const pitch = 2 * physics.BodyRadius * 1.1
	low, high := w.bounds[0], w.bounds[1]
	rows, columns := int((high[1]-low[1])/pitch), int((high[0]-low[0])/pitch)
	for k := range min(rows*columns, 20000) {
		all = append(all, sim.Pose{X: low[0] + float64((float64(k%columns)+0.5)*pitch), Y: low[1] + float64((float64(k/columns)+0.5)*pitch)})
	}
	return all
}

// slow advances changes of speed and ends stops, before each tick.
func (w *state) slow() {
	for _, r := range w.robots {
		r.fresh = false
		if !r.inserted() || !r.ramp.on && !r.pausing {
			continue
		}
		switch {
		case r.pausing && w.now > r.until:
			w.resume(r)
		case r.ramp.on:
			share := min(1, float64(w.now-r.ramp.begin)/float64(max(tick, r.ramp.end-r.ramp.begin)))
			r.override.Held, r.override.Speed = true, r.ramp.from+float64((r.ramp.to-r.ramp.from)*share)
			r.ramp.on = share < 1
			_ = r.apply() // the speeds were checked
		}
	}
}

// apply sets the robot's motor override.
func (r *robot) apply() error {
	if !r.inserted() {
		return nil
	}
	override := r.override
	if r.drives() {
		override = sim.MotorOverride{Held: true, Speed: r.car.Forward, Turning: true, Turn: r.car.Turn}
	}
	if r.pausing {
		override.Held, override.Speed, override.Turn = true, 0, 0
	}
	r.fresh = false
	return rejected(r.member.OverrideMotors(override))
}

// resume ends a robot's stop.
func (w *state) resume(r *robot) {
	r.pausing = false
	if r.car != nil {
		r.car.StopAt(nil, 0)
	}
	w.fresh.resumed = append(w.fresh.resumed, r.name)
	_ = r.apply() // the override was checked
}

// measure notes what a step has done to each robot.
func (w *state) measure(d time.Duration) {
	var around obstacles
	for _, r := range w.robots {
		r.fresh = false
		if !r.inserted() {
			continue
		}
		t := r.now()
		r.way += t.Pose.Position().Sub(r.last.Pose.Position()).Norm()
		r.speed = (t.V - r.last.V) / d.Seconds()
		if r.waitingTime += d; math.Abs(t.V) >= waitingSpeed {
			r.waitingTime = 0
		}
		if t.Collided || t.Collisions > r.last.Collisions {
			w.fresh.collisions = append(w.fresh.collisions, w.collide(r, &around))
		}
		r.last = *t
	}
}

// obstacles are what robots may touch in addition to each other, looked up once in a step.
type obstacles struct {
	known   bool
	persons []sim.Person
	things  []sim.Thing
}

// collide finds out what a robot has met: the robot, person or thing that is nearest.
func (w *state) collide(r *robot, around *obstacles) collision {
	if !around.known {
		*around = obstacles{true, w.sim.Persons(), w.sim.Things()}
	}
	t := r.now()
	at := t.Pose.Position()
	_, lane, pos := r.onLane(w)
	c := collision{robot: r.name, robotKind: r.kind, robotSpeed: t.V, what: "collision", lane: lane, pos: pos}
	nearest := math.Inf(1)
	meet := func(gap float64, name, kind string, speed float64) {
		if gap < nearest {
			nearest, c.victim, c.victimKind, c.victimSpeed = gap, name, kind, speed
		}
	}
	for _, o := range w.robots {
		if o != r && o.inserted() {
			gap := o.now().Pose.Position().Sub(at).Norm() - 2*physics.BodyRadius
			meet(gap, o.name, o.kind, o.now().V)
		}
	}
	for _, p := range around.persons {
		meet(p.Pose.Position().Sub(at).Norm()-p.Radius-physics.BodyRadius, p.Name, personType, p.Speed)
	}
	for _, thing := range around.things {
		meet(gapTo(thing.Shape, at), thing.Name, building, 0)
	}
	return c
}

// gapTo returns how far a robot's body at a place is from a thing, m.
func gapTo(shape geom.Shape, at geom.Vec) float64 {
	gap, step := 0.0, 0.05
	for ; gap < 1; gap += step { // outwards until it touches: things are few
		if _, hit := shape.Push(at, physics.BodyRadius+gap); hit {
			break
		}
	}
	for low := max(0, gap-step); step > 1e-4; step /= 2 {
		half := float64(step / 2)
		if _, hit := shape.Push(at, physics.BodyRadius+low+half); hit {
			gap = low + half
		} else {
			low += half
		}
	}
	return gap
}

// vehicle returns the robot of a name.
func (w *state) vehicle(name string) (*robot, error) {
	if r := w.byName[name]; r != nil {
		return r, nil
	}
	return nil, refuse("Vehicle '%s' is not known", name)
}

// pending returns robots that were added and are not there yet.
func (w *state) pending() (names []string) {
	for _, r := range w.robots {
		if !r.inserted() {
			names = append(names, r.name)
		}
	}
	return names
}

// removeRobot takes a robot out of the world.
func (w *state) removeRobot(r *robot) error {
	if !r.inserted() {
		w.robots = slices.DeleteFunc(w.robots, func(o *robot) bool { return o == r })
		delete(w.byName, r.name)
		return nil
	}
	if err := errors.Join(w.cfg.Removed(r.name), w.sim.Remove(r.name)); err != nil {
		return rejected(err)
	}
	w.forget(r)
	return nil
}
