// SPDX-License-Identifier: Apache-2.0

package lanes

import (
	"slices"
	"strconv"
	"strings"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

// program reads a program of a traffic light.
func (r *reader) program(e *xmltree.Element) {
	id := e.Needed("id")
	kind, _ := e.Attribute("type")
	p := &Program{ID: e.Needed("programID"), Kind: kind, Offset: bounded(e, "offset", 0, -maxDuration, maxDuration)}
	children := e.All("phase")
	if len(children) == 0 || len(children) > maxPhases {
		e.Failf("%d phases: must be 1 to %d", len(children), maxPhases)
		return
	}
	for _, c := range children {
		p.Phases = append(p.Phases, phase(c, len(children)))
	}
	for i, c := range children {
		if len(p.Phases[i].State) != len(p.Phases[0].State) {
			c.Failf("a state of %d signals, and of %d in the first phase", len(p.Phases[i].State), len(p.Phases[0].State))
			return
		}
	}
	light := r.net.lights[id]
	if light == nil {
		light = &Light{ID: id, Links: make([][]*Link, len(p.Phases[0].State))}
		r.net.lights[id] = light
		r.net.Lights = append(r.net.Lights, light)
	}
	if slices.ContainsFunc(light.Programs, func(o *Program) bool { return o.ID == p.ID }) {
		e.Failf("program %q of light %q is there twice", p.ID, id)
	}
	if len(p.Phases[0].State) != len(light.Links) {
		e.Failf("a state of %d signals, and of %d in the light's first program", len(p.Phases[0].State), len(light.Links))
	}
	light.Programs = append(light.Programs, p)
}

// validState reports whether a text is a state of a light: a character of SUMO's a signal.
func validState(state string) bool {
	return len(state) > 0 && len(state) <= maxSignals && strings.Trim(state, "rRuyYgGsoO") == ""
}

// phase reads a phase of a program with so many.
func phase(e *xmltree.Element, phases int) Phase {
	p := Phase{Duration: bounded(e, "duration", 0, 0.001, maxDuration), State: e.Needed("state")}
	p.Min = bounded(e, "minDur", p.Duration, 0, maxDuration)
	p.Max = bounded(e, "maxDur", p.Duration, 0, maxDuration)
	p.Name, _ = e.Attribute("name")
	if !validState(p.State) {
		e.Failf("state is %q: must be 1 to %d of r, R, u, y, Y, g, G, s, o, O", p.State, maxSignals)
	}
	next, _ := e.Attribute("next")
	for _, word := range strings.Fields(next) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 || n >= phases {
			e.Failf("next is %q: there are phases 0 to %d", next, phases-1)
			return p
		}
		p.Next = append(p.Next, n)
	}
	return p
}

// junction reads a junction and where its links are.
func (r *reader) junction(e *xmltree.Element) {
	id, ok := named(e, r.net.junctions)
	if !ok {
		return
	}
	kind, _ := e.Attribute("type")
	j := &Junction{ID: id, Kind: kind, At: geom.Vec{X: bounded(e, "x", 0, -maxCoordinate, maxCoordinate), Y: bounded(e, "y", 0, -maxCoordinate, maxCoordinate)}}
	j.Shape = shape(e, 0)
	if n := len(j.Shape); n > 0 && j.Shape[0] != j.Shape[n-1] {
		j.Shape = append(j.Shape, j.Shape[0])
	}
	r.net.junctions[id] = j
	r.net.Junctions = append(r.net.Junctions, j)
	if kind == "internal" { // its lanes are those of the junction around it
		e.Know()
		return
	}
	text, _ := e.Attribute("intLanes")
	links := strings.Fields(text)
	if len(links) > maxLinks {
		e.Failf("%d links: must be at most %d", len(links), maxLinks)
		return
	}
	j.Links = make([]*Link, len(links))
	for i, lane := range links {
		if r.net.lanes[lane] == nil {
			e.Failf("intLanes has %q, and there is no such lane", lane)
		}
		r.inside[lane] = inside{j, i}
	}
	j.matrix(e)
}

// matrix reads who lets whom go first.
func (j *Junction) matrix(e *xmltree.Element) {
	rows := e.All("request")
	if len(rows) != 0 && len(rows) != len(j.Links) {
		e.Failf("%d requests for %d links", len(rows), len(j.Links))
		return
	}
	for i, row := range rows {
		if index := whole(row, "index", i); index != i {
			row.Failf("index %d: the requests of a junction are in their order, and this one is %d", index, i)
		}
		q := request{row.Needed("response"), row.Needed("foes")}
		for _, bits := range []string{q.response, q.foes} {
			if len(bits) != len(rows) || strings.Trim(bits, "01") != "" {
				row.Failf("%q: must be %d digits 0 or 1", bits, len(rows))
				return
			}
		}
		j.requests = append(j.requests, q)
	}
}

// connection reads a link.
func (r *reader) connection(e *xmltree.Element) {
	l := &Link{From: r.end(e, "from"), To: r.end(e, "to"), Request: -1}
	if l.From == nil || l.To == nil {
		return
	}
	if via, ok := e.Attribute("via"); ok {
		if l.Via = r.net.lanes[via]; l.Via == nil {
			e.Failf("via %q: there is no such lane", via)
			return
		}
	}
	l.Direction, _ = e.Attribute("dir")
	if state, _ := e.Attribute("state"); state != "" {
		l.State = state[0]
	}
	if id, ok := e.Attribute("tl"); ok {
		l.Light, l.Signal = r.net.lights[id], whole(e, "linkIndex", -1)
		if l.Light == nil || l.Signal < 0 || l.Signal >= len(l.Light.Links) {
			e.Failf("signal %d of light %q: there is no such signal", l.Signal, id)
			return
		}
		l.Light.Links[l.Signal] = append(l.Light.Links[l.Signal], l)
	}
	if l.Via != nil && l.Light == nil && !Priority(l.State) {
		l.Via.penalty = minorPenalty
	}
	l.From.Links = append(l.From.Links, l)
}

// end reads the lane at an end of a link.
func (r *reader) end(e *xmltree.Element, which string) *Lane {
	id, index := e.Needed(which), whole(e, which+"Lane", 0)
	edge := r.net.edges[id]
	if edge == nil || index < 0 || index >= len(edge.Lanes) {
		e.Failf("%s lane %d of edge %q: there is no such lane", which, index, id)
		return nil
	}
	return edge.Lanes[index]
}

// arrange gives the links their places in junctions. Of two lanes in a junction the second one is in the list.
func (r *reader) arrange(root *xmltree.Element) {
	for _, lane := range r.net.Lanes {
		for _, l := range lane.Links {
			way := l.Inside()
			if lane.Edge.Internal || len(way) == 0 {
				continue
			}
			at, ok := r.inside[way[len(way)-1].ID]
			if !ok {
				root.Failf("no junction has the lane %q of the connection from %q to %q", way[len(way)-1].ID, l.From.ID, l.To.ID)
				return
			}
			l.Junction, l.Request = at.junction, at.request
			at.junction.Links[at.request] = l
		}
	}
}
