// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Thing is a solid thing of the world.
type Thing struct {
	// Name is the world file's, or the kind and a number: box0, cylinder1, wall2, arena.
	Name  string
	Shape geom.Shape
	// Colour is what cameras see.
	Colour [3]uint8
	// Movable is set if robots can push it, Added if it was added to the running world.
	Movable, Added bool
}

// Things advances the world to the clock's time and returns all boxes, cylinders, walls and the arena, in the order of
// the world file, and then those that were put into the world, where they are now.
func (s *Simulation) Things() []Thing {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	things := make([]Thing, 0, s.firstPerson())
	add := func(name, kind string, i int) {
		name = thingName(name, kind, i)
		n := len(things)
		c := s.colours[n]
		things = append(things, Thing{Name: name, Shape: s.scene.Shape(n), Colour: [3]uint8{c.R, c.G, c.B}, Movable: s.scene.Movable(int32(n))})
	}
	for i, b := range s.made.Boxes {
		add(b.Name, "box", i)
	}
	for i, c := range s.made.Cylinders {
		add(c.Name, "cylinder", i)
	}
	for i, w := range s.made.Walls {
		add(w.Name, "wall", i)
	}
	if s.made.Arena != nil {
		add("arena", "arena", 0)
	}
	for _, m := range s.movables {
		if m.added {
			add(m.name, "", 0)
			things[len(things)-1].Added = true
		}
	}
	return things
}

// thingName is the name of a thing that may have none in the world file.
func thingName(name, kind string, i int) string {
	if name == "" {
		return fmt.Sprint(kind, i)
	}
	return name
}

// Lamp is a light of the world.
type Lamp struct {
	Name     string // the world file's, or light and a number
	Position geom.Vec
	Height   float64 // m
}

// Lamps returns all lights in the order of the world file, where they are now.
func (s *Simulation) Lamps() []Lamp {
	s.mu.Lock()
	defer s.mu.Unlock()
	lamps := make([]Lamp, 0, s.scene.Lights())
	for i, l := range s.made.Lights {
		name := l.Name
		if name == "" {
			name = fmt.Sprint("light", i)
		}
		at := s.scene.Light(i)
		lamps = append(lamps, Lamp{Name: name, Position: at.Position, Height: at.Height})
	}
	return lamps
}

// dockCycles is the number of infrared cycles after which robots are looked for at charging stations.
const dockCycles = 10

// dock charges the robots that are at charging stations, and no others.
func (s *Simulation) dock(cycle int64) {
	if len(s.made.Stations) == 0 || cycle%dockCycles != 0 {
		return
	}
	for _, u := range s.units {
		u.dock()
	}
}

// dock charges the robot if its middle is at a charging station.
func (u *unit) dock() {
	if len(u.sim.made.Stations) == 0 || u.battery == nil {
		return
	}
	at := slices.ContainsFunc(u.sim.made.Stations, func(c world.Station) bool {
		way := u.position().Sub(vec(c.Position))
		return !u.inAir && way.Dot(way) <= float64(c.Radius*c.Radius)
	})
	was := u.battery.Charging()
	if u.battery.SetDocked(at); u.battery.Charging() != was {
		u.plant.chargingChanged()
	}
}

// feeder is a feeder of the world file.
type feeder struct {
	made   *world.Feeder `checkpoint:"-"`
	name   string
	colour [3]uint8
	fed    int   // things that it has put into the world
	next   int64 // infrared cycle before which it puts none there
}

// newFeeders makes the feeders of a checked world.
func newFeeders(w *World) []feeder {
	list := make([]feeder, len(w.Feeders))
	for i := range list {
		list[i] = feeder{made: &w.Feeders[i], name: w.FeederName(i), colour: w.FeederRGB(i)}
	}
	return list
}

// empty reports whether all things are in the world.
func (f *feeder) empty() bool { return f.fed == f.made.Number }

// thing returns the next thing.
func (f *feeder) thing() Thing {
	shape := geom.NewDisc(vec(f.made.Position), f.made.Radius, f.made.Height)
	if f.made.Size != (world.Point{}) {
		shape = geom.NewBox(vec(f.made.Position), vec(f.made.Size), f.made.Yaw, f.made.Height)
	}
	if painted, ok := f.made.Color.RGB(); ok {
		shape = shape.Reflecting(physics.Reflectance(painted[0], painted[1], painted[2]))
	}
	return Thing{Name: fmt.Sprintf("%s_%d", f.name, f.fed), Shape: shape, Colour: f.colour}
}

// feeding reports whether a feeder is not empty.
func (s *Simulation) feeding() bool {
	return slices.ContainsFunc(s.feeders, func(f feeder) bool { return !f.empty() })
}

// ready returns the next thing and whether it may be put into the world: the feeder is not empty, and its place is
// free.
func (f *feeder) ready(s *Simulation) (t Thing, ok bool) {
	if f.empty() || len(s.movables) >= world.MaxMovable {
		return t, false
	}
	t = f.thing()
	return t, !s.named(t.Name) && !s.inTheWay(&t.Shape)
}

// due returns the first infrared cycle after one in which the feeder may put something into the world.
func (f *feeder) due(cycle int64) int64 {
	next := max(f.next, cycle+1)
	return (next + dockCycles - 1) / dockCycles * dockCycles
}

// feed adds one thing of each feeder that is due and ready to the world.
func (s *Simulation) feed(cycle int64) {
	if cycle%dockCycles != 0 {
		return
	}
	for i := range s.feeders {
		f := &s.feeders[i]
		if cycle < f.next {
			continue
		}
		t, ok := f.ready(s)
		if !ok {
			continue
		}
		s.addMovable(&t, world.Load{Movable: true, Mass: f.made.Mass, Friction: f.made.Friction})
		f.fed++
		f.next = cycle + int64(math.Round(f.made.Period/cycleSeconds))
	}
}

// checkFeeders returns ErrOccupied for a feeder in whose place something is that does not move.
func (s *Simulation) checkFeeders() error {
	for i := range s.feeders {
		f := &s.feeders[i]
		t := f.thing()
		for k := range int32(s.firstPerson()) {
			if !s.scene.Movable(k) && overlap(s.scene.Ref(k), &t.Shape) {
				return fmt.Errorf("feeder %q at (%g, %g) m is in something that does not move: %w", f.name, f.made.Position[0], f.made.Position[1], ErrOccupied)
			}
		}
	}
	return nil
}
