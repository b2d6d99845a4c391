// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
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

// Things returns all boxes, cylinders, walls and the arena, in the order of
// the world file, and then those that were put into the world, where they are now.
func (s *Scene) Things() []Thing {
	things := make([]Thing, 0, s.firstPerson())
	add := func(name, kind string, i int) {
		name = thingName(name, kind, i)
		n := len(things)
		c := s.colours[n]
		things = append(things, Thing{Name: name, Shape: s.physics.Shape(n), Colour: [3]uint8{c.R, c.G, c.B}, Movable: s.physics.Movable(int32(n))})
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
func (s *Scene) Lamps() []Lamp {
	lamps := make([]Lamp, 0, s.physics.Lights())
	for i, l := range s.made.Lights {
		name := l.Name
		if name == "" {
			name = fmt.Sprint("light", i)
		}
		at := s.physics.Light(i)
		lamps = append(lamps, Lamp{Name: name, Position: at.Position, Height: at.Height})
	}
	return lamps
}
