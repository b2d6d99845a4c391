// SPDX-License-Identifier: Apache-2.0

package traci

import (
	"errors"
	"math"

	"github.com/epuck-ros2/epuck-driver/cosim/lanes"
	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// onLane returns where a robot is: edge, lane and position on it, m. In a world with a network a robot outside all
// lanes is on none; a world without a network is one edge with one lane, from west to east.
func (r *robot) onLane(w *state) (edge, lane string, pos float64) {
	switch {
	case w.net == nil && r.inserted():
		return w.edge, w.edge + "_0", r.now().Pose.X - w.bounds[0][0]
	case w.net == nil:
		return w.edge, w.edge + "_0", 0
	case r.car == nil:
		return "", "", wire.NoDouble
	}
	l, pos, _ := r.car.Place()
	return l.Edge.ID, l.ID, pos
}

// edges lists the edges of a robot's route.
func (r *robot) edges(w *state) []string {
	if w.net == nil {
		return []string{w.edge}
	}
	route := w.net.routeOf(r.route)
	if r.car != nil {
		route, _ = r.car.Route()
	}
	return names(route, func(e *lanes.Edge) string { return e.ID })
}

// bounds are the corners of the network.
func (n *laneNet) bounds() [2]wire.Point {
	return [2]wire.Point{{n.net.Low.X, n.net.Low.Y}, {n.net.High.X, n.net.High.Y}}
}

// on returns the robots on a lane, from its beginning on.
func (n *laneNet) on(l *lanes.Lane) (list []*robot) {
	for _, c := range n.cars.On(l) {
		if r := n.world.byName[c.Name]; r != nil {
			list = append(list, r)
		}
	}
	return list
}

// point returns the point at a position of a lane of an edge.
func (n *laneNet) point(edge string, pos float64, lane int) (wire.Point, error) {
	l, err := n.laneOf(edge, lane)
	if err != nil {
		return wire.Point{}, err
	}
	if !(pos >= 0 && pos <= l.Length) {
		return wire.Point{}, refuse("Position on lane '%s' is not in the range 0 to %g.", l.ID, l.Length)
	}
	p, _ := l.At(pos)
	return wire.Point{p.X, p.Y}, nil
}

// laneOf returns a lane of an edge.
func (n *laneNet) laneOf(edge string, lane int) (*lanes.Lane, error) {
	e := n.net.Edge(edge)
	if e == nil {
		return nil, refuse("Unknown edge '%s'.", edge)
	}
	if lane < 0 || lane >= len(e.Lanes) {
		return nil, refuse("Invalid lane index for %s.", edge)
	}
	return e.Lanes[lane], nil
}

// nearest appends the position on a lane that is nearest to a point.
func (n *laneNet) nearest(b []byte, p wire.Point) []byte {
	l, pos, _ := n.net.Nearest(geom.Vec{X: p[0], Y: p[1]}, func(*lanes.Lane) bool { return true })
	return append(wire.AppendDouble(wire.AppendString(append(b, wire.RoadMap), l.Edge.ID), pos), byte(l.Index))
}

// findRoute appends the fastest route between two edges, as a stage.
func (n *laneNet) findRoute(b []byte, args *wire.Reader) ([]byte, error) {
	const wrong = "Route requires five parameters: two edges, a type, a time and a mode."
	if err := compound(args, 5, "Retrieval of a route requires a compound object.", wrong); err != nil {
		return nil, err
	}
	from, to, kind := args.TypedString(), args.TypedString(), args.TypedString()
	args.TypedDouble()
	args.TypedInt()
	if err := require(args, wrong); err != nil {
		return nil, err
	}
	ends, err := n.checkRoute([]string{from, to})
	if err != nil {
		return nil, err
	}
	route, err := n.net.Route(ends[0], ends[1])
	length, seconds := wire.NoDouble, wire.NoDouble
	if !errors.Is(err, lanes.ErrNoRoute) {
		if length, seconds, err = lanes.Measure(route); err != nil {
			return nil, refuse("%v", err)
		}
	}
	const driving = 3
	b = wire.TypeString(wire.TypeInt(wire.TypeCompound(b, 13), driving), kind)
	b = wire.TypeString(wire.TypeString(b, ""), "")
	b = wire.TypeStrings(b, names(route, func(e *lanes.Edge) string { return e.ID }))
	b = wire.TypeDouble(wire.TypeDouble(wire.TypeDouble(b, seconds), seconds), length)
	b = wire.TypeString(b, "")
	b = wire.TypeDouble(wire.TypeDouble(wire.TypeDouble(b, wire.NoDouble), wire.NoDouble), wire.NoDouble)
	return wire.TypeString(b, ""), nil
}

// drivingDistance is how far it is along the network between two positions on lanes, m.
func (n *laneNet) drivingDistance(from, to spotOnLane) float64 {
	if from.lane.Edge == to.lane.Edge && to.pos >= from.pos {
		return to.pos - from.pos
	}
	route, err := n.net.Route(from.lane.Edge, to.lane.Edge)
	if err != nil || len(route) < 2 {
		return wire.NoDouble
	}
	length, _, err := lanes.Measure(route)
	if err != nil {
		return wire.NoDouble
	}
	return length - from.pos - (to.lane.Length - to.pos)
}

// spotOnLane is a position on a lane, m.
type spotOnLane struct {
	lane *lanes.Lane
	pos  float64
}

// spot is the position on a lane that is nearest to a point.
func (n *laneNet) spot(p wire.Point) spotOnLane {
	l, pos, _ := n.net.Nearest(geom.Vec{X: p[0], Y: p[1]}, func(l *lanes.Lane) bool { return !l.Edge.Internal })
	if l == nil { // a network of junctions alone
		l, pos, _ = n.net.Nearest(geom.Vec{X: p[0], Y: p[1]}, func(*lanes.Lane) bool { return true })
	}
	return spotOnLane{l, pos}
}

// between is the distance of two points: in the air, or driving. Without a network both are the same.
func (n *laneNet) between(a, b wire.Point, driving bool) float64 {
	if driving && n != nil {
		return n.drivingDistance(n.spot(a), n.spot(b))
	}
	return math.Hypot(b[0]-a[0], b[1]-a[1])
}

// allowed is the speed that the lane and the robot allow, m/s.
func (n *laneNet) allowed(r *robot) (float64, bool) {
	if n == nil || r.car == nil {
		return wire.NoDouble, n != nil
	}
	lane, _, _ := r.car.Place()
	return min(lane.Speed, sim.MaxSpeed), true
}

// ahead appends the number of the robot's edge in its route, or the traffic lights on its way with their distance, m.
func (n *laneNet) ahead(b []byte, r *robot, variable byte) []byte {
	if variable == varRouteIndex {
		leg := -1
		if r.car != nil {
			_, leg = r.car.Route()
		}
		return wire.TypeInt(b, leg)
	}
	lights := n.lightsAhead(r)
	b = wire.TypeInt(wire.TypeCompound(b, 1+4*len(lights)), len(lights))
	for _, l := range lights {
		b = wire.TypeDouble(wire.TypeInt(wire.TypeString(b, l.link.Light.ID), l.link.Signal), l.distance)
		b = append(b, wire.Byte, n.shows(l.link))
	}
	return b
}

// lightAhead is a traffic light on a robot's way.
type lightAhead struct {
	link     *lanes.Link
	distance float64 // m
}

// lightsAhead lists the traffic lights on the rest of a robot's route.
func (n *laneNet) lightsAhead(r *robot) (list []lightAhead) {
	if r.car == nil {
		return nil
	}
	lane, pos, _ := r.car.Place()
	route, leg := r.car.Route()
	if lane.Edge != route[leg] { // in a junction
		pos = route[leg].Length()
	}
	distance := -pos
	for ; leg+1 < len(route); leg++ {
		distance += route[leg].Length()
		link := route[leg].To(route[leg+1])
		if own := lane.To(route[leg+1]); lane.Edge == route[leg] && own != nil {
			link = own
		}
		if link == nil {
			return list
		}
		if link.Light != nil && distance > 0 {
			list = append(list, lightAhead{link, distance})
		}
		distance += link.Length()
	}
	return list
}
