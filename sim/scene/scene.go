// SPDX-License-Identifier: Apache-2.0

// Package scene has what exists in a simulated world in addition to its robots: solid things, some of which robots push,
// feeders that put more of them into the world, persons who walk, the floor, lamps, sounds and the magnetic field. It
// also knows where robots are: a grid finds those near a place.
//
// A [Scene] meets robots by the interfaces [Robots] and [Robot]. It moves once an infrared cycle, after the robots:
// things that robots have driven against, then feeders, then persons.
package scene

import (
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Robot is a robot as everything else in the world meets it.
type Robot interface {
	// Position returns the center of the disc that holds all of the robot's solids, and Radius that disc's radius, m.
	Position() geom.Vec
	Radius() float64
	// InAir reports whether the robot has been picked up: then it touches nothing.
	InAir() bool
	// Solids returns the robot's solids where they are now. One that the scene does not have is written to scratch. The
	// robot is pushed by the center of the first one.
	Solids(scratch *[1]geom.Shape) []geom.Shape
	// Overlaps reports whether a disc of a radius (m) at a place overlaps the robot.
	Overlaps(at geom.Vec, radius float64) bool
	// Fits reports whether the robot touches nothing.
	Fits() bool

	// Mass returns the robot's mass, kg; 0: nothing moves it.
	Mass() float64
	// Lost returns the way that movable things have taken from the robot in this cycle, and WayMade the way that it has
	// gone since the cycle began, m.
	Lost() geom.Vec
	WayMade() geom.Vec
	// Momentum returns the velocity with which the robot enters a cycle in which it meets movable things, m/s: see
	// [physics.Body.Momentum].
	Momentum(otherwise geom.Vec) geom.Vec
	// GiveWay ends a cycle in which the robot may have been pushing: the center of its first solid is at a place now,
	// with a velocity, m/s. EndPush ends one in which it met no movable thing.
	GiveWay(cycle int64, at, velocity geom.Vec)
	EndPush()
}

// Robots are the robots of a world, by numbers from 0 on.
type Robots interface {
	// All returns the robots, in the order in which they were added.
	All() []Robot
	// Around appends the numbers of those that may be within reach (m) of a place, if they have the radius of an e-puck2:
	// see [physics.Crowd].
	Around(at geom.Vec, reach float64, dst []int32) []int32
	// Shaped returns the robots whose solids the scene has, in the order of the solids.
	Shaped() []Shaped
	// ContactReach returns how far a robot is at the most from what it may push in an infrared cycle, m.
	ContactReach() float64
	// Name returns the name of robot i, Named whether one has a name.
	Name(i int) string
	Named(name string) bool
	// Release opens the gripper that holds a movable thing, if one does. restore closes it on the thing again.
	Release(name string) (restore func())
}

// Shaped are the solids of robot number Robot among those of [physics.Scene.SetSolids]: from First up to before Past.
type Shaped struct {
	Robot       int32
	First, Past int
}

// Config is what a scene needs.
type Config struct {
	Robots Robots
	// Trace records the movement of movable things for AppendTrace.
	Trace bool
}

// Scene is what exists in a world in addition to its robots. The caller holds the world's lock during every call.
type Scene struct {
	robots   Robots       `checkpoint:"-"`
	traced   bool         `checkpoint:"-"`
	made     *world.World `checkpoint:"-"` // never changes
	physics  *physics.Scene
	colours  []vcamera.RGB // of the shapes
	boards   []vcamera.Board
	field    physics.Vec3 // magnetic, T
	things   map[string]thing
	feeders  []feeder   // in the order of the world file
	movables []*movable // things that robots push, in the order of their shapes
	persons  []Person   // their shapes are the last, in this order
	pushing  pushing    `checkpoint:"-"`
}

// Physics returns the shapes, lights, sounds and floor as sensors measure them.
func (s *Scene) Physics() *physics.Scene { return s.physics }

// Field returns the magnetic field, T: to the east, north and up.
func (s *Scene) Field() physics.Vec3 { return s.field }

// Named reports whether a thing or a person has a name.
func (s *Scene) Named(name string) bool {
	_, thing := s.things[name]
	return thing || s.person(name) >= 0
}

// named reports whether anything in the world has a name.
func (s *Scene) named(name string) bool { return s.Named(name) || s.robots.Named(name) }

// Moving reports whether a thing or a person moves or is about to.
func (s *Scene) Moving() bool { return s.strolling() || s.sliding() }

// Static reports whether nothing in the scene moves by itself or can be pushed.
func (s *Scene) Static() bool { return len(s.persons) == 0 && len(s.movables) == 0 && !s.feeding() }

// Draw writes to a picture's scene what a camera sees in addition to robots.
func (s *Scene) Draw(to *vcamera.Scene) {
	to.Things, to.Bodies, to.Lamps = to.Things[:0], to.Bodies[:0], to.Lamps[:0]
	for i, n := 0, s.physics.Shapes(); i < n; i++ {
		to.Things = append(to.Things, vcamera.Thing{Shape: s.physics.Shape(i), Colour: s.colours[i]})
	}
	for i, n := 0, s.physics.Lights(); i < n; i++ {
		l := s.physics.Light(i)
		to.Lamps = append(to.Lamps, vcamera.Lamp{Position: l.Position, Height: l.Height, Intensity: l.Intensity})
	}
	to.Boards = s.boards
	to.Light = s.physics.Ambient()
}

// touch is the overlap (m) under which rounding, not contact, is at work.
const touch = 1e-9

// ColourOf returns a colour of the world as a camera has it.
func ColourOf(rgb [3]uint8) vcamera.RGB { return vcamera.RGB{R: rgb[0], G: rgb[1], B: rgb[2]} }

// thing is what a name of the world file refers to: a shape or a light.
type thing struct {
	light bool
	index int
}

func vec(p world.Point) geom.Vec { return geom.Vec{X: p[0], Y: p[1]} }

// Build makes s the scene of a checked world, among robots.
func (s *Scene) Build(w *world.World, cfg Config) {
	*s = Scene{robots: cfg.Robots, traced: cfg.Trace, made: w, things: make(map[string]thing)}
	var shapes []geom.Shape
	add := func(name string, shape geom.Shape, c world.Color, rgb [3]uint8) {
		if name != "" {
			s.things[name] = thing{index: len(shapes)}
		}
		if painted, ok := c.RGB(); ok { // a surface whose colour the file leaves open is white to infrared light
			shape = shape.Reflecting(physics.Reflectance(painted[0], painted[1], painted[2]))
		}
		shapes = append(shapes, shape)
		s.colours = append(s.colours, ColourOf(rgb))
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
	s.physics = physics.NewScene(shapes, lights, w.AmbientIrradiance)
	s.physics.SetFriction(w.ContactFriction)
	s.physics.SetSounds(sounds(w.Sounds))
	for _, l := range loads {
		s.movables = append(s.movables, s.newMovable(l.name, l.shape, l.load))
	}
	s.feeders = newFeeders(w)
	s.physics.SetFloor(floor(w.Floor))
	s.field = physics.Vec3(w.MagneticField)
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
