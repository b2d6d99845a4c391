// SPDX-License-Identifier: Apache-2.0

package lanes

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

// Parse reads a network; name is for errors. They match [ErrNetwork] or xmltree.ErrSyntax.
func Parse(name string, text []byte) (*Net, error) {
	doc, err := xmltree.Parse(name, text)
	if err != nil {
		return nil, err
	}
	r := reader{net: &Net{
		edges: map[string]*Edge{}, lanes: map[string]*Lane{}, junctions: map[string]*Junction{}, lights: map[string]*Light{},
	}, inside: map[string]inside{}}
	if doc.Root.Name != "net" {
		doc.Root.Failf("a network begins with <net>")
	} else {
		r.read(doc.Root)
	}
	if err := doc.Err(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNetwork, err)
	}
	r.net.sort()
	return r.net, nil
}

// inside is where a lane in a junction is among the junction's links.
type inside struct {
	junction *Junction
	request  int
}

// reader fills a network.
type reader struct {
	net    *Net
	inside map[string]inside // by the names of lanes
}

func (r *reader) read(root *xmltree.Element) {
	r.boundary(root.Child("location"), root)
	for _, e := range root.All("edge") {
		r.edge(e)
	}
	if len(r.net.Lanes) == 0 {
		root.Failf("no <edge> with a <lane>")
	}
	for _, e := range root.All("tlLogic") {
		r.program(e)
	}
	for _, e := range root.All("junction") {
		r.junction(e)
	}
	for _, e := range root.All("connection") {
		r.connection(e)
	}
	r.arrange(root)
}

// sort puts the lists into the order of names.
func (n *Net) sort() {
	slices.SortFunc(n.Edges, func(a, b *Edge) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(n.Lanes, func(a, b *Lane) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(n.Junctions, func(a, b *Junction) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(n.Lights, func(a, b *Light) int { return cmp.Compare(a.ID, b.ID) })
}

// boundary reads where the network is.
func (r *reader) boundary(e, root *xmltree.Element) {
	if e == nil {
		root.Failf("no <location>")
		return
	}
	text := strings.ReplaceAll(e.Needed("convBoundary"), ",", " ")
	v, ok := e.Numbers("convBoundary", text, 4)
	if !ok {
		return
	}
	r.net.Low, r.net.High = geom.Vec{X: v[0], Y: v[1]}, geom.Vec{X: v[2], Y: v[3]}
	if !(v[0] <= v[2] && v[1] <= v[3]) || max(-v[0], -v[1], v[2], v[3]) > maxCoordinate {
		e.Failf("convBoundary %q: must be west, south, east, north within %g m", text, maxCoordinate)
	}
}

// bounded reads a number within bounds.
func bounded(e *xmltree.Element, name string, otherwise, low, high float64) float64 {
	v := e.Number(name, otherwise)
	if !(v >= low && v <= high) {
		e.Failf("%s is %g: must be %g to %g", name, v, low, high)
	}
	return v
}

// whole reads a whole number.
func whole(e *xmltree.Element, name string, otherwise int) int {
	text, ok := e.Attribute(name)
	if !ok {
		return otherwise
	}
	v, err := strconv.Atoi(text)
	if err != nil {
		e.Failf("%s is %.60q: must be a whole number", name, text)
		return otherwise
	}
	return v
}

// shape reads points; heights are left out.
func shape(e *xmltree.Element, least int) (points []geom.Vec) {
	text, _ := e.Attribute("shape")
	words := strings.Fields(text)
	if len(words) < least || len(words) > maxPoints {
		e.Failf("its shape has %d points: must be %d to %d", len(words), least, maxPoints)
		return nil
	}
	for _, word := range words {
		coordinates := strings.Split(word, ",")
		if len(coordinates) == 3 {
			coordinates = coordinates[:2]
		}
		v, ok := e.Numbers("a point of its shape", strings.Join(coordinates, " "), 2)
		if !ok {
			return nil
		}
		p := geom.Vec{X: v[0], Y: v[1]}
		if max(p.X, -p.X, p.Y, -p.Y) > maxCoordinate {
			e.Failf("a point of its shape is beyond %g m", maxCoordinate)
			return nil
		}
		points = append(points, p)
	}
	return points
}

// named reads the name of an element, which nothing else of its kind has.
func named[T any](e *xmltree.Element, known map[string]T) (id string, ok bool) {
	id = e.Needed("id")
	if _, twice := known[id]; twice {
		e.Failf("id %q is there twice", id)
		return id, false
	}
	return id, id != ""
}

// edge reads an edge with its lanes.
func (r *reader) edge(e *xmltree.Element) {
	id, ok := named(e, r.net.edges)
	if !ok {
		return
	}
	function, _ := e.Attribute("function")
	name, _ := e.Attribute("name")
	edge := &Edge{ID: id, Name: name, Internal: function == "internal"}
	children := e.All("lane")
	if len(children) > maxLanes {
		e.Failf("%d lanes: must be at most %d", len(children), maxLanes)
		return
	}
	for i, c := range children {
		r.lane(c, edge, i)
	}
	r.net.edges[id] = edge
	r.net.Edges = append(r.net.Edges, edge)
}

// lane reads a lane, number i of its edge.
func (r *reader) lane(e *xmltree.Element, edge *Edge, i int) {
	id, ok := named(e, r.net.lanes)
	if !ok {
		return
	}
	if index := whole(e, "index", i); index != i {
		e.Failf("index %d: the lanes of an edge are in their order, and this one is %d", index, i)
	}
	l := &Lane{
		ID: id, Edge: edge, Index: i, Shape: shape(e, 2), Speed: bounded(e, "speed", 0, 0, maxSpeed),
		Length: bounded(e, "length", 0, 0.001, maxLength), Width: bounded(e, "width", defaultWidth, 0.001, maxWidth),
	}
	allow, _ := e.Attribute("allow")
	disallow, _ := e.Attribute("disallow")
	l.Allow, l.Disallow = strings.Fields(allow), strings.Fields(disallow)
	l.measure()
	if len(l.along) > 0 && l.along[len(l.along)-1] <= 0 {
		e.Failf("its shape has no length")
	}
	edge.Lanes = append(edge.Lanes, l)
	r.net.lanes[id] = l
	r.net.Lanes = append(r.net.Lanes, l)
}
