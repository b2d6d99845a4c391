// SPDX-License-Identifier: Apache-2.0

package traci

import (
	"slices"

	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// maxObjects bounds how many polygons, points of interest, routes and persons clients can add, each.
const maxObjects = 10000

// typeIDs returns the types of vehicles: those of e-pucks, and the models of the described robots that are there.
func (w *state) typeIDs() []string {
	names, _ := kinds()
	for _, r := range w.robots {
		if !slices.Contains(names, r.kind) {
			names = append(names, r.kind)
		}
	}
	return append(names, personType)
}

// typeSize returns the size of the vehicles of a type.
func typeSize(robots []*robot, id string) size {
	if i := slices.IndexFunc(robots, func(r *robot) bool { return r.kind == id }); i >= 0 {
		return robots[i].size
	}
	return epuckSize()
}

func (w *state) getType(b []byte, id string, variable byte, args *wire.Reader) ([]byte, error) {
	if !slices.Contains(w.typeIDs(), id) {
		return nil, refuse("Vehicle type '%s' is not known", id)
	}
	person := sim.DefaultPerson()
	pick := func(robot, human float64) []byte {
		if id == personType {
			robot = human
		}
		return wire.TypeDouble(b, robot)
	}
	switch variable {
	case varLength:
		return pick(typeSize(w.robots, id).length, 2*person.Radius), nil
	case varWidth:
		return pick(typeSize(w.robots, id).width, 2*person.Radius), nil
	case varHeight:
		return pick(typeSize(w.robots, id).height, person.Height), nil
	case varMaxSpeed:
		return pick(sim.MaxSpeed, person.Speed), nil
	case varAccel, varDecel:
		return pick(acceleration, acceleration), nil
	case varGap:
		return pick(0, 0), nil
	case varColour:
		return wire.TypeColour(b, wire.Colour{255, 255, 0, 255}), nil
	case varClass:
		return wire.TypeString(b, "custom1"), nil
	case varParameter, varParameterKey:
		return getNote(b, w.notes.of(domType, id), variable, args)
	}
	return nil, errVariable
}

func (w *state) setType(id string, variable byte, args *wire.Reader) error {
	if variable != varParameter {
		return errVariable
	}
	if !slices.Contains(w.typeIDs(), id) {
		return refuse("Vehicle type '%s' is not known", id)
	}
	return w.notes.set(domType, id, args)
}

func (w *state) routeIDs() (ids []string) {
	for i := range w.routes {
		ids = append(ids, w.routes[i].name)
	}
	return ids
}

func (w *state) getRoute(b []byte, id string, variable byte, args *wire.Reader) ([]byte, error) {
	i := slices.Index(w.routeIDs(), id)
	switch variable {
	case varEdges:
		if i < 0 {
			return nil, refuse("Route '%s' is not known", id)
		}
		return wire.TypeStrings(b, w.routes[i].edges), nil
	case varParameter, varParameterKey:
		return getNote(b, w.notes.of(domRoute, id), variable, args)
	}
	return nil, errVariable
}

func (w *state) setRoute(id string, variable byte, args *wire.Reader) error {
	switch variable {
	case varAdd:
		edges := args.TypedStrings()
		if err := require(args, "A string list is needed for adding a new route."); err != nil {
			return err
		}
		if err := w.checkEdges(edges); err != nil {
			return err
		}
		if slices.Contains(w.routeIDs(), id) || len(w.routes) >= maxObjects || len(edges) == 0 {
			return refuse("Could not add route '%s'.", id)
		}
		w.routes = append(w.routes, route{id, edges})
		return nil
	case varParameter:
		return w.notes.set(domRoute, id, args)
	}
	return errVariable
}

func (w *state) edgeIDs() []string { return []string{w.edge} }

func (w *state) getEdge(b []byte, id string, variable byte, args *wire.Reader) ([]byte, error) {
	known := []byte{varEdgeVehicles, varEdgeSpeed, varStop, varEdgePersons, varParameter, varParameterKey}
	if !slices.Contains(known, variable) {
		return nil, errVariable
	}
	if id != w.edge {
		return nil, refuse("Edge '%s' is not known", id)
	}
	switch variable {
	case varEdgeVehicles:
		return wire.TypeInt(b, len(w.departed)), nil
	case varStop:
		return wire.TypeStrings(b, w.departed), nil
	case varEdgePersons:
		return wire.TypeStrings(b, w.personIDs()), nil
	case varEdgeSpeed:
		sum := 0.0
		for _, name := range w.departed {
			sum += w.speedOf(w.byName[name])
		}
		return wire.TypeDouble(b, sum/float64(max(1, len(w.departed)))), nil
	}
	return getNote(b, w.notes.of(domEdge, id), variable, args)
}

func (w *state) setEdge(id string, variable byte, args *wire.Reader) error {
	if variable != varParameter {
		return errVariable
	}
	if id != w.edge {
		return refuse("Edge '%s' is not known", id)
	}
	return w.notes.set(domEdge, id, args)
}
