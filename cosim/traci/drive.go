// SPDX-License-Identifier: Apache-2.0

package traci

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/lanes"
	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
	"github.com/epuck-ros2/epuck-driver/cosim/traffic"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// drivePeriod is how often robots on a network are steered.
const drivePeriod = 5 * tick

// departure is where on its first edge a robot begins: a lane's number, and a position, m.
type departure struct {
	lane int
	pos  float64
}

// readDeparture reads where a robot begins, as SUMO's clients say it: "first" or a number, "base" or a number.
func readDeparture(lane, pos string) (d departure) {
	d.pos = math.NaN()
	if n, err := strconv.Atoi(lane); err == nil && n >= 0 {
		d.lane = n
	}
	if v, err := strconv.ParseFloat(pos, 64); err == nil && v >= 0 && !math.IsInf(v, 0) {
		d.pos = v
	}
	return d
}

// drives reports whether the network drives the robot: it has a route and has not arrived.
func (r *robot) drives() bool { return r.car != nil && !r.car.Idle }

// depart puts a robot that is new in the world on the first edge of its route.
func (n *laneNet) depart(r *robot) {
	route := n.routeOf(r.route)
	if n == nil || len(route) == 0 {
		return
	}
	lane, pos := n.start(r, route)
	if r.placed {
		lane, pos, _ = n.net.Nearest(r.pose.Position(), func(l *lanes.Lane) bool { return slices.Contains(route, l.Edge) })
	}
	r.car = n.newCar(r, lane, pos, route)
	r.car.Idle = false
}

// routeOf returns the edges of a route, nil if there is none of the name.
func (n *laneNet) routeOf(id string) []*lanes.Edge {
	if n == nil {
		return nil
	}
	for i := range n.world.routes {
		if n.world.routes[i].name == id {
			route, _ := n.checkRoute(n.world.routes[i].edges) // it was checked
			return route
		}
	}
	return nil
}

// start is where a robot departs.
func (n *laneNet) start(r *robot, route []*lanes.Edge) (*lanes.Lane, float64) {
	lane := route[0].Lanes[min(r.depart.lane, len(route[0].Lanes)-1)]
	pos := r.depart.pos
	if math.IsNaN(pos) {
		pos = r.size.length / 2
	}
	return lane, min(pos, lane.Length)
}

// startPose is the pose with which a robot departs; none without a route.
func (n *laneNet) startPose(r *robot) (sim.Pose, bool) {
	route := n.routeOf(r.route)
	if len(route) == 0 {
		return sim.Pose{}, false
	}
	lane, pos := n.start(r, route)
	p, d := lane.At(pos)
	return sim.Pose{X: p.X, Y: p.Y, Theta: math.Atan2(d.Y, d.X)}, true
}

// newCar puts a robot on a lane; it is parked until it has a route.
func (n *laneNet) newCar(r *robot, lane *lanes.Lane, pos float64, route []*lanes.Edge) *traffic.Car {
	c := traffic.NewCar(r.name, lane, pos, route)
	c.Length, c.Track, c.Idle = r.size.length, cmp.Or(n.world.cfg.Like.WheelDistance, r.size.width), true
	n.cars.Add(c)
	return c
}

// leave takes a robot off the network.
func (n *laneNet) leave(r *robot) {
	if n != nil && r.car != nil {
		n.cars.Remove(r.car)
		r.car = nil
	}
}

// locate finds the lanes of robots that the network does not drive: others keep their distance.
func (n *laneNet) locate() {
	if n == nil {
		return
	}
	for _, r := range n.world.robots {
		if !r.inserted() || r.drives() {
			continue
		}
		at := r.now().Pose
		lane, pos, distance := n.net.Nearest(at.Position(), func(*lanes.Lane) bool { return true })
		switch {
		case lane == nil || distance > lane.Width/2:
			n.leave(r)
		case r.car == nil:
			r.car = n.newCar(r, lane, pos, []*lanes.Edge{lane.Edge})
		default:
			r.car.SetRoute([]*lanes.Edge{lane.Edge}, 0)
			r.car.MoveTo(lane, pos)
		}
		if r.car != nil {
			r.car.Pose, r.car.Speed = at, r.now().V
		}
	}
}

