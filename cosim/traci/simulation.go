// SPDX-License-Identifier: Apache-2.0

package traci

import (
	"strconv"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
)

// lists returns what a variable of the simulation lists, if it is a list or the number of a list's items.
func (e *events) lists(variable byte, w *state) (list []string, number, ok bool) {
	switch variable {
	case 0x71, 0x72:
		return e.loaded, variable == 0x71, true
	case 0x73, 0x74:
		return e.departed, variable == 0x73, true
	case 0x79, 0x7A:
		return e.arrived, variable == 0x79, true
	case 0x68, 0x69:
		return e.stopped, variable == 0x68, true
	case 0x6A, 0x6B:
		return e.resumed, variable == 0x6A, true
	case 0x80, 0x81:
		return e.colliding(), variable == 0x80, true
	case 0x24, 0x25:
		return e.departedPersons, variable == 0x24, true
	case 0x26, 0x27:
		return e.arrivedPersons, variable == 0x26, true
	case varPendings:
		return w.pending(), false, true
	case 0x75, 0x76, 0x77, 0x78, 0x6C, 0x6D, 0x6E, 0x6F: // there is neither teleporting nor parking
		return nil, variable == 0x75 || variable == 0x77 || variable == 0x6C || variable == 0x6E, true
	}
	return nil, false, false
}

// getSimulation is the domain's get without a client's events.
func (w *state) getSimulation(b []byte, id string, variable byte, args *wire.Reader) ([]byte, error) {
	return w.simulationOf(&events{}, b, id, variable, args)
}

// simulationOf appends a variable of the simulation; what has happened is a client's own.
func (w *state) simulationOf(e *events, b []byte, id string, variable byte, args *wire.Reader) ([]byte, error) {
	if list, number, ok := e.lists(variable, w); ok {
		if number {
			return wire.TypeInt(b, len(list)), nil
		}
		return wire.TypeStrings(b, list), nil
	}
	switch variable {
	case varTime:
		return wire.TypeDouble(b, w.now.Seconds()), nil
	case varMillis:
		return wire.TypeInt(b, int(w.now/time.Millisecond)), nil
	case varDelta:
		return wire.TypeDouble(b, w.cfg.Step.Seconds()), nil
	case varBounds:
		return wire.TypePolygon(b, w.bounds[:]), nil
	case varExpected:
		return wire.TypeInt(b, len(w.robots)+len(w.persons)), nil
	case varCollisions:
		return e.crashes(b), nil
	case varParameter, varParameterKey:
		return getNote(b, w.notes.of(domSimulation, ""), variable, args)
	case varLateral:
		return w.option(b, id, args)
	case varGeodesic:
		return w.distance(b, args)
	case varFindRoute:
		if w.net != nil {
			return w.net.findRoute(b, args)
		}
		return nil, errVariable
	case varConvert:
		return w.convert(b, args)
	}
	return nil, errVariable
}

func (w *state) setSimulation(_ string, variable byte, args *wire.Reader) error {
	if variable != varParameter {
		return errVariable
	}
	return w.notes.set(domSimulation, "", args)
}

// crashes appends all collisions.
func (e *events) crashes(b []byte) []byte {
	b = wire.TypeInt(wire.TypeCompound(b, 1+9*len(e.collisions)), len(e.collisions))
	for i := range e.collisions {
		c := &e.collisions[i]
		for _, s := range [4]string{c.robot, c.victim, c.robotKind, c.victimKind} {
			b = wire.TypeString(b, s)
		}
		b = wire.TypeDouble(wire.TypeDouble(b, c.robotSpeed), c.victimSpeed)
		b = wire.TypeDouble(wire.TypeString(wire.TypeString(b, c.what), c.lane), c.pos)
	}
	return b
}

