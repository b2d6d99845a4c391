// SPDX-License-Identifier: Apache-2.0

package traci

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/cosim/lanes"
	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// points makes a polygon of a shape.
func points(shape []geom.Vec) []wire.Point {
	list := make([]wire.Point, 0, len(shape))
	for _, p := range shape {
		list = append(list, wire.Point{p.X, p.Y})
	}
	return list
}

func (n *laneNet) getEdge(b []byte, id string, variable byte, args *wire.Reader) ([]byte, error) {
	e := n.net.Edge(id)
	if e == nil {
		return nil, refuse("Edge '%s' is not known", id)
	}
	switch variable {
	case varLaneIndex:
		return wire.TypeInt(b, len(e.Lanes)), nil
	case varEdgeName:
		return wire.TypeString(b, e.Name), nil
	case varEdgePersons:
		return wire.TypeStrings(b, nil), nil // persons walk where they like
	case varTravelTime:
		if speed, vehicles := n.mean(e.Lanes); vehicles > 0 {
			return wire.TypeDouble(b, e.Length()/max(waitingSpeed, speed)), nil
		}
		return wire.TypeDouble(b, e.TravelTime()), nil
	case varAdaptedTime, varEffort: // none has been set
		args.TypedDouble()
		return wire.TypeDouble(b, -1), require(args, "The message must contain the time definition.")
	case varParameter, varParameterKey:
		return getNote(b, n.world.notes.of(domEdge, id), variable, args)
	}
	return n.traffic(b, e.Lanes, variable)
}

func (n *laneNet) setEdge(id string, variable byte, args *wire.Reader) error {
	if variable != varParameter && variable != varMaxSpeed {
		return errVariable
	}
	e := n.net.Edge(id)
	if e == nil {
		return refuse("Edge '%s' is not known", id)
	}
	if variable == varParameter {
		return n.world.notes.set(domEdge, id, args)
	}
	return limit(e.Lanes, args)
}

// limit sets the speed limit of lanes.
func limit(of []*lanes.Lane, args *wire.Reader) error {
	v := args.TypedDouble()
	if err := require(args, "The speed must be given as a double."); err != nil {
		return err
	}
	if !(v >= 0) || math.IsInf(v, 1) {
		return refuse("Invalid maximum speed.")
	}
	for _, l := range of {
		l.Speed = v
	}
	return nil
}

// mean is how fast the vehicles on lanes are on average, m/s, and how many there are; without any it is what is
// allowed.
func (n *laneNet) mean(of []*lanes.Lane) (speed float64, vehicles int) {
	sum, allowed := 0.0, 0.0
	for _, l := range of {
		allowed = max(allowed, l.Speed)
		for _, r := range n.on(l) {
			sum += n.world.speedOf(r)
			vehicles++
		}
	}
	if vehicles == 0 {
		return allowed, 0
	}
	return sum / float64(vehicles), vehicles
}

// traffic appends what edges and lanes have in common: the vehicles on them.
func (n *laneNet) traffic(b []byte, of []*lanes.Lane, variable byte) ([]byte, error) {
	var here []*robot
	length := 0.0
	for _, l := range of {
		here = append(here, n.on(l)...)
		length += l.Length
	}
	long, still, waiting := 0.0, 0, 0.0
	for _, r := range here {
		long += r.size.length
		if math.Abs(n.world.speedOf(r)) < waitingSpeed {
			still++
			waiting += r.waitingTime.Seconds()
		}
	}
	switch variable {
	case varEdgeVehicles:
		return wire.TypeInt(b, len(here)), nil
	case varStop:
		return wire.TypeStrings(b, names(here, func(r *robot) string { return r.name })), nil
	case varEdgeSpeed:
		speed, _ := n.mean(of)
		return wire.TypeDouble(b, speed), nil
	case varOccupancy:
		return wire.TypeDouble(b, min(1, long/max(length, 1e-9))), nil
	case varHalting:
		return wire.TypeInt(b, still), nil
	case varMeanLength:
		return wire.TypeDouble(b, long/float64(max(1, len(here)))), nil
	case varWaiting:
		return wire.TypeDouble(b, waiting), nil
	}
	return nil, errVariable
}

func (n *laneNet) getLane(b []byte, id string, variable byte, args *wire.Reader) ([]byte, error) {
	l := n.net.Lane(id)
	if l == nil {
		return nil, refuse("Lane '%s' is not known", id)
	}
	switch variable {
	case varLength:
		return wire.TypeDouble(b, l.Length), nil
	case varMaxSpeed:
		return wire.TypeDouble(b, l.Speed), nil
	case varWidth:
		return wire.TypeDouble(b, l.Width), nil
	case varShape:
		return wire.TypePolygon(b, points(l.Shape)), nil
	case varTarget: // the number of an edge's name, too
		return wire.TypeString(b, l.Edge.ID), nil
	case varAllowed:
		return wire.TypeStrings(b, l.Allow), nil
	case varDisallowed:
		return wire.TypeStrings(b, l.Disallow), nil
	case varLinkNumber:
		return wire.TypeInt(b, len(l.Links)), nil
	case varLinks:
		return n.links(b, l), nil
	case varTravelTime:
		speed, _ := n.mean([]*lanes.Lane{l})
		return wire.TypeDouble(b, l.Length/max(waitingSpeed, speed)), nil
	case varParameter, varParameterKey:
		return getNote(b, n.world.notes.of(domLane, id), variable, args)
	}
	return n.traffic(b, []*lanes.Lane{l}, variable)
}

func (n *laneNet) setLane(id string, variable byte, args *wire.Reader) error {
	if variable != varParameter && variable != varMaxSpeed {
		return errVariable
	}
	l := n.net.Lane(id)
	if l == nil {
		return refuse("Lane '%s' is not known", id)
	}
	if variable == varParameter {
		return n.world.notes.set(domLane, id, args)
	}
	return limit([]*lanes.Lane{l}, args)
}

// links appends the links of a lane.
func (n *laneNet) links(b []byte, l *lanes.Lane) []byte {
	truth := func(v bool) byte {
		if v {
			return 1
		}
		return 0
	}
	b = wire.TypeInt(wire.TypeCompound(b, 1+8*len(l.Links)), len(l.Links))
	for _, link := range l.Links {
		via, length, state := "", 0.0, n.shows(link)
		if link.Via != nil {
			via, length = link.Via.ID, link.Via.Length
		}
		b = wire.TypeString(wire.TypeString(b, link.To.ID), via)
		b = append(b, wire.UnsignedB, truth(lanes.Priority(state)), wire.UnsignedB, truth(!stops(state)), wire.UnsignedB, truth(false))
		b = wire.TypeString(wire.TypeString(b, string(rune(state))), link.Direction)
		b = wire.TypeDouble(b, length)
	}
	return b
}

// shows is the state of a link: of its light, or of the right of way.
func (n *laneNet) shows(link *lanes.Link) byte {
	if link.Light != nil {
		for _, s := range n.signals {
			if s.Light() == link.Light {
				return s.State()[link.Signal]
			}
		}
	}
	return link.State
}

// stops reports whether a state of a link keeps vehicles from driving on.
func stops(state byte) bool { return state == 'r' || state == 'R' || state == 'u' }