// drive steers the robots that have routes, and takes out those that have arrived.
func (n *laneNet) drive(now time.Duration) error {
	if n == nil || now%drivePeriod != 0 {
		return nil
	}
	for _, r := range n.world.robots {
		if !r.drives() {
			continue
		}
		c := r.car
		c.Pose, c.Speed = r.now().Pose, r.now().V
		c.MaxSpeed, c.Wanted = sim.MaxSpeed, math.Inf(1)
		if r.override.Limited {
			c.MaxSpeed = min(c.MaxSpeed, r.override.Limit)
		}
		if r.override.Held {
			c.Wanted = r.override.Speed
		}
		if c.Stopped() && !r.pausing {
			n.world.pause(r)
		}
	}
	n.cars.Step(now)
	var errs []error
	for _, r := range slices.Clone(n.world.robots) {
		if !r.drives() {
			continue
		}
		if r.car.Arrived() {
			errs = append(errs, n.arrive(r))
			continue
		}
		errs = append(errs, r.apply())
	}
	return errors.Join(errs...)
}

// arrive ends a route: a robot that a client added leaves the world, as in SUMO; one of the world's own stays.
func (n *laneNet) arrive(r *robot) error {
	if r.added {
		return n.world.removeRobot(r)
	}
	r.car.Idle = true
	return r.apply()
}

// setRoute gives a robot a route, in which its present edge must be.
func (n *laneNet) setRoute(r *robot, route []*lanes.Edge, id string) error {
	if r.car == nil {
		return refuse("Route replacement failed for vehicle '%s' (it is on no lane).", r.name)
	}
	leg := slices.Index(route, r.car.Edge())
	if leg < 0 {
		return refuse("Route replacement failed for vehicle '%s' (current edge '%s' not found in new route).", r.name, r.car.Edge().ID)
	}
	for i := leg; i+1 < len(route); i++ {
		if route[i].To(route[i+1]) == nil {
			return refuse("Route replacement failed for vehicle '%s' (No connection between edge '%s' and edge '%s'.).", r.name, route[i].ID, route[i+1].ID)
		}
	}
	if l := r.car.Crossing(); l != nil && (leg+1 >= len(route) || route[leg+1] != l.To.Edge) && r.car.Edge() != l.To.Edge {
		return refuse("Route replacement failed for vehicle '%s' (it is in a junction, on its way to edge '%s').", r.name, l.To.Edge.ID)
	}
	if id == "" {
		r.routes++
		id = "!" + r.name + "!var#" + strconv.Itoa(r.routes)
	}
	r.car.SetRoute(route, leg)
	r.car.Idle, r.route = false, id
	return nil
}

// moveTo puts a robot on a lane of its route.
func (n *laneNet) moveTo(r *robot, args *wire.Reader) error {
	items := args.TypedCompound()
	if err := require(args, "Setting position requires a compound object."); err != nil {
		return err
	}
	if items != 2 && items != 3 {
		return refuse("Setting position should obtain the lane id and the position and optionally the reason.")
	}
	id, pos := args.TypedString(), args.TypedDouble()
	if items == 3 {
		args.Skip()
	}
	if err := require(args, "Setting position requires a lane and a position."); err != nil {
		return err
	}
	lane := n.net.Lane(id)
	if lane == nil {
		return refuse("Unknown lane '%s'.", id)
	}
	if r.car == nil || !r.inserted() {
		return refuse("Vehicle '%s' is on no lane.", r.name)
	}
	if route, _ := r.car.Route(); !slices.Contains(route, lane.Edge) {
		return refuse("Lane '%s' is not on the route of vehicle '%s'.", id, r.name)
	}
	if !(pos >= 0) {
		pos = 0
	}
	pos = min(pos, lane.Length)
	p, d := lane.At(pos)
	pose := sim.Pose{X: p.X, Y: p.Y, Theta: math.Atan2(d.Y, d.X)}
	if err := r.member.Place(pose); err != nil {
		return rejected(err)
	}
	r.car.MoveTo(lane, pos)
	r.fresh, r.last.Pose = false, pose // it did not drive there
	return nil
}

// snap returns where on the network a robot that is driven comes when it is moved to a pose: on its route, or anywhere
// on a lane, which is its route then. keep is that of SUMO's moveToXY; with 2 it leaves the network.
func (n *laneNet) snap(r *robot, pose sim.Pose, keep int) sim.Pose {
	if n == nil || r.car == nil || !r.drives() {
		return pose
	}
	if keep&2 != 0 {
		n.leave(r)
		return pose
	}
	route, _ := r.car.Route()
	lane, pos, _ := n.net.Nearest(pose.Position(), func(l *lanes.Lane) bool {
		return !l.Edge.Internal && (keep&1 == 0 || slices.Contains(route, l.Edge))
	})
	if lane == nil {
		return pose
	}
	if keep&1 == 0 {
		r.car.SetRoute([]*lanes.Edge{lane.Edge}, 0)
	}
	r.car.MoveTo(lane, pos)
	return r.car.Pose
}

