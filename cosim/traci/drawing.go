// SPDX-License-Identifier: Apache-2.0

package traci

import (
	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
	epuck2 "github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// drawing is a polygon of a client. It is a drawing, as in SUMO: no robot feels it.
type drawing struct {
	name, kind string
	colour     wire.Colour
	fill       bool
	layer      int
	width      float64 // of the line
	shape      []wire.Point
}

// poi is a point of interest of a client.
type poi struct {
	name, kind, image    string
	colour               wire.Colour
	layer                int
	at                   wire.Point
	width, height, angle float64
}

// route is a sequence of edges; here there is one edge.
type route struct {
	name  string
	edges []string
}

const (
	// building is the type of the world's polygons: Veins' model of obstacles knows it.
	building = "building"
	// lampKind is the type of the world's points of interest.
	lampKind = "lamp"
	// discSides is how many corners the polygon of a cylinder has.
	discSides = 16
)

// lamps makes LEDs of a colour: all four colour LEDs show it, the red ones are on if red is most of it.
func lamps(c wire.Colour) (l vmcu.LEDs) {
	for i := range l.RGB {
		for k := range l.RGB[i] {
			l.RGB[i][k] = uint8(int(c[k]) * 100 / 255)
		}
	}
	for i := range l.Red {
		l.Red[i] = c[0] >= 128 && c[0] > c[1] && c[0] > c[2]
	}
	return l
}

// ledColour makes a colour of what the LEDs show: the mean of the four that have one; red if only red ones are on.
func ledColour(l vmcu.LEDs) wire.Colour {
	var sum [3]int
	for _, rgb := range l.RGB {
		for k, v := range rgb {
			sum[k] += int(v)
		}
	}
	if sum == [3]int{} && l.Red != [4]bool{} {
		red := epuck2.RedLED()
		return wire.Colour{red[0], red[1], red[2], 255}
	}
	c := wire.Colour{3: 255}
	for k, v := range sum {
		c[k] = byte((v*255 + 200) / 400)
	}
	return c
}

// signals makes SUMO's bits of the LEDs: right and left blinker, brake light behind, front light.
func signals(l vmcu.LEDs) int {
	bits := 0
	for i, bit := range [4]int{1 << 4, 1 << 0, 1 << 3, 1 << 1} { // front, right, back, left
		if l.Red[i] {
			bits |= bit
		}
	}
	return bits
}

// polygon is a reported polygon: a thing of the world or a drawing.
type polygon struct {
	name, kind string
	colour     wire.Colour
	fill       bool
	width      float64
	shape      []wire.Point
	drawing    *drawing // nil: a thing
}

// drawings are the polygons and points of interest: things and lamps of the world, and what clients added.
type drawings struct {
	sim    *sim.Simulation
	notes  sharedNotes
	drawn  []*drawing // polygons of clients
	points []*poi     // points of interest of clients
}

// polygons returns all polygons: things first.
func (g *drawings) polygons() []polygon {
	var all []polygon
	for _, t := range g.sim.Things() {
		p := polygon{name: t.Name, kind: building, colour: wire.Colour{t.Colour[0], t.Colour[1], t.Colour[2], 255}, fill: true}
		for _, c := range t.Shape.Outline(discSides) {
			p.shape = append(p.shape, wire.Point{c.X, c.Y})
		}
		if t.Shape.Kind() == geom.Enclosure { // walls around all robots: no building that shades their radio
			p.kind, p.fill, p.shape = arenaName, false, append(p.shape, p.shape[0])
		}
		all = append(all, p)
	}
	for _, d := range g.drawn {
		all = append(all, polygon{d.name, d.kind, d.colour, d.fill, d.width, d.shape, d})
	}
	return all
}

// arenaName is the type of the arena's polygon.
const arenaName = "arena"

// spot is a reported point of interest: a lamp or a client's.
type spot struct {
	poi
	own *poi // nil: a lamp
}

// spots returns all points of interest: lamps first.
func (g *drawings) spots() []spot {
	var all []spot
	for _, l := range g.sim.Lamps() {
		all = append(all, spot{poi: poi{
			name: l.Name, kind: lampKind, colour: wire.Colour{255, 255, 255, 255}, at: wire.Point{l.Position.X, l.Position.Y},
			height: l.Height,
		}})
	}
	for _, p := range g.points {
		all = append(all, spot{*p, p})
	}
	return all
}
