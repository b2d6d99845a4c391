// SPDX-License-Identifier: Apache-2.0

package lanes

import "github.com/epuck-ros2/epuck-driver/sim/geom"

// Net is a network. Its lists are in the order of names, as SUMO's.
type Net struct {
	Low, High geom.Vec // the corners of its boundary, m
	Edges     []*Edge  // those in junctions, whose names begin with a colon, too
	Lanes     []*Lane
	Junctions []*Junction
	Lights    []*Light

	edges     map[string]*Edge
	lanes     map[string]*Lane
	junctions map[string]*Junction
	lights    map[string]*Light
}

// Edge is a way from a junction to another, or within one.
type Edge struct {
	ID, Name string
	Internal bool // in a junction
	Lanes    []*Lane
}

// Lane is a lane of an edge.
type Lane struct {
	ID                   string
	Edge                 *Edge
	Index                int     // from the right, 0
	Length, Width, Speed float64 // m, m, m/s; who owns the network may change the speed
	Shape                []geom.Vec
	Allow, Disallow      []string // classes of vehicles; none: all are allowed
	Links                []*Link  // to the lanes behind it

	along   []float64 // of each point of the shape, m from the first one
	penalty float64   // what travel times of a lane in a junction have for waiting, s
}

// Link is the way from the end of a lane to another lane.
type Link struct {
	From, To  *Lane
	Via       *Lane // the lane in the junction, nil: there is none
	Direction string
	State     byte   // of right of way: M, m, =, o …
	Light     *Light // that controls it, nil: none
	Signal    int    // its place in the states of the light
	Junction  *Junction
	Request   int // its row in the junction's matrix of right of way, -1: it has none
}

// Priority reports whether a state of a link is one of right of way.
func Priority(state byte) bool { return state >= 'A' && state <= 'Z' }

// Length is that of the way in the junction, m.
func (l *Link) Length() float64 {
	sum := 0.0
	for _, v := range l.Inside() {
		sum += v.Length
	}
	return sum
}

// Inside are the lanes in the junction: none, one, or two where left turns wait in the middle.
func (l *Link) Inside() (inside []*Lane) {
	for via := l.Via; via != nil && len(inside) < 2; {
		inside = append(inside, via)
		if len(via.Links) == 0 {
			break
		}
		via = via.Links[0].Via
	}
	return inside
}

// Junction is where edges meet.
type Junction struct {
	ID, Kind string
	At       geom.Vec
	Shape    []geom.Vec // closed: the last point is the first; it may be empty
	Links    []*Link    // by their requests
	requests []request
}

// request is a row of the matrix of right of way: bits of other links, the last character the first link.
type request struct{ response, foes string }

// Foes reports whether vehicles on two links of the junction can't cross it at once.
func (j *Junction) Foes(a, b int) bool { return j.bit(a, b, false) }

// Yields reports whether a vehicle on link a lets one on link b go first.
func (j *Junction) Yields(a, b int) bool { return j.bit(a, b, true) }

func (j *Junction) bit(a, b int, response bool) bool {
	if a < 0 || b < 0 || a >= len(j.requests) || b >= len(j.requests) {
		return false
	}
	row := j.requests[a].foes
	if response {
		row = j.requests[a].response
	}
	return row[len(row)-1-b] == '1'
}

// Light is a traffic light, which controls links.
type Light struct {
	ID       string
	Programs []*Program
	Links    [][]*Link // by their signals
}

// Program is a cycle of phases.
type Program struct {
	ID     string
	Kind   string // static, actuated …
	Offset float64
	Phases []Phase
}

// Phase is a state of a light for a time.
type Phase struct {
	Duration, Min, Max float64 // s
	State              string  // a character a link: r, y, G, g …
	Name               string
	Next               []int
}

// Edge returns the edge of a name, nil if there is none.
func (n *Net) Edge(id string) *Edge { return n.edges[id] }

// Lane returns the lane of a name, nil if there is none.
func (n *Net) Lane(id string) *Lane { return n.lanes[id] }

// Junction returns the junction of a name, nil if there is none.
func (n *Net) Junction(id string) *Junction { return n.junctions[id] }

// Light returns the traffic light of a name, nil if there is none.
func (n *Net) Light(id string) *Light { return n.lights[id] }
