// SPDX-License-Identifier: Apache-2.0

package traci

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// Stages of a person's plan.
const (
	stageWaiting = 1
	stageWalking = 2
	departNow    = -3
)

func (w *state) personIDs() (ids []string) {
	for _, p := range w.persons {
		if p.inserted {
			ids = append(ids, p.name)
		}
	}
	return ids
}

func (w *state) personAt(id string) (wire.Point, bool) {
	p, err := w.findPerson(id)
	if err != nil || !p.inserted {
		return wire.Point{}, false
	}
	return wire.Point{p.body.Pose.X, p.body.Pose.Y}, true
}

// now returns a person as it is, or as it is to be.
func (p *person) now() *sim.Person {
	if p.inserted {
		return &p.body
	}
	return &p.initial
}

func (w *state) getPerson(b []byte, id string, variable byte, args *wire.Reader) ([]byte, error) {
	p, err := w.findPerson(id)
	if err != nil {
		return nil, err
	}
	body := p.now()
	at := wire.Point{body.Pose.X, body.Pose.Y}
	if !p.inserted {
		at = wire.Point{wire.NoDouble, wire.NoDouble}
	}
	switch variable {
	case varPosition:
		return wire.TypePoint(b, at), nil
	case varPosition3:
		return wire.TypePoint3(b, at, 0), nil
	case varColour:
		return wire.TypeColour(b, p.colour), nil
	case varType:
		return wire.TypeString(b, p.kind), nil
	case varRoad:
		return wire.TypeString(b, w.edge), nil
	case varLaneID:
		return wire.TypeString(b, w.edge+"_0"), nil
	case varRides:
		return wire.TypeString(b, ""), nil
	case varStagesLeft:
		return wire.TypeInt(b, len(p.stages)), nil
	case varParameter, varParameterKey:
		return getNote(b, p.notes, variable, args)
	}
	v, ok := p.quantity(variable, w.bounds[0][0])
	if !ok {
		return nil, errVariable
	}
	return wire.TypeDouble(b, v), nil
}

// quantity returns a variable that is a double; west is where the pseudo edge begins.
func (p *person) quantity(variable byte, west float64) (float64, bool) {
	body := p.now()
	switch variable {
	case varSlope:
		return 0, true
	case varSpeed:
		if !body.Walking {
			return 0, true
		}
		return body.Speed, true
	case varMaxSpeed:
		return body.Speed, true
	case varAngle:
		return degrees(body.Pose.Theta), true
	case varLength, varWidth:
		return 2 * body.Radius, true
	case varHeight:
		return body.Height, true
	case varLanePos:
		return body.Pose.X - west, true
	case varWaiting:
		return p.waitingTime.Seconds(), true
	}
	return 0, false
}

func (w *state) setPerson(id string, variable byte, args *wire.Reader) error {
	if variable == varAdd {
		return w.addPerson(id, args)
	}
	if !slices.Contains([]byte{varSpeed, varMoveToXY, varRemove, varAppendStage, varColour, varParameter}, variable) {
		return errVariable
	}
	p, err := w.findPerson(id)
	if err != nil {
		return err
	}
	switch variable {
	case varSpeed:
		v := args.TypedDouble()
		if err := require(args, "Setting speed requires a double."); err != nil {
			return err
		}
		if v < 0 {
			v = sim.DefaultPerson().Speed
		}
		return w.guide(p, func(b *sim.Person) { b.Speed = v })
	case varMoveToXY:
		return w.movePerson(p, args)
	case varRemove:
		args.TypedByte()
		if err := require(args, "Removing a person requires a byte."); err != nil {
			return err
		}
		return w.removePerson(p)
	case varAppendStage:
		return w.plan(p, args)
	case varColour:
		c := args.TypedColour()
		if err := require(args, "The color must be given using the according type."); err != nil {
			return err
		}
		p.colour = c
		return nil
	}
	return w.notePerson(p, args)
}

// pathKey is the parameter that lets a person walk through places: "x,y x,y …", m.
const pathKey = "path"

// notePerson sets a parameter; one of them is where the person goes.
func (w *state) notePerson(p *person, args *wire.Reader) error {
	key, value, err := readNote(args)
	if err != nil {
		return err
	}
	if key == pathKey {
		var path []geom.Vec
		for _, place := range strings.Fields(value) {
			var at geom.Vec
			if _, err := fmt.Sscanf(place, "%g,%g", &at.X, &at.Y); err != nil || len(path) >= maxNotes {
				return refuse("The path of person '%s' must be at most %d places x,y with spaces between, not '%s'.", p.name, maxNotes, place)
			}
			path = append(path, at)
		}
		if err := w.guide(p, func(b *sim.Person) { b.Path = path }); err != nil {
			return err
		}
	}
	return setNote(&p.notes, wire.NewReader(wire.TypeString(wire.TypeString(wire.TypeCompound(nil, 2), key), value)))
}