// steer executes what is about lanes and routes.
func (n *laneNet) steer(r *robot, variable byte, args *wire.Reader) error {
	switch variable {
	case varMoveTo:
		return n.moveTo(r, args)
	case varLane:
		return n.changeLane(r, args)
	case varRouteID:
		id := args.TypedString()
		if err := require(args, "The route id must be given as a string."); err != nil {
			return err
		}
		route := n.routeOf(id)
		if route == nil {
			return refuse("The route '%s' is not known.", id)
		}
		return n.setRoute(r, route, id)
	case varTarget:
		return n.changeTarget(r, args)
	}
	edges := args.TypedStrings()
	if err := require(args, "A route must be defined as a list of edge ids."); err != nil {
		return err
	}
	for _, e := range edges {
		if n.net.Edge(e) == nil {
			return refuse("Invalid edge list for vehicle '%s' (The edge '%s' within the route <unknown> is not known.\n The route can not be build.)", r.name, e)
		}
	}
	route, err := n.checkRoute(edges)
	if err != nil {
		return err
	}
	return n.setRoute(r, route, "")
}

// changeTarget gives a robot the fastest route to an edge.
func (n *laneNet) changeTarget(r *robot, args *wire.Reader) error {
	id := args.TypedString()
	if err := require(args, "Change target requires a string containing the id of the new destination edge as parameter."); err != nil {
		return err
	}
	to := n.net.Edge(id)
	if to == nil {
		return refuse("Destination edge '%s' is not known.", id)
	}
	if r.car == nil {
		return refuse("Route replacement failed for vehicle '%s' (it is on no lane).", r.name)
	}
	from, before := r.car.Edge(), []*lanes.Edge(nil)
	if l := r.car.Crossing(); l != nil && l.To.Edge != from { // it can't turn back
		from, before = l.To.Edge, []*lanes.Edge{from}
	}
	route, err := n.net.Route(from, to)
	if err != nil {
		return refuse("Route replacement failed for vehicle '%s' (%v).", r.name, err)
	}
	return n.setRoute(r, append(before, route...), "")
}

// changeLane commands a robot to be on a lane of its edge for a while.
func (n *laneNet) changeLane(r *robot, args *wire.Reader) error {
	const wrong = "Lane change needs a compound object description of two or three items."
	items := args.TypedCompound()
	if err := require(args, "Lane change needs a compound object description."); err != nil {
		return err
	}
	if items != 2 && items != 3 {
		return refuse(wrong)
	}
	index, seconds, relative := args.TypedByte(), args.TypedDouble(), 0
	if items == 3 {
		relative = args.TypedByte()
	}
	if err := require(args, wrong); err != nil {
		return err
	}
	if r.car == nil {
		return refuse("Vehicle '%s' is on no lane.", r.name)
	}
	lane, _, _ := r.car.Place()
	if relative != 0 {
		index += lane.Index
	}
	if index < 0 || index >= len(r.car.Edge().Lanes) {
		return refuse("No lane with index '%d' on road '%s'.", index, r.car.Edge().ID)
	}
	if !(seconds >= 0 && seconds <= longest.Seconds()) {
		return refuse("Invalid time interval")
	}
	r.car.ChangeLane(index, n.world.now+time.Duration(seconds*float64(time.Second)))
	return nil
}

// checkConnected refuses a route of a new robot on which it could not drive.
func (n *laneNet) checkConnected(id, routeID string) error {
	route := n.routeOf(routeID)
	if _, _, err := lanes.Measure(route); err != nil {
		return refuse("Vehicle '%s' has no valid route. %v.", id, err)
	}
	if len(route) > 0 && len(route[0].Lanes) == 0 {
		return refuse("Vehicle '%s' has no valid route: edge '%s' has no lanes.", id, route[0].ID)
	}
	return nil
}

// stopAt commands a robot to stop at a position of an edge, m, for so long, s.
func (n *laneNet) stopAt(r *robot, edge string, pos float64, lane int, seconds float64) error {
	l, err := n.laneOf(edge, lane)
	if err != nil {
		return err
	}
	if !(pos >= 0 && pos <= l.Length+0.1) {
		return refuse("Invalid position %g on lane '%s' for the stop of vehicle '%s'.", pos, l.ID, r.name)
	}
	if r.car == nil {
		return refuse("Vehicle '%s' is on no lane.", r.name)
	}
	route, leg := r.car.Route()
	if !slices.Contains(route[leg:], l.Edge) {
		return refuse("Stop for vehicle '%s' on edge '%s' is not on its route.", r.name, edge)
	}
	r.pause = seconds
	r.car.StopAt(l.Edge, min(pos, l.Length-float64(r.car.Length/2)))
	return nil
}
