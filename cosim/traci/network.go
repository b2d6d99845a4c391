// SPDX-License-Identifier: Apache-2.0

package traci

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/lanes"
	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
	"github.com/epuck-ros2/epuck-driver/cosim/traffic"
)

// laneNet is a SUMO network as clients see it: edges, lanes, junctions and traffic lights.
type laneNet struct {
	net     *lanes.Net
	signals []*lanes.Signals // in the order of the lights
	cars    *traffic.Traffic
	world   *state
}

func newLaneNet(net *lanes.Net, w *state) *laneNet {
	n := &laneNet{net: net, world: w}
	for _, light := range net.Lights {
		n.signals = append(n.signals, lanes.NewSignals(light))
	}
	n.cars = traffic.New(net, n.shows)
	return n
}

// domains replaces those of a world without a network.
func (n *laneNet) domains(d *[16]domain) {
	d[domLights] = domain{reads: "TLS", sets: "Change TLS State", ids: n.lightIDs, get: n.getLight, set: n.setLight}
	d[domLane] = domain{reads: "Lane", sets: "Change Lane State", ids: n.laneIDs, get: n.getLane, set: n.setLane}
	d[domJunction] = domain{reads: "Junction", sets: "Set Junction Variable", ids: n.junctionIDs, get: n.getJunction, set: n.setJunction, at: n.junctionAt}
	d[domEdge] = domain{reads: "Edge", sets: "Change Edge State", ids: n.edgeIDs, get: n.getEdge, set: n.setEdge}
}

// advance advances the programs of the traffic lights to a time.
func (n *laneNet) advance(now time.Duration) {
	if n == nil {
		return
	}
	for _, s := range n.signals {
		s.Advance(now)
	}
}

// names lists the names of things.
func names[T any](all []T, name func(T) string) []string {
	list := make([]string, 0, len(all))
	for _, v := range all {
		list = append(list, name(v))
	}
	return list
}

func (n *laneNet) edgeIDs() []string {
	return names(n.net.Edges, func(e *lanes.Edge) string { return e.ID })
}

func (n *laneNet) laneIDs() []string {
	return names(n.net.Lanes, func(l *lanes.Lane) string { return l.ID })
}

func (n *laneNet) junctionIDs() []string {
	return names(n.net.Junctions, func(j *lanes.Junction) string { return j.ID })
}

func (n *laneNet) lightIDs() []string {
	return names(n.net.Lights, func(l *lanes.Light) string { return l.ID })
}

// junctionAt returns the position of a junction.
func (n *laneNet) junctionAt(id string) (wire.Point, bool) {
	j := n.net.Junction(id)
	if j == nil {
		return wire.Point{}, false
	}
	return wire.Point{j.At.X, j.At.Y}, true
}

func (n *laneNet) getJunction(b []byte, id string, variable byte, args *wire.Reader) ([]byte, error) {
	j := n.net.Junction(id)
	if j == nil {
		return nil, refuse("Junction '%s' is not known", id)
	}
	switch variable {
	case varPosition:
		return wire.TypePoint(b, wire.Point{j.At.X, j.At.Y}), nil
	case varPosition3:
		return wire.TypePoint3(b, wire.Point{j.At.X, j.At.Y}, 0), nil
	case varShape:
		return wire.TypePolygon(b, points(j.Shape)), nil
	case varParameter, varParameterKey:
		return getNote(b, n.world.notes.of(domJunction, id), variable, args)
	}
	return nil, errVariable
}

func (n *laneNet) setJunction(id string, variable byte, args *wire.Reader) error {
	if variable != varParameter {
		return errVariable
	}
	if n.net.Junction(id) == nil {
		return refuse("Junction '%s' is not known", id)
	}
	return n.world.notes.set(domJunction, id, args)
}

// checkRoute returns the edges of a route, which must be known.
func (n *laneNet) checkRoute(names []string) (route []*lanes.Edge, err error) {
	for _, name := range names {
		e := n.net.Edge(name)
		if e == nil {
			return nil, refuse("Unknown edge '%s' in route.", name)
		}
		route = append(route, e)
	}
	return route, nil
}
