// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"fmt"
	"strings"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// ErrUnknownWorld is matched by the error of [LoadWorld] if there is no built-in world of a name.
var ErrUnknownWorld = world.ErrUnknown

// LoadWorld returns the world of a built-in name ("arena", "maze" …) or reads
// the file at a path. The empty name is the default world. Settings give fields other values than the file, as
// world.Parse reads them. Errors wrap world.ErrWorld, world.ErrUnknown or those of package os.
func LoadWorld(nameOrPath string, settings ...string) (*World, error) {
	if nameOrPath == "" {
		nameOrPath = world.DefaultName
	}
	if strings.ContainsAny(nameOrPath, "./") {
		return world.LoadFile(nameOrPath, settings...)
	}
	w, err := world.Example(nameOrPath, settings...)
	if errors.Is(err, world.ErrUnknown) {
		return nil, fmt.Errorf("%w; a file's path needs a dot or a slash in it", err)
	}
	return w, err
}

// ParseWorld reads the text of a world file.
func ParseWorld(data []byte) (*World, error) { return world.Parse(data) }

// ParseParts reads a list of parts of a robot with commas between, as World.Refit takes them.
func ParseParts(text string) ([]Part, error) { return world.ParseParts(text) }

// ExampleWorlds returns the names of the built-in worlds.
func ExampleWorlds() []string { return world.Examples() }

// thing is what a name of the world file stands for: a shape or a light.
type thing struct {
	light bool
	index int
}

func vec(p world.Point) geom.Vec { return geom.Vec{X: p[0], Y: p[1]} }

// build makes the scene of a checked world.
func (s *Simulation) build(w *World) {
	var shapes []geom.Shape
	add := func(name string, shape geom.Shape, c world.Color, rgb [3]uint8) {
		if name != "" {
			s.things[name] = thing{index: len(shapes)}
		}
		if painted, ok := c.RGB(); ok { // a surface whose colour the file leaves open is white to infrared light
			shape = shape.Reflecting(physics.Reflectance(painted[0], painted[1], painted[2]))
		}
		shapes = append(shapes, shape)
		s.colours = append(s.colours, colourOf(rgb))
	}
	type load struct {
		name  string
		shape int
		load  world.Load
	}
	var loads []load
	push := func(name, kind string, i int, l world.Load) {
		if l.Movable {
			loads = append(loads, load{thingName(name, kind, i), len(shapes), l})
		}
	}
	for i, b := range w.Boxes {
		push(b.Name, "box", i, b.Load)
		add(b.Name, geom.NewBox(vec(b.Position), vec(b.Size), b.Yaw, b.Height), b.Color, w.BoxRGB(i))
	}
	for i, c := range w.Cylinders {
		push(c.Name, "cylinder", i, c.Load)
		add(c.Name, geom.NewDisc(vec(c.Position), c.Radius, c.Height), c.Color, w.CylinderRGB(i))
	}
	for _, v := range w.Walls {
		add(v.Name, geom.NewWall(vec(v.From), vec(v.To), v.Thickness, v.Height), v.Color, v.RGB())
	}
	if a := w.Arena; a != nil { // last: nothing may push a robot through it
		add("", geom.NewEnclosure(vec(a.Center), vec(a.Size), a.Height), a.Color, a.RGB())
	}
	for _, b := range w.Boards {
		s.boards = append(s.boards, vcamera.Board{
			Middle: geom.Vec{X: b.Position[0], Y: b.Position[1]}, Height: b.Position[2], Yaw: b.Yaw, Tilt: b.Tilt, Roll: b.Roll,
			Cols: b.Corners[0], Rows: b.Corners[1], Square: b.Square, Plain: b.Plain,
		})
	}
	lights := make([]physics.Light, len(w.Lights))
	for i, l := range w.Lights {
		lights[i] = physics.Light{
			Position:  geom.Vec{X: l.Position[0], Y: l.Position[1]},
			Height:    l.Position[2],
			Intensity: l.Intensity,
		}
		if l.Name != "" {
			s.things[l.Name] = thing{light: true, index: i}
		}
	}
	s.scene = physics.NewScene(shapes, lights, w.AmbientIrradiance)
	s.scene.SetFriction(w.ContactFriction)
	s.scene.SetSounds(sounds(w.Sounds))
	for _, l := range loads {
		s.movables = append(s.movables, s.newMovable(l.name, l.shape, l.load))
	}
	s.feeders = newFeeders(w)
	s.scene.SetFloor(floor(w.Floor))
	s.field = physics.Vec3(w.MagneticField)
	s.medium = w.RangeAndBearing
	s.air, s.aired = physics.CrowdFor(s.medium.Range+physics.BodyRadius+physics.CrowdSlack), false
}

// sounds makes the sources of sound of a checked world.
func sounds(list []world.Sound) []physics.Sound {
	var to []physics.Sound
	for _, l := range list {
		frequency := l.Frequency
		if frequency == 0 {
			frequency = world.DefaultFrequency
		}
		to = append(to, physics.Sound{
			Position: geom.Vec{X: l.Position[0], Y: l.Position[1]}, Height: l.Position[2], Pressure: l.Pressure, Frequency: frequency,
		})
	}
	return to
}

// floor makes the floor of a checked world; nil stays nil.
func floor(f *world.Floor) *physics.Floor {
	if f == nil {
		return nil
	}
	to := &physics.Floor{Bare: f.Reflectance}
	if p := f.Picture; p != nil {
		size := p.Bounds().Size()
		picture := &physics.Picture{Columns: size.X, Rows: size.Y, Cell: f.Resolution, Origin: vec(f.Origin)}
		for y := size.Y - 1; y >= 0; y-- { // pictures begin in the north
			row := p.PixOffset(p.Rect.Min.X, p.Rect.Min.Y+y)
			picture.Cells = append(picture.Cells, p.Pix[row:row+size.X]...)
		}
		to.Picture = picture
	}
	for _, c := range f.Checkers {
		to.Patches = append(to.Patches, physics.NewChecker(vec(c.Position), vec(c.Size), c.Cell, c.Reflectance))
	}
	for _, c := range f.Circles {
		to.Patches = append(to.Patches, physics.NewRing(vec(c.Position), c.Radius, c.Width, c.Reflectance))
	}
	for _, l := range f.Lines {
		for i := range l.Points {
			next := (i + 1) % len(l.Points)
			if next != 0 || l.Closed {
				to.Patches = append(to.Patches, physics.NewStripe(vec(l.Points[i]), vec(l.Points[next]), l.Width, l.Reflectance))
			}
		}
	}
	return to
}