// option appends one of SUMO's options that has a meaning here. SUMO's clients send its name as that of the object;
// older ones send it as a value.
func (w *state) option(b []byte, name string, args *wire.Reader) ([]byte, error) {
	if args.Left() > 0 {
		name = args.TypedString()
		if err := require(args, "Retrieval of an option requires its name."); err != nil {
			return nil, err
		}
	}
	switch name {
	case "":
		return nil, refuse("Retrieval of an option requires its name.")
	case "step-length":
		return wire.TypeString(b, strconv.FormatFloat(w.cfg.Step.Seconds(), 'f', -1, 64)), nil
	case "configuration-file", "net-file":
		return wire.TypeString(b, w.edge), nil
	case "num-clients":
		return wire.TypeString(b, strconv.Itoa(w.cfg.Clients)), nil
	case "begin":
		return wire.TypeString(b, "0"), nil
	}
	return nil, refuse("The option %s has no meaning in a world of robots: configuration-file, net-file, step-length, num-clients and begin have one.", name)
}

// place reads a position: in the plane, on the globe (the same here) or on the pseudo edge.
func (w *state) place(args *wire.Reader) (wire.Point, error) {
	kind, _ := args.Peek()
	switch kind {
	case wire.Position2D, wire.LonLat:
		args.Byte()
		return wire.Point{args.Double(), args.Double()}, args.Err()
	case wire.Position3D, wire.LonLatAlt:
		args.Byte()
		p := wire.Point{args.Double(), args.Double()}
		args.Double()
		return p, args.Err()
	case wire.RoadMap:
		args.Byte()
		edge, pos, lane := args.String(), args.Double(), args.Byte()
		if w.net != nil && args.Err() == nil {
			return w.net.point(edge, pos, int(lane))
		}
		if args.Err() == nil && edge != w.edge {
			return wire.Point{}, refuse("Unknown edge '%s'.", edge)
		}
		at := w.onEdge(pos)
		return wire.Point{at.X, at.Y}, args.Err()
	}
	return wire.Point{}, refuse("A position of type 0x%02x is not known.", kind)
}

// distance appends how far it is between two places, in the air and on the ground alike.
func (w *state) distance(b []byte, args *wire.Reader) ([]byte, error) {
	if err := compound(args, 3, "Retrieval of distance requires a compound object.", "Retrieval of distance requires two positions and a distance type."); err != nil {
		return nil, err
	}
	from, err := w.place(args)
	if err != nil {
		return nil, err
	}
	to, err := w.place(args)
	if err != nil {
		return nil, err
	}
	kind := args.Byte()
	if args.Err() == nil && kind > 1 {
		return nil, refuse("Distance type %d: air (0) or driving (1).", kind)
	}
	return wire.TypeDouble(b, w.net.between(from, to, kind == 1)), args.Err()
}

// convert appends a position as another kind of position.
func (w *state) convert(b []byte, args *wire.Reader) ([]byte, error) {
	n := args.TypedCompound()
	if err := require(args, "Position conversion requires a compound object."); err != nil {
		return nil, err
	}
	if n != 2 && n != 3 {
		return nil, refuse("Position conversion requires two or three parameters.")
	}
	p, err := w.place(args)
	if err != nil {
		return nil, err
	}
	kind := args.TypedUnsigned()
	if err := require(args, "Position conversion requires the type as unsigned byte."); err != nil {
		return nil, err
	}
	switch kind {
	case wire.Position2D, wire.LonLat:
		b = wire.TypePoint(b, p)
		b[len(b)-17] = kind
	case wire.Position3D, wire.LonLatAlt:
		b = wire.TypePoint3(b, p, 0)
		b[len(b)-25] = kind
	case wire.RoadMap:
		if w.net != nil {
			return w.net.nearest(b, p), nil
		}
		b = append(wire.AppendDouble(wire.AppendString(append(b, kind), w.edge), p[0]-w.bounds[0][0]), 0)
	default:
		return nil, refuse("A position of type 0x%02x is not known.", kind)
	}
	return b, nil
}
