// SPDX-License-Identifier: Apache-2.0

package traci

import (
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

func (g *drawings) polygonIDs() (ids []string) {
	for _, t := range g.sim.Things() {
		ids = append(ids, t.Name)
	}
	for _, d := range g.drawn {
		ids = append(ids, d.name)
	}
	return ids
}

// findPolygon returns the polygon of a name.
func (g *drawings) findPolygon(id string) (polygon, error) {
	all := g.polygons()
	if i := slices.IndexFunc(all, func(p polygon) bool { return p.name == id }); i >= 0 {
		return all[i], nil
	}
	return polygon{}, refuse("Polygon '%s' is not known", id)
}

// polygonAt returns the first corner: SUMO's contexts ask for that.
func (g *drawings) polygonAt(id string) (wire.Point, bool) {
	p, err := g.findPolygon(id)
	if err != nil || len(p.shape) == 0 {
		return wire.Point{}, false
	}
	return p.shape[0], true
}

func (g *drawings) getPolygon(b []byte, id string, variable byte, args *wire.Reader) ([]byte, error) {
	if !slices.Contains([]byte{varShape, varType, varColour, varFill, varWidth, varParameter, varParameterKey}, variable) {
		return nil, errVariable
	}
	p, err := g.findPolygon(id)
	if err != nil {
		return nil, err
	}
	switch variable {
	case varShape:
		return wire.TypePolygon(b, p.shape), nil
	case varType:
		return wire.TypeString(b, p.kind), nil
	case varColour:
		return wire.TypeColour(b, p.colour), nil
	case varFill:
		n := 0
		if p.fill {
			n = 1
		}
		return wire.TypeInt(b, n), nil
	case varWidth:
		return wire.TypeDouble(b, p.width), nil
	}
	return getNote(b, g.notes.of(domPolygon, id), variable, args)
}

func (g *drawings) setPolygon(id string, variable byte, args *wire.Reader) error {
	switch variable {
	case varAdd:
		return g.draw(id, args)
	case varRemove:
		args.TypedInt()
		if err := require(args, "The layer must be given using an int."); err != nil {
			return err
		}
		n := len(g.drawn)
		if g.drawn = slices.DeleteFunc(g.drawn, func(d *drawing) bool { return d.name == id }); len(g.drawn) == n {
			return refuse("Could not remove polygon '%s'", id)
		}
		return nil
	case varShape, varType, varColour, varFill, varWidth, varParameter:
	default:
		return errVariable
	}
	p, err := g.findPolygon(id)
	if err != nil {
		return err
	}
	if variable == varParameter {
		return g.notes.set(domPolygon, id, args)
	}
	if p.drawing == nil {
		return refuse("Polygon '%s' is a thing of the world and stays as it is", id)
	}
	return p.drawing.set(variable, args)
}

// set changes a client's polygon.
func (d *drawing) set(variable byte, args *wire.Reader) error {
	changed := *d
	text := ""
	switch variable {
	case varShape:
		changed.shape, text = args.TypedPolygon(), "The shape must be given using the accoring type." // SUMO's own words
	case varType:
		changed.kind, text = args.TypedString(), "The type must be given as a string."
	case varColour:
		changed.colour, text = args.TypedColour(), "The color must be given using an according type."
	case varFill:
		changed.fill, text = args.TypedInt() != 0, "'fill' must be defined using an integer."
	case varWidth:
		changed.width, text = args.TypedDouble(), "The line width must be given as a double."
	}
	if err := require(args, text); err != nil {
		return err
	}
	*d = changed
	return nil
}

// draw adds a polygon.
func (g *drawings) draw(id string, args *wire.Reader) error {
	n := args.TypedCompound()
	if err := require(args, "A compound object is needed for setting a new polygon."); err != nil {
		return err
	}
	if n != 5 && n != 6 {
		return refuse("Adding a polygon needs five to six parameters.")
	}
	d := &drawing{name: id, width: 1}
	d.kind, d.colour = args.TypedString(), args.TypedColour()
	d.fill, d.layer = args.TypedUnsigned() != 0, args.TypedInt()
	if d.shape = args.TypedPolygon(); n == 6 {
		d.width = args.TypedDouble()
	}
	if err := require(args, "A polygon needs a type, a color, a filled flag, a layer and a shape."); err != nil {
		return err
	}
	if slices.Contains(g.polygonIDs(), id) || len(g.drawn) >= maxObjects || len(d.shape) == 0 {
		return refuse("Could not add polygon '%s'", id)
	}
	g.drawn = append(g.drawn, d)
	return nil
}

func (g *drawings) spotIDs() (ids []string) {
	for _, s := range g.spots() {
		ids = append(ids, s.name)
	}
	return ids
}

func (g *drawings) findSpot(id string) (spot, error) {
	all := g.spots()
	if i := slices.IndexFunc(all, func(s spot) bool { return s.name == id }); i >= 0 {
		return all[i], nil
	}
	return spot{}, refuse("POI '%s' is not known", id)
}

func (g *drawings) spotAt(id string) (wire.Point, bool) {
	s, err := g.findSpot(id)
	return s.at, err == nil
}

func (g *drawings) getSpot(b []byte, id string, variable byte, args *wire.Reader) ([]byte, error) {
	known := []byte{varPosition, varPosition3, varType, varColour, varAngle, varWidth, varHeight, varImage, varParameter, varParameterKey}
	if !slices.Contains(known, variable) {
		return nil, errVariable
	}
	s, err := g.findSpot(id)
	if err != nil {
		return nil, err
	}
	switch variable {
	case varPosition:
		return wire.TypePoint(b, s.at), nil
	case varPosition3:
		return wire.TypePoint3(b, s.at, s.height), nil
	case varType:
		return wire.TypeString(b, s.kind), nil
	case varColour:
		return wire.TypeColour(b, s.colour), nil
	case varAngle:
		return wire.TypeDouble(b, s.angle), nil
	case varWidth:
		return wire.TypeDouble(b, s.width), nil
	case varHeight:
		return wire.TypeDouble(b, s.height), nil
	case varImage:
		return wire.TypeString(b, s.image), nil
	}
	return getNote(b, g.notes.of(domPOI, id), variable, args)
}

func (g *drawings) setSpot(id string, variable byte, args *wire.Reader) error {
	switch variable {
	case varAdd:
		return g.mark(id, args)
	case varRemove:
		args.TypedInt()
		if err := require(args, "The layer must be given using an int."); err != nil {
			return err
		}
		n := len(g.points)
		if g.points = slices.DeleteFunc(g.points, func(p *poi) bool { return p.name == id }); len(g.points) == n {
			return refuse("Could not remove PoI '%s'", id)
		}
		return nil
	case varPosition, varType, varColour, varAngle, varWidth, varHeight, varImage, varParameter:
	default:
		return errVariable
	}
	s, err := g.findSpot(id)
	if err != nil {
		return err
	}
	if variable == varParameter {
		return g.notes.set(domPOI, id, args)
	}
	if s.own == nil {
		return g.moveLamp(id, variable, args)
	}
	return s.own.set(variable, args)
}

// set changes a client's point of interest.
func (p *poi) set(variable byte, args *wire.Reader) error {
	changed := *p
	text := ""
	switch variable {
	case varPosition:
		changed.at, text = args.TypedPoint(), "The position must be given using an accoring type." // SUMO's own words
	case varType:
		changed.kind, text = args.TypedString(), "The type must be given as a string."
	case varColour:
		changed.colour, text = args.TypedColour(), "The color must be given using an according type."
	case varAngle:
		changed.angle, text = args.TypedDouble(), "The angle must be given using an accoring type." // SUMO's own words
	case varWidth:
		changed.width, text = args.TypedDouble(), "The width must be given using an accoring type." // SUMO's own words
	case varHeight:
		changed.height, text = args.TypedDouble(), "The height must be given using an accoring type." // SUMO's own words
	case varImage:
		changed.image, text = args.TypedString(), "The type must be given as a string."
	}
	if err := require(args, text); err != nil {
		return err
	}
	*p = changed
	return nil
}

// mark adds a point of interest.
func (g *drawings) mark(id string, args *wire.Reader) error {
	n := args.TypedCompound()
	if err := require(args, "A compound object is needed for setting a new PoI."); err != nil {
		return err
	}
	if n != 4 && n != 8 {
		return refuse("Adding a PoI requires either only type, color, layer and position parameters or these and imageFile, width, height and angle parameters.")
	}
	p := &poi{name: id, width: 1, height: 1}
	p.kind, p.colour, p.layer, p.at = args.TypedString(), args.TypedColour(), args.TypedInt(), args.TypedPoint()
	if n == 8 {
		p.image, p.width, p.height, p.angle = args.TypedString(), args.TypedDouble(), args.TypedDouble(), args.TypedDouble()
	}
	if err := require(args, "A PoI needs a type, a color, a layer and a position."); err != nil {
		return err
	}
	if slices.Contains(g.spotIDs(), id) || len(g.points) >= maxObjects || math.IsNaN(p.at[0]+p.at[1]) {
		return refuse("Could not add PoI.")
	}
	g.points = append(g.points, p)
	return nil
}

// moveLamp moves a lamp of the world; all else of it stays.
func (g *drawings) moveLamp(id string, variable byte, args *wire.Reader) error {
	if variable != varPosition {
		return refuse("POI '%s' is a lamp of the world and can only be moved", id)
	}
	at := args.TypedPoint()
	if err := require(args, "The position must be given using an accoring type."); err != nil { // SUMO's own words
		return err
	}
	return rejected(g.sim.Move(id, geom.Pose{X: at[0], Y: at[1]}))
}