// addPerson takes in a person that is to come.
func (w *state) addPerson(id string, args *wire.Reader) error {
	const wrong = "Adding a person needs four parameters."
	if err := compound(args, 4, "Adding a person requires a compound object.", wrong); err != nil {
		return err
	}
	kind, edge, depart, pos := args.TypedString(), args.TypedString(), args.TypedDouble(), args.TypedDouble()
	if err := require(args, "A person needs a type, an edge, a departure and a position."); err != nil {
		return err
	}
	_, err := w.findPerson(id)
	switch {
	case err == nil:
		return refuse("The person %s to add already exists.", id)
	case id == "" || w.byName[id] != nil || w.taken(id) || len(w.persons) >= maxObjects:
		return refuse("The person '%s' can't have this name, or there are %d.", id, maxObjects)
	case kind != personType:
		return refuse("Invalid type '%s' for person '%s'", kind, id)
	case edge != w.edge:
		return refuse("Invalid edge '%s' for person: '%s'", edge, id)
	case math.IsNaN(pos) || math.IsInf(pos, 0) || !(depart >= departNow && depart <= longest.Seconds()):
		return refuse("Invalid departure of person '%s'", id)
	}
	p := &person{name: id, kind: kind, colour: wire.Colour{255, 255, 0, 255}, depart: w.now, initial: sim.DefaultPerson()}
	if depart > 0 {
		p.depart = time.Duration(depart * float64(time.Second))
	}
	at := w.onEdge(pos)
	p.initial.Pose = sim.Pose{X: at.X, Y: at.Y}
	w.persons = append(w.persons, p)
	return nil
}

// movePerson puts a person somewhere else; it forgets where it went.
func (w *state) movePerson(p *person, args *wire.Reader) error {
	n := args.TypedCompound()
	if err := require(args, "MoveToXY person requires a compound object."); err != nil {
		return err
	}
	if n < 5 || n > 6 {
		return refuse("MoveToXY person should obtain: edgeID, x, y, angle and keepRouteFlag.")
	}
	args.TypedString()
	x, y, angle := args.TypedDouble(), args.TypedDouble(), args.TypedDouble()
	for range n - 4 {
		args.Skip()
	}
	if err := require(args, "MoveToXY person requires a string and three doubles."); err != nil {
		return err
	}
	return w.guide(p, func(b *sim.Person) {
		b.Pose.X, b.Pose.Y = x, y
		if angle != wire.NoDouble {
			b.Pose.Theta = heading(angle)
		}
	})
}

// plan appends a stage: to wait, or to walk along the edge.
func (w *state) plan(p *person, args *wire.Reader) error {
	n := args.TypedCompound()
	if err := require(args, "Adding a person stage requires a compound object."); err != nil {
		return err
	}
	kind := args.TypedInt()
	if err := require(args, "The first parameter for adding a stage must be the stage type given as int."); err != nil {
		return err
	}
	var s stage
	switch {
	case kind == stageWaiting && n == 4:
		seconds := args.TypedDouble()
		args.Skip()
		args.Skip()
		if !(seconds >= 0 && seconds <= longest.Seconds()) {
			return refuse("Duration for person: '%s' must not be negative", p.name)
		}
		s = stage{wait: time.Duration(seconds * float64(time.Second))}
	case kind == stageWalking && n == 6:
		edges := args.TypedStrings()
		s = stage{walks: true, to: args.TypedDouble()}
		args.Skip()
		s.speed = args.TypedDouble()
		args.Skip()
		if w.checkEdges(edges) != nil || math.IsNaN(s.to) || math.IsInf(s.to, 0) || math.IsNaN(s.speed) {
			return refuse("Invalid walk for person '%s': the only edge is '%s'", p.name, w.edge)
		}
	default:
		return refuse("Invalid stage type %d of %d items for person '%s': to wait (1) or to walk (2)", kind, n, p.name)
	}
	if err := require(args, "A stage needs the types that SUMO's client sends."); err != nil {
		return err
	}
	if len(p.stages) >= maxNotes {
		return refuse("Person '%s' has %d stages, that is enough", p.name, maxNotes)
	}
	p.stages, p.planned = append(p.stages, s), true
	return nil
}
