// SPDX-License-Identifier: Apache-2.0

package traci

import (
	"math"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

func (w *state) setVehicle(id string, variable byte, args *wire.Reader) error {
	if variable == varAdd || variable == varAddFull {
		return w.addVehicle(id, variable, args)
	}
	known := []byte{
		varSpeed, varMaxSpeed, varColour, varAcceleration, varSlowDown, varStop, varResume, varParameter, varMoveToXY, varRemove,
		varLane, varTarget, varRoute, varRouteID, varMoveTo,
	}
	if !slices.Contains(known, variable) {
		return errVariable
	}
	r, err := w.vehicle(id)
	if err != nil {
		return err
	}
	switch variable {
	case varMoveToXY:
		return w.moveVehicle(r, args)
	case varRemove:
		args.TypedByte()
		if err := require(args, "Removing a vehicle requires a byte."); err != nil {
			return err
		}
		return w.removeRobot(r)
	case varParameter:
		return w.noteVehicle(r, args)
	case varColour:
		c := args.TypedColour()
		if err := require(args, "The color must be given using the according type."); err != nil {
			return err
		}
		r.colour, r.painted, r.fresh = c, true, false
		if r.inserted() {
			r.member.OverrideLEDs(lamps(c), true)
		}
		return nil
	case varLane, varTarget, varRoute, varRouteID, varMoveTo:
		if w.net != nil {
			return w.net.steer(r, variable, args)
		}
		return w.steer(variable, args)
	}
	return w.drive(r, variable, args)
}

// drive executes what is about speed.
func (w *state) drive(r *robot, variable byte, args *wire.Reader) error {
	switch variable {
	case varSpeed:
		v := args.TypedDouble()
		if err := require(args, "Setting speed requires a double."); err != nil {
			return err
		}
		if math.IsNaN(v) {
			return refuse("Invalid speed.")
		}
		r.ramp.on = false
		r.override.Held, r.override.Speed = v >= 0, max(0, v)
		return r.apply()
	case varMaxSpeed:
		v := args.TypedDouble()
		if err := require(args, "Setting maximum speed requires a double."); err != nil {
			return err
		}
		if !(v >= 0) {
			return refuse("Invalid maximum speed.")
		}
		r.override.Limited, r.override.Limit = v < sim.MaxSpeed, v
		return r.apply()
	case varSlowDown:
		if err := compound(args, 2, "Slow down needs a compound object description.", "Slow down needs a compound object description of two items."); err != nil {
			return err
		}
		v := args.TypedDouble()
		if err := require(args, "The first slow down parameter must be the speed given as a double."); err != nil {
			return err
		}
		d := args.TypedDouble()
		if err := require(args, "The second slow down parameter must be the duration given as a double."); err != nil {
			return err
		}
		return w.ramp(r, v, d)
	case varAcceleration:
		const wrong = "Setting acceleration requires 2 parameters as compound object description."
		if err := compound(args, 2, wrong, wrong); err != nil {
			return err
		}
		a, d := args.TypedDouble(), args.TypedDouble()
		if err := require(args, "Setting acceleration requires the acceleration and the duration as doubles."); err != nil {
			return err
		}
		return w.ramp(r, w.speedOf(r)+float64(a*d), d)
	}
	return w.halt(r, variable, args)
}

func (w *state) speedOf(r *robot) float64 {
	if r.inserted() {
		return r.now().V
	}
	return 0
}

// ramp begins a linear change of speed.
func (w *state) ramp(r *robot, speed, seconds float64) error {
	if !(speed >= 0) || math.IsInf(speed, 1) {
		return refuse("Speed must not be negative")
	}
	if !(seconds >= 0 && seconds <= longest.Seconds()) {
		return refuse("Invalid time interval")
	}
	r.ramp = ramp{
		on: true, from: w.speedOf(r), to: min(speed, sim.MaxSpeed), begin: w.now,
		end: w.now + time.Duration(seconds*float64(time.Second)),
	}
	return nil
}

// halt executes stop and resume.
func (w *state) halt(r *robot, variable byte, args *wire.Reader) error {
	if variable == varResume {
		args.TypedCompound()
		if err := require(args, "Resuming requires a compound object."); err != nil {
			return err
		}
		if !r.pausing {
			return refuse("Failed to resume vehicle '%s', it has no stops.", r.name)
		}
		w.resume(r)
		return nil
	}
	n := args.TypedCompound()
	if err := require(args, "Stop needs a compound object description."); err != nil {
		return err
	}
	if n < 4 || n > 7 {
		return refuse("Stop needs a compound object description of four to seven items.")
	}
	edge, pos, lane, seconds := args.TypedString(), args.TypedDouble(), args.TypedByte(), args.TypedDouble()
	if err := require(args, "Stop needs an edge, a position, a lane and a duration."); err != nil {
		return err
	}
	if w.net != nil {
		return w.net.stopAt(r, edge, pos, lane, seconds)
	}
	if edge != w.edge || math.IsNaN(pos) || lane != 0 {
		return refuse("Stop for vehicle '%s' on edge '%s' is not on the world's only edge '%s', lane 0.", r.name, edge, w.edge)
	}
	r.pause = seconds
	w.pause(r)
	return r.apply()
}

// pause begins a robot's stop.
func (w *state) pause(r *robot) {
	r.pausing, r.until = true, longest
	if r.pause >= 0 && r.pause < longest.Seconds() {
		r.until = w.now + time.Duration(r.pause*float64(time.Second))
	}
	w.fresh.stopped = append(w.fresh.stopped, r.name)
}

// steer answers what is about lanes and ways, of which there is one.
func (w *state) steer(variable byte, args *wire.Reader) error {
	switch variable {
	case varMoveTo:
		return refuse("The world has no network on whose lanes vehicles could be moved: --net-file.")
	case varLane:
		const wrong = "Lane change needs a compound object description of two or three items."
		if err := compound(args, 2, "Lane change needs a compound object description.", wrong); err != nil {
			return err
		}
		if lane := args.TypedByte(); require(args, "") == nil && lane != 0 {
			return refuse("No lane with index '%d' on edge '%s'.", lane, w.edge)
		}
		args.Skip()
		return require(args, wrong)
	case varRouteID:
		id := args.TypedString()
		if err := require(args, "The route id must be given as a string."); err != nil {
			return err
		}
		if !slices.Contains(w.routeIDs(), id) {
			return refuse("The route '%s' is not known.", id)
		}
		return nil
	case varTarget:
		edge := args.TypedString()
		if err := require(args, "Change target requires a string containing the id of the new destination edge as parameter."); err != nil {
			return err
		}
		return w.checkEdges([]string{edge})
	}
	edges := args.TypedStrings()
	if err := require(args, "A route must be defined as a list of edge ids."); err != nil {
		return err
	}
	return w.checkEdges(edges)
}

// checkEdges refuses edges that there are not.
func (w *state) checkEdges(edges []string) error {
	if w.net != nil {
		_, err := w.net.checkRoute(edges)
		return err
	}
	for _, e := range edges {
		if e != w.edge {
			return refuse("Unknown edge '%s' in route.", e)
		}
	}
	return nil
}

// moveVehicle puts a robot down somewhere; one that is not there yet will come there.
func (w *state) moveVehicle(r *robot, args *wire.Reader) error {
	n := args.TypedCompound()
	if err := require(args, "MoveToXY vehicle requires a compound object."); err != nil {
		return err
	}
	if n < 6 || n > 7 {
		return refuse("MoveToXY vehicle should obtain: edgeID, lane, x, y, angle and optionally keepRouteFlag and matchThreshold.")
	}
	args.TypedString()
	args.TypedInt()
	x, y, angle := args.TypedDouble(), args.TypedDouble(), args.TypedDouble()
	keep := args.TypedByte()
	for range n - 6 { // matchThreshold
		args.Skip()
	}
	if err := require(args, "MoveToXY vehicle requires a string, an integer and three doubles."); err != nil {
		return err
	}
	pose := sim.Pose{X: x, Y: y}
	switch {
	case angle != wire.NoDouble:
		pose.Theta = heading(angle)
	case r.inserted():
		pose.Theta = r.now().Pose.Theta
	default:
		pose.Theta = r.pose.Theta
	}
	if !r.inserted() {
		if math.IsNaN(x) || math.IsNaN(y) || math.Abs(x) > world.MaxCoordinate || math.Abs(y) > world.MaxCoordinate {
			return refuse("MoveToXY vehicle '%s' to (%g, %g)", r.name, x, y)
		}
		r.pose, r.placed = pose, true
		return nil
	}
	pose = w.net.snap(r, pose, keep)
	if err := r.member.Place(pose); err != nil {
		return rejected(err)
	}
	r.fresh = false
	r.last.Pose = r.now().Pose // it did not drive there
	return nil
}

// noteVehicle sets a parameter; what a robot measures can't be set.
func (w *state) noteVehicle(r *robot, args *wire.Reader) error {
	key, value, err := readNote(args)
	if err != nil {
		return err
	}
	if isSensor(key) {
		return refuse("Parameter '%s' of vehicle '%s' is what it measures.", key, r.name)
	}
	again := wire.NewReader(wire.TypeString(wire.TypeString(wire.TypeCompound(nil, 2), key), value))
	return setNote(&r.notes, again)
}

// addVehicle takes in a robot that is to come with the next step.
func (w *state) addVehicle(id string, variable byte, args *wire.Reader) error {
	n := args.TypedCompound()
	if err := require(args, "Adding a vehicle requires a compound object."); err != nil {
		return err
	}
	var kind, routeID string
	depart := readDeparture("", "")
	if variable == varAdd {
		if n != 6 {
			return refuse("Adding a vehicle needs six parameters.")
		}
		kind, routeID = args.TypedString(), args.TypedString()
	} else {
		if n != 14 {
			return refuse("Adding a fully specified vehicle needs fourteen parameters.")
		}
		routeID, kind = args.TypedString(), args.TypedString()
		args.Skip()
		depart = readDeparture(args.TypedString(), args.TypedString())
		n -= 3
	}
	for range n - 2 { // departure and lanes: it comes with the next step, where there is space
		args.Skip()
	}
	if err := require(args, "Adding a vehicle needs the types that SUMO's client sends."); err != nil {
		return err
	}
	_, levels := kinds()
	level, ok := levels[kind]
	switch {
	case w.byName[id] != nil:
		return refuse("The vehicle '%s' to add already exists.", id)
	case w.taken(id):
		return refuse("The vehicle '%s' to add has the name of something else.", id)
	case !ok:
		return refuse("Invalid type '%s' for vehicle '%s'.", kind, id)
	case routeID != "" && !slices.Contains(w.routeIDs(), routeID):
		return refuse("Invalid route '%s' for vehicle '%s'.", routeID, id)
	case !validName(id):
		return refuse("Invalid id '%s': a robot's name is letters, digits and _, and begins with a letter.", id)
	}
	if err := w.net.checkConnected(id, routeID); err != nil {
		return err
	}
	if routeID == "" && w.net == nil {
		routeID = w.edge
	}
	r := &robot{name: id, kind: kind, route: routeID, level: level, size: epuckSize(), depart: depart, added: true}
	w.robots = append(w.robots, r)
	w.byName[id] = r
	w.fresh.loaded = append(w.fresh.loaded, id)
	return nil
}

// validName reports whether a robot can be called so: its name is a namespace of ROS 2.
func validName(id string) bool {
	for i, c := range []byte(id) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return id != "" && len(id) <= 60
}

// taken reports whether something else than a robot has a name.
func (w *state) taken(id string) bool {
	if _, err := w.findPerson(id); err == nil {
		return true
	}
	return slices.ContainsFunc(w.sim.Things(), func(t sim.Thing) bool { return t.Name == id })
}
